package import StrictJSON

package enum SandboxFault: Hashable, Sendable {
    /// Another taker fills the first order of each of the next fills right before it.
    case collision(times: UInt64)
    /// The base fee rises above the maximum of each of the next transactions, as it arrives.
    case stuck(times: UInt64)
    /// A share of the requests fails.
    case flaky(Flakiness)
    /// Answers are delayed.
    case slow(milliseconds: UInt64)
    /// Connections are closed without an answer.
    case down
    /// Connections stay open without an answer.
    case hang
    /// The node reports another chain id.
    case wrongChain(UInt64)
    /// Prices and quotes of the Swap API are wrong.
    case quote(Misquote)
    /// Uniswap's pools, their quotes or a token do not what a trade expects.
    case pools(PoolFault)

    /// The share and kinds of a server's failures.
    package struct Flakiness: Hashable, Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            /// The connection is closed before the request is executed.
            case cut
            /// The request is executed, and the connection closed without an answer.
            case lost
            /// The request is executed, and its answer breaks off in the middle.
            case body
            /// HTTP 429 with Retry-After.
            case throttled = "429"
            /// HTTP 503.
            case unavailable = "503"
        }

        /// Percent of the requests, 1 to 100.
        package let share: UInt64
        package let kinds: [Kind]
        /// The seed for the choice of requests.
        package let seed: UInt64

        package init(share: UInt64, kinds: [Kind], seed: UInt64) {
            self.share = share
            self.kinds = kinds
            self.seed = seed
        }
    }

    /// Its name on the command line and in JSON.
    package enum Name: String, CaseIterable, Sendable {
        case collision, stuck, flaky, slow, down, hang
        case wrongChain = "wrong-chain"
        case quote, pools

        /// It affects the chain, not a server's answers.
        package var isOfChain: Bool {
            switch self {
            case .collision, .stuck, .wrongChain, .pools: true
            case .flaky, .slow, .down, .hang, .quote: false
            }
        }

        /// It affects every request of a server.
        var isOfServer: Bool {
            switch self {
            case .flaky, .slow, .down, .hang: true
            case .collision, .stuck, .wrongChain, .quote, .pools: false
            }
        }
    }

    package var name: Name {
        switch self {
        case .collision: .collision
        case .stuck: .stuck
        case .flaky: .flaky
        case .slow: .slow
        case .down: .down
        case .hang: .hang
        case .wrongChain: .wrongChain
        case .quote: .quote
        case .pools: .pools
        }
    }

    /// The maximum number of transactions or answers for one fault.
    package static let maximumTimes: UInt64 = 1_000
    /// The maximum delay, in milliseconds.
    package static let maximumDelay: UInt64 = 600_000
}

package enum SandboxServer: String, CaseIterable, Sendable {
    case node
    case relay
    /// The Swap API.
    case swap

    /// As a sentence names it.
    package var noun: String {
        switch self {
        case .node, .relay: rawValue
        case .swap: "swap API"
        }
    }
}

extension SandboxFault {
    /// The fault's settings: `{"fault":"slow","delay":2000}`.
    package var members: JSONObject {
        var object = JSONObject()
        object["fault"] = .string(name.rawValue)
        switch self {
        case .collision(let times), .stuck(let times): object["times"] = .integer(times)
        case .flaky(let flakiness):
            object["share"] = .integer(flakiness.share)
            object["kinds"] = .array(flakiness.kinds.map { .string($0.rawValue) })
            object["seed"] = .string(String(flakiness.seed))
        case .slow(let milliseconds): object["delay"] = .integer(milliseconds)
        case .wrongChain(let id): object["chainId"] = .integer(id)
        case .quote(let misquote):
            object["kind"] = .string(misquote.kind.rawValue)
            object["times"] = misquote.times.map { .integer($0) }
        case .pools(let kind): object["kind"] = .string(kind.rawValue)
        case .down, .hang: break
        }
        return object
    }

    /// Reads the form that `members` writes.
    ///
    /// - Throws: `FaultError`: the problem, as a full sentence.
    package init(_ json: JSONValue) throws(FaultError) {
        let name: Name = try json.choices("fault", isList: false)[0]
        func number(_ key: String, _ range: ClosedRange<UInt64>) throws(FaultError) -> UInt64 {
            guard let text = json[key]?.numberText, let number = UInt64(text),
                range.contains(number)
            else {
                throw FaultError(
                    message: "The member \"\(key)\" of \(name.rawValue) is a whole number from "
                        + "\(range.lowerBound) to \(range.upperBound)."
                )
            }
            return number
        }
        switch name {
        case .collision: self = .collision(times: try number("times", 1...Self.maximumTimes))
        case .stuck: self = .stuck(times: try number("times", 1...Self.maximumTimes))
        case .slow: self = .slow(milliseconds: try number("delay", 1...Self.maximumDelay))
        case .down: self = .down
        case .hang: self = .hang
        case .wrongChain: self = .wrongChain(try number("chainId", 1...UInt64(Int64.max)))
        case .quote:
            let kind: Misquote.Kind = try json.choices("kind", of: name, isList: false)[0]
            let times =
                json["times"] == nil ? nil : try number("times", 1...Self.maximumTimes)
            guard times == nil || !kind.isOfRegistry else {
                throw FaultError(
                    message: "A paused registry stays paused until the fault is cleared: "
                        + "\"times\" is left out."
                )
            }
            self = .quote(Misquote(kind: kind, times: times))
        case .pools: self = .pools(try json.choices("kind", of: name, isList: false)[0])
        case .flaky:
            guard let seed = json["seed"]?.stringValue.flatMap(UInt64.init) else {
                throw FaultError(message: "The member \"seed\" of flaky is a number as a text.")
            }
            self = .flaky(
                Flakiness(
                    share: try number("share", 1...100),
                    kinds: try json.choices("kinds", of: name, isList: true),
                    seed: seed
                )
            )
        }
    }
}

extension JSONValue {
    /// The choices that a member names, by their names in JSON.
    ///
    /// - Parameters:
    ///   - fault: whose member it is, for the error.
    ///   - isList: it is a list of them, and else a single one.
    /// - Returns: at least one, and of a member that is no list exactly one.
    func choices<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String,
        of fault: SandboxFault.Name? = nil,
        isList: Bool
    ) throws(FaultError) -> [Choice] {
        let named = isList ? self[key]?.arrayValue ?? [] : [self[key] ?? .null]
        let choices = named.compactMap { $0.stringValue.flatMap(Choice.init(rawValue:)) }
        guard !choices.isEmpty, choices.count == named.count else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            let whose = fault.map { " of \($0.rawValue)" } ?? ""
            throw FaultError(
                message:
                    "The member \"\(key)\"\(whose) is \(isList ? "a list" : "one") of \(names)."
            )
        }
        return choices
    }
}

/// An invalid fault.
package struct FaultError: Error, Hashable, Sendable {
    /// A full sentence.
    package let message: String
}
