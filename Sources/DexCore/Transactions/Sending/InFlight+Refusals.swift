import DexStore
import Ethereum

extension InFlight {
    static func resumed(_ seen: LifeReader.Seen) -> DexError {
        let first = seen.transaction
        return DexError(
            .notMinedYet,
            code: "resumed",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) "
                + (seen.wasMined
                    ? "was mined, and a reorganization took its block out of the chain again; it "
                        + "was sent again as it was, and nothing new was signed."
                    : "had not reached the chain, and was sent again as it was; nothing new was "
                        + "signed."),
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted.",
            retryable: true
        )
    }

    /// - Parameter gap: a free nonce that it waits for.
    static func stillPending(
        _ first: JournalTransaction,
        wasMined: Bool = false,
        gap: UInt64?
    ) -> DexError {
        DexError(
            .notMinedYet,
            code: "pending-transaction",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) "
                + (wasMined
                    ? "was mined, and a reorganization put it back into the pool; "
                    : "is not mined yet; ")
                + "nothing new was signed, so that nothing is done twice."
                + (gap.map { " " + NonceGaps.words($0) } ?? ""),
            hint: gap == nil
                ? "Wait for it with `dex status \(first.hash) --wait`, or speed it up with "
                    + "`dex tx speedup \(first.hash)`; then run the command again if it is still "
                    + "wanted. --despite-pending goes on at once."
                : "--despite-pending goes on at once and takes that nonce; both are done then. "
                    + "Take the earlier one back with `dex tx cancel \(first.hash)`.",
            retryable: gap == nil
        )
    }

    /// What no node has may still be wanted, or done once more by mistake.
    static func lost(_ first: JournalTransaction) -> DexError {
        DexError(
            .notMinedYet,
            code: "pending-transaction",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) is in the journal "
                + "and not known to the node; nothing new was signed, so that nothing is done "
                + "twice.",
            hint: "Send it again as it is with `dex resume`, or take its nonce with "
                + "`dex tx cancel \(first.hash)`."
        )
    }

    static func unacknowledged(_ first: JournalTransaction) -> DexError {
        DexError(
            .refused,
            code: "unacknowledged-\(first.purpose)",
            message: "Your previous \(first.noun) (\(first.hash)) went through after you left. "
                + "Nothing new was signed.",
            hint: "Check it before repeating: `dex status \(first.hash)`. Then run the command "
                + "again if you still want it. --despite-pending goes on at once."
        )
    }
}
