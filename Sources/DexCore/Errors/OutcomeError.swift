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
    /// All that was found is cancelled, but these relays did not answer.
    case relaysUnread([String])
    case movedLess
    case allowanceNotSet
    case orderUnconfirmed
    case reverted(reason: String?)
    case replacedOrDropped(TransactionHash?)
    case filledLess
    case notMinedYet(TransactionHash?)
    /// Signed, and no node took it.
    case declined(DeclinedSend)
    /// It is signed, and held back by its user.
    case notSent(TransactionHash)
    case notConfirmedYet(TransactionHash?, block: UInt64)

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
        case .relaysUnread(let relays):
            ErrorReport(
                .filledLess,
                "relays-unread",
                "The cancel was mined, but \(relays.joined(separator: ", ")) did not answer: orders "
                    + "that only \(relays.count == 1 ? "it has" : "they have") may still be open.",
                hint: "Run the command again once all relays answer."
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
                hint: "See what happened: dex status \(hash?.hex ?? "HASH")"
            )
        case .filledLess:
            ErrorReport(
                .filledLess,
                "filled-less",
                "The transaction was mined, but brought less than was confirmed."
            )
        case .notMinedYet(let hash):
            ErrorReport(
                .notMinedYet,
                "not-mined-yet",
                "The transaction was sent and is not mined yet.",
                hint: "Follow it: dex status \(hash?.hex ?? "HASH") --wait"
            )
        case .declined(let declined):
            ErrorReport(
                .notMinedYet,
                "not-mined-yet",
                "No node took the transaction: \(PlainText.sentence(declined.words))",
                hint: "It may still be sent and mined. Mend it: \(declined.remedy)"
            )
        case .notSent(let hash):
            ErrorReport(
                .notMinedYet,
                "held-transaction",
                "The transaction \(hash) is signed and not sent.",
                hint: "Send it with dex broadcast FILE. Its file again: dex tx export \(hash) "
                    + "--out FILE"
            )
        case .notConfirmedYet(let hash, let block):
            ErrorReport(
                .notMinedYet,
                "not-confirmed-yet",
                "The transaction is in block \(block), but does not have the confirmations "
                    + "that were asked for yet.",
                hint: "Follow it: dex status \(hash?.hex ?? "HASH") --wait"
            )
        }
    }
}

extension OutcomeError {
    /// Why a command that sent something did not end as confirmed; nil if it did.
    ///
    /// - Parameter less: the error where less came of it than was confirmed.
    init?(_ ending: Ending, _ subject: OutcomeSubject?, less: OutcomeError = .filledLess) {
        switch ending {
        case .done: return nil
        case .reverted: self = .reverted(reason: subject?.reason)
        case .notMinedYet:
            self =
                subject?.block.map { .notConfirmedYet(subject?.hash, block: $0) }
                ?? subject?.declined.map { .declined($0) } ?? .notMinedYet(subject?.hash)
        case .replacedOrDropped: self = .replacedOrDropped(subject?.hash)
        case .less: self = less
        }
    }

    /// The outcome of a transaction in no block.
    init(lost status: TransactionStatus) {
        self = .lost(
            status.hash,
            successor: status.successor ?? status.nonceTaker?.hash,
            isReplaced: status.stage == .replaced,
            remedy: status.remedy
        )
    }
}
