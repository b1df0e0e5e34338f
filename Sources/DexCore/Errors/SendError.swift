package import Ethereum

/// A transaction that is not sent.
package enum SendError: ErrorArea {
    case contractsChanged
    case otherKey(plan: Address, signer: Address)
    /// A node knew it before it was sent for the first time: it is an earlier command's.
    ///
    /// - Parameter block: the one that it is in; nil in a pool.
    case known(TransactionHash, block: UInt64?)
    /// The chain takes no more of the account's transactions until earlier ones are mined.
    case tooManyWaiting(most: UInt64)
    /// A node counts more mined transactions than the nonce that was taken as the next one.
    case nonceUsed(UInt64, count: UInt64)
    /// The private endpoint did not say that it has it, and it was sent nowhere else.
    ///
    /// - Parameter reason: a sentence.
    case privateUnconfirmed(TransactionHash, endpoint: String, reason: String)
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
        case .tooManyWaiting(let most):
            ErrorReport(
                .refused,
                "too-many-waiting",
                "\(most) transactions of the account wait, and this chain takes no more until one of "
                    + "them is mined. Nothing was signed.",
                hint: "See them: dex tx list. Then run the command again.",
                retryable: true
            )
        case .nonceUsed(let nonce, let count):
            ErrorReport(
                .unreachable,
                "node-behind",
                "The node named \(nonce) as the account's next nonce, and one of the network's nodes "
                    + "counts \(count) mined transactions: that nonce is used. Nothing was sent.",
                hint: "Run the command again once the node has caught up, or name another one with "
                    + "--rpc.",
                retryable: true
            )
        case .privateUnconfirmed(let hash, let endpoint, let reason):
            ErrorReport(
                .unreachable,
                "private-unconfirmed",
                "The private mempool at \(endpoint) did not confirm that it has the transaction "
                    + "\(hash): \(PlainText.sentence(reason)) It was sent nowhere else. It is in the "
                    + "journal, and may be mined all the same.",
                hint:
                    "Send the same bytes there again: dex resume. Or take its nonce: dex tx cancel "
                    + "\(hash). Without private_rpc in config.toml they go to the public nodes."
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
