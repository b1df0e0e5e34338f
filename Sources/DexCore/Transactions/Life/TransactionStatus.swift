package import DexStore
package import Ethereum
package import ZeroEx

/// A transaction by its receipt.
package struct TransactionStatus: Sendable {
    package struct Fill: Sendable {
        package let event: FillEvent
        package let makerToken: Token
        package let takerToken: Token
        /// Of its fees; nil where it is not known.
        package var feeToken: Token?
    }

    /// One order that was cancelled, or that its maker tried to cancel when it was at its end.
    package struct Cancel: Hashable, Sendable {
        package let orderHash: OrderHash
        package let maker: Address

        package init(orderHash: OrderHash, maker: Address) {
            self.orderHash = orderHash
            self.maker = maker
        }
    }

    /// All orders of a maker that give one token for another and have a lower salt.
    package struct PairCancel: Hashable, Sendable {
        package let maker: Address
        package let makerToken: Token
        package let takerToken: Token
        package let minimumSalt: UInt256
    }

    package let hash: TransactionHash
    /// What a node shows: of what is in no block `pooled`, `dropped` or `replaced`.
    package let stage: TransactionStage
    package let from: Address?
    package let to: Address?
    package let block: UInt64?
    package let confirmations: UInt64
    package let gasUsed: UInt64?
    package let cost: Wei?
    package let fills: [Fill]
    package let cancels: [Cancel]
    package var pairCancels: [PairCancel] = []
    package let skipped: [(OrderHash, SkipReason)]
    package let exit: ExitCode
    /// What the chain's answer does not show by itself: why it is not mined, what it brought less
    /// than was expected; sentences.
    package var notes: [String] = []
    /// Why it reverted, as a sentence; nil where it did not, or nobody tells.
    package var revertReason: String?
    /// The transaction that was asked about, whose place this one was signed to take; nil where
    /// this is the one.
    package var replaces: TransactionHash?
    /// The transaction of ours that was mined in its place; nil where none was.
    package var successor: TransactionHash?
    /// The command that helps where it is in no block; nil where there is none.
    package var remedy: String?
}

extension TransactionStatus {
    /// Of one whose receipt the node does not show.
    init(
        _ hash: TransactionHash,
        without receipt: TransactionStage,
        from: Address?,
        to: Address? = nil,
        block: UInt64? = nil,
        confirmations: UInt64 = 0
    ) {
        self.init(
            hash: hash,
            stage: receipt,
            from: from,
            to: to,
            block: block,
            confirmations: confirmations,
            gasUsed: nil,
            cost: nil,
            fills: [],
            cancels: [],
            skipped: [],
            exit: receipt.exit
        )
    }
}
