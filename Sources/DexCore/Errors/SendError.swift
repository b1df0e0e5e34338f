package import Ethereum

/// A transaction that is not sent.
package enum SendError: ErrorArea {
    package static let contractsChanged = row(
        .refused("contracts-changed"),
        "The exchange names other contracts than when the plan was made; nothing more was sent."
    )

    package static func otherKey(plan: Address, signer: Address) -> DexError {
        row(
            .wallet("wrong-account"),
            "The plan is for \(plan.checksummed) and the key is of \(signer.checksummed)."
        )
    }

    /// A node knew it before it was sent for the first time: it is an earlier command's.
    ///
    /// - Parameter block: the one that it is in; nil in a pool.
    package static func known(_ hash: TransactionHash, block: UInt64?) -> DexError {
        row(
            .unreachable("known-transaction"),
            "What was signed is an earlier transaction, with the same bytes: \(hash) "
                + (block.map { "is in block \($0)" } ?? "waits in a pool")
                + " and was there before this command sent it. The node counts too few of the "
                + "account's transactions. Nothing new was sent.",
            hint: "See what that one did: dex status \(hash). Then run the command again once "
                + "the node has caught up, or name another one with --rpc."
        )
    }

    /// The chain takes no more of the account's transactions until earlier ones are mined.
    package static func tooManyWaiting(maximum: UInt64) -> DexError {
        row(
            .refused("too-many-waiting"),
            "\(maximum) transactions of the account wait, and this chain takes no more until one of "
                + "them is mined. Nothing was signed.",
            hint: "See them: dex tx list. Then run the command again.",
            retryable: true
        )
    }

    /// A node counts more mined transactions than the nonce that was taken as the next one.
    package static func nonceUsed(_ nonce: UInt64, count: UInt64) -> DexError {
        row(
            .unreachable("node-behind"),
            "The node named \(nonce) as the account's next nonce, and one of the network's nodes "
                + "counts \(count) mined transactions: that nonce is used. Nothing was sent.",
            hint: "Run the command again once the node has caught up, or name another one with "
                + "--rpc.",
            retryable: true
        )
    }

    /// The private endpoint did not say that it has it, and it was sent nowhere else.
    ///
    /// - Parameter reason: a sentence.
    package static func privateUnconfirmed(
        _ hash: TransactionHash,
        endpoint: String,
        reason: String
    ) -> DexError {
        row(
            .unreachable("private-unconfirmed"),
            "The private mempool at \(endpoint) did not confirm that it has the transaction "
                + "\(hash): \(PlainText.sentence(reason)) It was sent nowhere else. It is in the "
                + "journal, and may be mined all the same.",
            hint:
                "Send the same bytes there again: dex resume. Or take its nonce: dex tx cancel "
                + "\(hash). Without private_rpc in config.toml they go to the public nodes."
        )
    }

    package static func refused(
        _ hash: TransactionHash,
        words: String,
        nonce: UInt64,
        isReplacement: Bool
    ) -> DexError {
        row(
            .unreachable("send-refused"),
            "The node refused the transaction \(hash): \(PlainText.sentence(words))",
            hint: !isReplacement
                ? "Nothing is in flight. The next transaction of the account takes its nonce "
                    + "\(nonce), so that only one of the two can be mined."
                : "What it was to replace is in flight still, as it was."
        )
    }
}
