package import DexStore
package import Ethereum
package import ZeroEx

/// The report of a transaction, from its receipt.
package struct TransactionStatus: Sendable {
    package struct Fill: Sendable {
        package let event: FillEvent
        package let makerToken: Token
        package let takerToken: Token
        /// The token of its fees; nil if unknown.
        package var feeToken: Token?
    }

    /// One order that was cancelled, or whose cancel came after it had ended.
    package struct Cancel: Hashable, Sendable {
        package let orderHash: OrderHash
        package let maker: Address
    }

    /// All orders of a maker that give one token for another and have a lower salt.
    package struct PairCancel: Hashable, Sendable {
        package let maker: Address
        package let makerToken: Token
        package let takerToken: Token
        package let minimumSalt: UInt256
    }

    package let hash: TransactionHash
    /// The coin of its value and its cost.
    package let coin: CoinSymbol
    /// The observed stage; for a transaction in no block `pooled`, `dropped` or `replaced`.
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
    package let ending: Ending
    /// Sentences with more than the chain's answer: why it is not mined, or how it brought less
    /// than expected.
    package var notes: [String] = []
    /// Why it reverted, as a sentence; nil if it did not, or the reason is unknown.
    package var revertReason: String?
    /// The requested transaction, which this one was signed to replace; nil if this is the
    /// requested one.
    package var replaces: TransactionHash?
    /// Our transaction that was signed to take the requested one's place: the one that was mined,
    /// else the one that waits; nil if there is none.
    package var successor: TransactionHash?
    /// The transaction that used its nonce, if it was not signed to replace it; nil if that is not
    /// known.
    package var nonceTaker: NonceTaker?
    /// The command that helps if it is in no block; nil if there is none.
    package var remedy: String?
    package var details = TransactionDetails()
}

extension TransactionStatus: EndedWork {
    package var error: DexError? {
        let subject = OutcomeSubject(hash: hash, block: block, reason: revertReason)
        if stage == .held { return OutcomeError.notSent(hash) }
        return ending == .replacedOrDropped
            ? OutcomeError.lost(self) : OutcomeError.of(ending, subject)
    }
}

extension TransactionStatus {
    /// A transaction without a receipt at the node.
    init(
        _ hash: TransactionHash,
        coin: CoinSymbol,
        without receipt: TransactionStage,
        from: Address?,
        to: Address? = nil,
        block: UInt64? = nil,
        confirmations: UInt64 = 0
    ) {
        self.init(
            hash: hash,
            coin: coin,
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
            ending: receipt.ending
        )
    }
}
