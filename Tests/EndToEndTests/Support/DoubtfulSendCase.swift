import DexTestSupport
import Foundation
import StrictJSON
import Synchronization

/// A command that sends one transaction, as a node with doubtful answers meets it.
enum DoubtfulCommand: String, CaseIterable, Sendable {
    case marketBuy = "market-buy"
    case marketSell = "market-sell"
    case fill
    case cancel
    case send
    case wrap
    case unwrap
    case allow = "allowance set"
    case revoke = "allowance revoke"
    case transact
    case speedup = "tx speedup"
    case cancelTransaction = "tx cancel"
    case resume

    /// - Parameters:
    ///   - order: one of the trader's own to cancel, or one to take.
    ///   - transaction: one that waits.
    func words(order: String, transaction: String) -> [String] {
        switch self {
        case .marketBuy: ["market-buy", "--via", "book", "ZRX/WETH", "0.1"]
        case .marketSell: ["market-sell", "--via", "book", "ZRX/WETH", "0.1"]
        case .fill: ["fill", order, "0.1"]
        case .cancel: ["cancel", order]
        case .send: ["send", "ZRX", "1", Self.receiver]
        case .wrap: ["wrap", "0.001"]
        case .unwrap: ["unwrap", "0.001"]
        case .allow: ["allowance", "set", "ZRX", "7"]
        case .revoke: ["allowance", "revoke", "ZRX"]
        case .transact:
            ["transact", "ZRX", "transfer(address,uint256)", Self.receiver, "1000000000000000000"]
        case .speedup: ["tx", "speedup", transaction]
        case .cancelTransaction: ["tx", "cancel", transaction]
        case .resume: ["resume"]
        }
    }

    private static let receiver = "0x00000000000000000000000000000000DeaDBeef"

    /// There must be an order of the trader's own.
    var needsOrder: Bool { self == .cancel }
    /// It fills orders of others.
    var fills: Bool { self == .fill || self == .marketBuy || self == .marketSell }
    /// It is about a transaction that a node said to have taken and did not.
    var needsWaiting: Bool { self == .speedup || self == .cancelTransaction || self == .resume }
}

/// What a node answers to each transaction, and what it does and shows of it.
struct DoubtfulAnswer: Sendable, CustomStringConvertible {
    /// What becomes of the bytes.
    enum Fate: String, CaseIterable, Sendable {
        /// Passed on before the error.
        case carriedOut = "carried out"
        /// Never seen again.
        case lost
        /// Passed on once the node's tricks are over.
        case kept
    }

    /// When the node shows what was passed on.
    enum Shown: String, CaseIterable, Sendable {
        case atOnce = "known at once"
        /// After it was asked that many times.
        case later = "known after six questions"
        case never = "never known"
    }

    let words: String
    let code: Int
    let fate: Fate
    let shown: Shown
    /// Every transaction, or the first alone.
    let lasts: Bool

    var description: String {
        "\(code) \(words), \(fate.rawValue), \(shown.rawValue), \(lasts ? "for good" : "once")"
    }

    private static let errors = [
        (-32_603, "Internal error"), (-32_000, "request timed out"),
        (-32_000, "context deadline exceeded"), (-32_005, "limit exceeded"),
        (-32_010, "Transaction rejected"), (-32_000, "transaction underpriced"),
        // What proves a refusal where the node is honest.
        (-32_000, "insufficient funds for gas * price + value: balance 1, tx cost 2"),
        (-32_000, "intrinsic gas too low: gas 1, minimum needed 21000"),
    ]

    static let all: [DoubtfulAnswer] = errors.flatMap { code, words in
        Fate.allCases.flatMap { fate in
            Shown.allCases.flatMap { shown in
                [false, true].map {
                    DoubtfulAnswer(words: words, code: code, fate: fate, shown: shown, lasts: $0)
                }
            }
        }
    }
}

/// A node before the sandbox's that answers transactions with errors.
final class DoubtfulNode: Sendable {
    private struct State {
        var answer: DoubtfulAnswer?
        var sends = 0
        var questions = 0
        var kept: [ScriptedRequest] = []
    }

    private let state = Mutex(State())
    private let server: Mutex<Interposer?> = Mutex(nil)
    private let rpc: String

    /// - Parameter rpc: the sandbox's URL.
    init(before rpc: String) throws {
        self.rpc = rpc
        let server = try Interposer(before: rpc) { [weak self] request, _ in
            self?.decide(request) ?? .pass
        }
        self.server.withLock { $0 = server }
    }

    var url: String { server.withLock { $0?.url ?? "" } }
    var requests: [ScriptedRequest] { server.withLock { $0?.requests ?? [] } }

    /// Answers so from now on; nil is honest.
    func begin(_ answer: DoubtfulAnswer?) {
        state.withLock { state in
            state.answer = answer
            state.sends = 0
            state.questions = 0
        }
    }

    /// Passes on what was kept, and is honest from now on.
    func end() throws {
        let kept = state.withLock { state in
            state.answer = nil
            defer { state.kept = [] }
            return state.kept
        }
        // The last one first: it pays as much as the others, and a pool keeps what it has.
        for request in kept.reversed() { _ = try request.send(to: rpc) }
    }

    private func decide(_ request: ScriptedRequest) -> Interposer.Decision {
        let methods = request.methods
        return state.withLock { state -> Interposer.Decision in
            guard let answer = state.answer else { return .pass }
            if methods.contains("eth_sendRawTransaction") {
                state.sends += 1
                guard answer.lasts || state.sends == 1 else { return .pass }
                let error = ScriptedAnswer(
                    body: #"{"jsonrpc":"2.0","id":0,"error":{"code":\#(answer.code),"#
                        + #""message":"\#(answer.words)"}}"#
                ).bytes
                switch answer.fate {
                case .carriedOut: return .replace { connection, _ in connection.write(error) }
                case .kept: state.kept.append(request)
                case .lost: break
                }
                return .take { $0.write(error) }
            }
            guard state.sends > 0, methods.contains(where: Self.blanks.keys.contains) else {
                return .pass
            }
            if methods.contains("eth_getTransactionReceipt") { state.questions += 1 }
            switch answer.shown {
            case .atOnce: return .pass
            case .later where state.questions > 6: return .pass
            case .later, .never:
                return .replace { $0.write(Self.blank(request, $1)) }
            }
        }
    }

    /// What a node answers that knows none of an account's transactions but its two approvals.
    private static let blanks = [
        "eth_getTransactionReceipt": "null", "eth_getTransactionByHash": "null",
        "eth_getTransactionCount": #""0x2""#,
    ]

    /// The genuine answer, with those in their places.
    private static func blank(_ request: ScriptedRequest, _ genuine: [UInt8]) -> [UInt8] {
        guard let asked = try? JSONParser.parse(request.body),
            let end = genuine.firstRange(of: Array("\r\n\r\n".utf8)),
            let json = try? JSONParser.parse(Array(genuine[end.upperBound...]))
        else { return genuine }
        var methods: [String: String] = [:]
        for call in asked.arrayValue ?? [asked] {
            methods[call["id"]?.numberText ?? ""] = call["method"]?.stringValue
        }
        let answers = (json.arrayValue ?? [json]).map { answer in
            let id = answer["id"]?.numberText ?? ""
            guard let blank = methods[id].flatMap({ blanks[$0] }) else { return answer.text }
            return #"{"jsonrpc":"2.0","id":\#(id),"result":\#(blank)}"#
        }
        let body =
            json.arrayValue == nil ? answers.joined() : "[\(answers.joined(separator: ","))]"
        return ScriptedAnswer(body: body).bytes
    }
}
