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

    static func stillPending(_ seen: LifeReader.Seen) -> DexError {
        let first = seen.transaction
        return DexError(
            .notMinedYet,
            code: "pending-transaction",
            message: "An earlier transaction (\(first.purpose), \(first.hash)) "
                + (seen.wasMined
                    ? "was mined, and a reorganization put it back into the pool; "
                    : "is not mined yet; ")
                + "nothing new was signed, so that nothing is done twice.",
            hint: "Wait for it with `dex status \(first.hash) --wait`, then run the command "
                + "again if it is still wanted. --despite-pending goes on at once.",
            retryable: true
        )
    }

    static func unseen(_ first: JournalTransaction) -> DexError {
        DexError(
            .refused,
            code: "unseen-\(first.purpose)",
            message: "An earlier \(first.noun) (\(first.hash)) was mined after its command had "
                + "ended, and it may be this very one; nothing new was signed.",
            hint: "See what it did with `dex status \(first.hash)`, then run the command again if "
                + "it is still wanted. --despite-pending goes on at once."
        )
    }
}
