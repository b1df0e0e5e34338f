import DexStore
package import Ethereum

/// A sent transaction that did not end as confirmed.
package enum OutcomeError: ErrorArea {
    case stillInFlight
    case minedBefore(hash: TransactionHash)
    /// In no block; the command that asks for it cannot suggest itself.
    case lost(
        TransactionHash,
        successor: TransactionHash?,
        isReplaced: Bool,
        remedy: String?
    )
    case cancelledLess
    case movedLess
    case allowanceNotSet
    case notPosted
    case orderUnconfirmed
    case reverted(reason: String?)
    case replacedOrDropped(String)
    case filledLess
    case failed(ExitCode)
    case notMinedYet(String)
    case notConfirmedYet(String, block: UInt64)

    package var report: ErrorReport {
        switch self {
        case .stillInFlight:
            ErrorReport(
                .notMinedYet,
                "still-in-flight",
                "Something is in flight still.",
                hint: "Each line names the command that follows it. Or run dex resume again."
            )
        case .minedBefore(let hash):
            ErrorReport(
                .replacedOrDropped,
                "mined-before",
                "The transaction was mined before its nonce could be taken.",
                hint: "See what it did: dex status \(hash)"
            )
        case .lost(let hash, let successor, let isReplaced, let remedy):
            ErrorReport(
                .replacedOrDropped,
                "replaced-or-dropped",
                successor.map {
                    "The transaction \(hash) will never be mined: \($0) was, with its nonce."
                }
                    ?? (isReplaced
                        ? "The transaction \(hash) will never be mined: another one was, "
                            + "with its nonce."
                        : "The node does not know the transaction \(hash). It may still be "
                            + "mined."),
                hint: successor.map { "See what that did: dex status \($0)" }
                    ?? remedy
            )
        case .cancelledLess:
            ErrorReport(
                .filledLess,
                "filled-less",
                "The cancel was mined, but not every order could still be cancelled."
            )
        case .movedLess:
            ErrorReport(
                .filledLess,
                "moved-less",
                "The transaction was mined, but less than planned arrived."
            )
        case .allowanceNotSet:
            ErrorReport(
                .filledLess,
                "not-set",
                "The transaction was mined, but the allowance is not what was asked "
                    + "for."
            )
        case .notPosted:
            ErrorReport(
                .relayRefused,
                "not-posted",
                "The order is signed, but the relay does not have it."
            )
        case .orderUnconfirmed:
            ErrorReport(
                .unreachable,
                "order-unconfirmed",
                "The relay took the order, but does not give it back by its hash, so it "
                    + "may stand there or not.",
                hint: "The same command again posts this order where it is missing, and no other.",
                retryable: true
            )
        case .reverted(let reason):
            ErrorReport(
                .reverted,
                "reverted",
                "The transaction was mined and reverted; only gas was spent."
                    + (reason.map { " \($0)" } ?? "")
            )
        case .replacedOrDropped(let hash):
            ErrorReport(
                .replacedOrDropped,
                "replaced-or-dropped",
                "The transaction was replaced by another or dropped by the node.",
                hint: "See what happened: dex status \(hash)"
            )
        case .filledLess:
            ErrorReport(
                .filledLess,
                "filled-less",
                "The transaction was mined, but brought less than was confirmed."
            )
        case .failed(let exit):
            ErrorReport(exit, "failed", "The command ended with code \(exit.rawValue).")
        case .notMinedYet(let hash):
            ErrorReport(
                .notMinedYet,
                "not-mined-yet",
                "The transaction was sent and is not mined yet.",
                hint: "Follow it: dex status \(hash) --wait"
            )
        case .notConfirmedYet(let hash, let block):
            ErrorReport(
                .notMinedYet,
                "not-confirmed-yet",
                "The transaction is in block \(block), but does not have the confirmations "
                    + "that were asked for yet.",
                hint: "Follow it: dex status \(hash) --wait"
            )
        }
    }
}

extension OutcomeError {
    /// The outcome of a transaction in no block.
    package static func lost(_ status: TransactionStatus) -> OutcomeError {
        .lost(
            status.hash,
            successor: status.successor,
            isReplaced: status.stage == .replaced,
            remedy: status.remedy
        )
    }
}

extension DexError {
    /// Why a command that sent something did not exit with 0; nil if it did.
    package init?(ending exit: ExitCode, _ subject: OutcomeSubject?) {
        let hash = subject?.hash.hex ?? "HASH"
        let error: OutcomeError
        switch exit {
        case .done: return nil
        case .relayRefused: error = .notPosted
        case .unreachable: error = .orderUnconfirmed
        case .reverted: error = .reverted(reason: subject?.reason)
        case .notMinedYet:
            error =
                subject?.block.map { .notConfirmedYet(hash, block: $0) } ?? .notMinedYet(hash)
        case .replacedOrDropped: error = .replacedOrDropped(hash)
        case .filledLess: error = .filledLess
        default: error = .failed(exit)
        }
        self.init(error)
    }
}
