package import Ethereum

/// A transaction that is not sent.
package enum SendError: ErrorArea {
    case contractsChanged
    case otherKey(plan: Address, signer: Address)
    /// A node knew it before it was sent for the first time: it is an earlier command's.
    ///
    /// - Parameter block: the one that it is in; nil in a pool.
    case known(TransactionHash, block: UInt64?)
    case refused(TransactionHash, words: String, nonce: UInt64, isReplacement: Bool)

    package var report: ErrorReport {
        switch self {
        case .contractsChanged:
            ErrorReport(
                .refused,
                "contracts-changed",
                "The exchange names other contracts than when the plan was made; nothing more "
                    + "was sent."
            )
        case .otherKey(let plan, let signer):
            ErrorReport(
                .wallet,
                "wrong-account",
                "The plan is for \(plan.checksummed) and the key is of "
                    + "\(signer.checksummed)."
            )
        case .known(let hash, let block):
            ErrorReport(
                .unreachable,
                "known-transaction",
                "What was signed is an earlier transaction, with the same bytes: \(hash) "
                    + (block.map { "is in block \($0)" } ?? "waits in a pool")
                    + " and was there before this command sent it. The node counts too few of the "
                    + "account's transactions. Nothing new was sent.",
                hint: "See what that one did: dex status \(hash). Then run the command again once "
                    + "the node has caught up, or name another one with --rpc."
            )
        case .refused(let hash, let words, let nonce, let isReplacement):
            ErrorReport(
                .unreachable,
                "send-refused",
                "The node refused the transaction \(hash): \(PlainText.sentence(words))",
                hint: !isReplacement
                    ? "Nothing is in flight. The next transaction of the account takes its nonce "
                        + "\(nonce), so that only one of the two can be mined."
                    : "What it was to replace is in flight still, as it was."
            )
        }
    }
}
