import DexStore
package import Ethereum

/// A sent transaction that did not end as confirmed.
package enum OutcomeError: ErrorArea {
    package static let stillInFlight = row(
        .notMinedYet("still-in-flight"),
        "Something is in flight still.",
        hint: "Each line names the command that follows it. Or run dex resume again."
    )

    package static func minedBefore(hash: TransactionHash) -> DexError {
        row(
            .replacedOrDropped("mined-before"),
            "The transaction was mined before its nonce could be taken.",
            hint: "See what it did: dex status \(hash)"
        )
    }

    /// In no block; the command that asks for it cannot suggest itself.
    package static func lost(
        _ hash: TransactionHash,
        successor: TransactionHash?,
        isReplaced: Bool,
        remedy: String?
    ) -> DexError {
        row(
            .replacedOrDropped("replaced-or-dropped"),
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
    }

    package static let stepMissing = row(
        .fault("step-missing"),
        "The plan ended without the step that it was made for, and no step failed: this is a fault "
            + "of dex.",
        hint: "See what was signed and what is left of it: dex resume"
    )

    package static let cancelledLess = row(
        .filledLess("filled-less"),
        "The cancel was mined, but not every order could still be cancelled."
    )

    /// All that was found is cancelled, but these relays did not answer.
    package static func relaysUnread(_ relays: [String]) -> DexError {
        row(
            .filledLess("relays-unread"),
            "The cancel was mined, but \(relays.joined(separator: ", ")) did not answer: orders "
                + "that only \(relays.count == 1 ? "it has" : "they have") may still be open.",
            hint: "Run the command again once all relays answer."
        )
    }

    package static let movedLess = row(
        .filledLess("moved-less"),
        "The transaction was mined, but less than planned arrived."
    )

    package static let allowanceNotSet = row(
        .filledLess("not-set"),
        "The transaction was mined, but the allowance is not what was asked for."
    )

    package static let orderUnconfirmed = row(
        .unreachable("order-unconfirmed"),
        "The relay took the order, but does not give it back by its hash, so it "
            + "may stand there or not.",
        hint: "The same command again posts this order where it is missing, and no other.",
        retryable: true
    )

    package static func reverted(reason: String?) -> DexError {
        row(
            .reverted("reverted"),
            "The transaction was mined and reverted; only gas was spent."
                + (reason.map { " \($0)" } ?? "")
        )
    }

    package static func replacedOrDropped(_ hash: TransactionHash?) -> DexError {
        row(
            .replacedOrDropped("replaced-or-dropped"),
            "The transaction was replaced by another or dropped by the node.",
            hint: "See what happened: dex status \(hash?.hex ?? "HASH")"
        )
    }

    package static let filledLess = row(
        .filledLess("filled-less"),
        "The transaction was mined, but brought less than was confirmed."
    )

    package static func notMinedYet(_ hash: TransactionHash?) -> DexError {
        row(
            .notMinedYet("not-mined-yet"),
            "The transaction was sent and is not mined yet.",
            hint: "Follow it: dex status \(hash?.hex ?? "HASH") --wait"
        )
    }

    /// Signed, and no node took it.
    package static func declined(_ declined: DeclinedSend) -> DexError {
        row(
            .notMinedYet("not-mined-yet"),
            "No node took the transaction: \(PlainText.sentence(declined.words))",
            hint: "It may still be sent and mined. Mend it: \(declined.remedy)"
        )
    }

    /// It is signed, and held back by its user.
    package static func notSent(_ hash: TransactionHash) -> DexError {
        row(
            .notMinedYet("held-transaction"),
            "The transaction \(hash) is signed and not sent.",
            hint: "Send it with dex broadcast FILE. Its file again: dex tx export \(hash) "
                + "--out FILE"
        )
    }

    package static func notConfirmedYet(_ hash: TransactionHash?, block: UInt64) -> DexError {
        row(
            .notMinedYet("not-confirmed-yet"),
            "The transaction is in block \(block), but does not have the confirmations "
                + "that were asked for yet.",
            hint: "Follow it: dex status \(hash?.hex ?? "HASH") --wait"
        )
    }
}

extension OutcomeError {
    /// Why a command that sent something did not end as confirmed; nil if it did.
    ///
    /// - Parameter less: the error where less came of it than was confirmed.
    static func of(
        _ ending: Ending,
        _ subject: OutcomeSubject?,
        less: DexError = filledLess
    ) -> DexError? {
        switch ending {
        case .done: nil
        case .reverted: reverted(reason: subject?.reason)
        case .notMinedYet:
            subject?.block.map { notConfirmedYet(subject?.hash, block: $0) }
                ?? subject?.declined.map { declined($0) } ?? notMinedYet(subject?.hash)
        case .replacedOrDropped: replacedOrDropped(subject?.hash)
        case .less: less
        }
    }

    /// The outcome of a transaction in no block.
    static func lost(_ status: TransactionStatus) -> DexError {
        lost(
            status.hash,
            successor: status.successor ?? status.nonceTaker?.hash,
            isReplaced: status.stage == .replaced,
            remedy: status.remedy
        )
    }
}
