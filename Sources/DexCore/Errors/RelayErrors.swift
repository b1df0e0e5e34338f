package import ZeroEx

/// A relay that gave no usable answer, or would not answer.
extension RelayError: ReportedError {
    package static let concerns: ErrorConcerns = [.venue, .relay]

    package var report: DexError {
        switch self {
        case .unreachable, .badStatus:
            Self.row(
                .unreachable("relay-unreachable"),
                sentence,
                hint: "Check the relay's address (--relay, or relay in config.toml) and try again.",
                retryable: !isPermanent
            )
        case .rateLimited:
            Self.row(
                .unreachable("relay-rate-limited"),
                sentence,
                hint: "Wait until the relay takes requests again.",
                retryable: true
            )
        case .nonsense:
            Self.row(
                .unreachable("relay-nonsense"),
                sentence,
                hint: "Check that --relay names the base address of a 0x relay's API, such as "
                    + "https://relay.example/v0."
            )
        case .noneAnswered(let failures):
            Self.row(
                .unreachable("relays-unreachable"),
                sentence,
                hint: "Compare them with `dex orderbook PAIR --relays`, or name others: "
                    + "--relay URL.",
                retryable: failures.contains { $0.error.report.retryable }
            )
        case .refused:
            Self.row(
                .unreachable("relay-refused"),
                sentence,
                hint: "Check that --relay names the base address of a 0x relay's API."
            )
        }
    }

    /// One sentence, and a line for each member of an order that the relay rejected; the relay's
    /// text never starts its own line.
    fileprivate var sentence: String {
        guard case .refused(let status, _, let reason, let fields) = self else {
            return PlainText.sentence(description)
        }
        // An answer that is not a refusal may still say that nothing can be posted there.
        let start =
            (200..<300).contains(status)
            ? "The relay cannot be used" : "The relay refused (HTTP \(status))"
        let reported = PlainText.sentence("\(start): \(RelayError.words(reason, status))")
        let lines = fields.prefix(20).map { field in
            "\n  " + PlainText.sentence(field.words)
        }
        return reported + lines.joined()
    }
}

extension RelayError {
    /// The relay refused, or each of several did.
    fileprivate var isRefusal: Bool {
        switch self {
        case .refused: true
        case .noneAnswered(let failures): failures.allSatisfy(\.error.isRefusal)
        default: false
        }
    }
}

/// A relay's answer about one of our orders, possibly a refusal.
package struct RelayRefusal: ReportedError {
    package let error: RelayError
    /// The signed order that it received; nil if it was asked before that.
    package let seen: OrderHash?

    package init(_ error: RelayError, seen: OrderHash? = nil) {
        self.error = error
        self.seen = seen
    }

    /// None of the relays that were asked gave a usable answer.
    init(all failures: [RelayError.Failure], seen: OrderHash? = nil) {
        self.init(
            failures.count == 1 ? failures[0].error : .noneAnswered(failures),
            seen: seen
        )
    }

    /// No relay took a posted order.
    init(of postings: [RelayPosting], seen: OrderHash) {
        let failures = postings.compactMap { posting -> RelayError.Failure? in
            switch posting.answer {
            case .refused(let error), .lost(let error):
                RelayError.Failure(relay: posting.relay, error: error)
            case .posted, .unconfirmed, .skipped: nil
            }
        }
        self.init(all: failures, seen: seen)
    }

    package var report: DexError {
        let reported =
            error.isRefusal
            ? Self.row(.relayRefused("relay-refused"), error.sentence) : error.report
        guard let seen else { return reported }
        return reported.mended(
            by: "The relay has seen the signed order \(seen), and it is in the journal: "
                + "cancel it with `dex cancel \(seen)` if it must never be filled."
                + (error.isOfRelay
                    ? ""
                    : " It may stand there: look with `dex order \(seen)`. The same command "
                        + "posts it again as it is.")
        )
    }
}

/// A user's text that is not an order.
extension OrderError: ReportedError {
    package var report: DexError {
        Self.row(.usage("bad-order"), PlainText.clean(description))
    }
}

/// An order named by the user that cannot be trusted.
extension OrderRejection: ReportedError {
    package var report: DexError {
        Self.row(errorCode, "The order is refused. \(self)")
    }
}

extension OrderRejection {
    /// The code of an error whose only reason it is.
    fileprivate var errorCode: ErrorCode {
        switch self {
        case .wrongExchange: .refused("wrong-exchange")
        case .wrongChain: .refused("wrong-chain")
        case .zeroAmount: .refused("zero-amount")
        case .zeroMaker: .refused("zero-maker")
        case .badSignature, .malformedSignature: .refused("bad-signature")
        case .noOrigin: .refused("no-origin")
        case .wrongTokens: .refused("wrong-tokens")
        case .reservedToken: .refused("reserved-token")
        case .failingToken: .refused("failing-token")
        case .wrongHash: .refused("wrong-hash")
        }
    }
}

/// A relay's answer, with its failure as a command's error.
func relayed<Value>(
    _ request: @autoclosure () async throws(RelayError) -> Value
) async throws(DexError) -> Value {
    do {
        return try await request()
    } catch {
        throw DexError(error)
    }
}
