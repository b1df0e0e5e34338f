package import DexStore
import Ethereum
package import ZeroEx

/// An earlier transaction whose outcome was never reported, or that is in flight.
package enum InFlightError: ErrorArea {
    package static let concerns: ErrorConcerns = .inFlight

    /// It had not reached the chain, or was reorganized away, and its bytes were sent again.
    package static func resumed(_ first: JournalTransaction, wasMined: Bool) -> DexError {
        row(
            .notMinedYet("resumed"),
            "An earlier transaction (\(first.purpose), \(first.hash)) "
                + (wasMined
                    ? "was mined, and a reorganization took its block out of the chain again; "
                        + "it was sent again as it was, and nothing new was signed."
                    : "had not reached the chain, and was sent again as it was; nothing new "
                        + "was signed."),
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted.",
            retryable: true
        )
    }

    /// - Parameter gap: an unused nonce that it waits for.
    package static func pending(
        _ first: JournalTransaction,
        wasMined: Bool,
        gap: NonceGap?
    ) -> DexError {
        row(
            .notMinedYet("pending-transaction"),
            "An earlier transaction (\(first.purpose), \(first.hash)) "
                + (wasMined
                    ? "was mined, and a reorganization put it back into the pool; "
                    : "is not mined yet; ")
                + "nothing new was signed, so that nothing is done twice."
                + (gap.map { " " + $0.words } ?? ""),
            hint: gap == nil
                ? "Wait for it with `dex status \(first.hash) --wait`, or speed it up with "
                    + "`dex tx speedup \(first.hash)`; then run the command again if it is "
                    + "still wanted. --despite-pending goes on at once."
                : gap?.holder == nil
                    ? "--despite-pending goes on at once and takes that nonce; both are done "
                        + "then. Take the earlier one back with `dex tx cancel \(first.hash)`."
                    : "Send that one with `dex broadcast FILE`, or take its nonce with "
                        + "`dex tx cancel \(gap?.holder?.hex ?? "HASH")`.",
            retryable: gap == nil
        )
    }

    /// Its nonce is used, and no node shows yet whether by it.
    package static func undecided(_ first: JournalTransaction) -> DexError {
        row(
            .notMinedYet("pending-transaction"),
            "The nonce of an earlier transaction (\(first.purpose), \(first.hash)) is used, "
                + "and no node shows yet whether by it or by another one: it may be mined. "
                + "Nothing new was signed, so that nothing is done twice.",
            hint: "A node may lag behind: run the command again in a minute, or ask another "
                + "node with --rpc. What is known: `dex status \(first.hash)`. "
                + "--despite-pending goes on at once.",
            retryable: true
        )
    }

    /// It is signed and not sent, so what comes after it waits.
    package static func held(_ first: JournalTransaction) -> DexError {
        row(
            .notMinedYet("held-transaction"),
            "An earlier transaction (\(first.purpose), \(first.hash)) is signed and not sent: "
                + "it holds the nonce \(first.nonce), and nothing later can be mined before "
                + "it. Nothing new was signed.",
            hint: "Send it with `dex broadcast FILE`, or take its nonce with `dex tx cancel "
                + "\(first.hash)`. --despite-pending goes on at once, and waits behind it."
        )
    }

    /// A transaction that no node has: it may still be wanted, or be repeated by mistake.
    package static func lost(_ first: JournalTransaction) -> DexError {
        row(
            .notMinedYet("pending-transaction"),
            "An earlier transaction (\(first.purpose), \(first.hash)) is in the journal and not "
                + "known to the node; nothing new was signed, so that nothing is done twice.",
            hint: "Send it again as it is with `dex resume`, or take its nonce with "
                + "`dex tx cancel \(first.hash)`."
        )
    }

    /// Sent again, and no node took it; a node's words, in quotes.
    package static func declined(_ first: JournalTransaction, words: String) -> DexError {
        row(
            .notMinedYet("pending-transaction"),
            "An earlier transaction (\(first.purpose), \(first.hash)) was sent again, and no node "
                + "took it: \(PlainText.sentence(words)) Nothing new was signed, so that nothing "
                + "is done twice.",
            hint: "Pay more for it with `dex tx speedup \(first.hash)`, or take its nonce with "
                + "`dex tx cancel \(first.hash)`."
        )
    }

    package static func unacknowledged(_ first: JournalTransaction) -> DexError {
        row(
            .refused("unacknowledged-PURPOSE", first.purpose),
            "Your previous \(first.noun) (\(first.hash)) went through after you left. "
                + "Nothing new was signed.",
            hint: "Check it before repeating: `dex status \(first.hash)`. Then run the command "
                + "again if you still want it. --despite-pending goes on at once."
        )
    }

    /// - Parameter isFilled: it was filled; else the relay has it.
    package static func unacknowledgedOrder(_ hash: OrderHash, isFilled: Bool) -> DexError {
        row(
            .refused("unacknowledged-order"),
            "An earlier order with these terms (\(hash)), whose command did not learn whether "
                + "the relay took it, "
                + (isFilled ? "was filled meanwhile" : "stands on the relay")
                + "; nothing new was signed.",
            hint: "See it with `dex order \(hash)`. If one more is wanted, run the command again."
        )
    }
}
