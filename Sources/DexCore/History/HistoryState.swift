package import Ethereum
package import ZeroEx

/// What `dex history` shows: everything that was traded, and what came of it.
package struct HistoryState: Sendable {
    /// On which side of an order the account was.
    package enum Role: String, Sendable {
        case maker
        case taker
        /// It took its own order: nothing changed hands but fees to others.
        case own = "self"
    }

    package enum Kind: String, Sendable {
        case fill
        case cancel
    }

    /// One fill or cancel.
    package struct Row: Sendable {
        package let kind: Kind
        package let role: Role
        package let orderHash: OrderHash
        package let transaction: TransactionHash
        package let block: UInt64
        /// The position of the log in the block.
        package let logIndex: UInt64
        /// Seconds since 1970; nil if the node did not report it.
        package let time: UInt64?
        /// The pair in its usual direction.
        package let pair: Pair
        /// What the account did with BASE; of a cancel what its order would have done.
        package let side: TradeSide
        /// Base units of BASE that changed hands, or are no longer offered.
        package let base: UInt256
        /// Base units of QUOTE.
        package let quote: UInt256
        /// The fee that the account paid, in the fee token; zero of a cancel.
        package let fee: UInt256
        /// nil where it is not known, and of a cancel where the exchange has none for all orders.
        package let feeToken: Token?
        /// The row's equal share of the gas of its transaction.
        ///
        /// nil if another account sent it, or the node does not report the cost of gas.
        package let gas: Wei?
        /// The maker or taker on the other side; nil of a cancel.
        package let counterparty: Address?
        /// nil of a cancel, and where nothing changed hands.
        package let price: Price?
        /// The same with the fee where it is in one of the pair's tokens, and with the gas where
        /// QUOTE is wrapped ether.
        package let effectivePrice: Price?
        /// What a sale brought beyond its cost, before gas; nil of everything else.
        package let profit: ProfitBook.Profit?
    }

    /// What came of one pair.
    package struct Position: Sendable {
        package let pair: Pair
        package let fills: Int
        /// Base units of BASE that came in, and of QUOTE that went out for them, with fees.
        package let bought: UInt256
        package let cost: UInt256
        /// Base units of BASE that went out, and of QUOTE that came in for them, after fees.
        package let sold: UInt256
        package let proceeds: UInt256
        /// Base units of BASE that were bought and not sold, and their cost by both methods.
        package let held: UInt256
        package let heldAverageCost: UInt256
        package let heldFIFOCost: UInt256
        package let averageProfit: SignedAmount
        package let fifoProfit: SignedAmount
        /// Base units of BASE that were sold and not bought here.
        package let uncovered: UInt256
        /// What was paid of each token; the exchange's own is there even where it is nothing.
        package let fees: [TokenAmount]
        package let gas: Wei
        /// QUOTE is wrapped ether, so that gas can be taken off the profit.
        package let isInEther: Bool
    }

    package let account: Address
    /// Up to this block the logs were read; nil where the node could not be asked.
    package let block: UInt64?
    /// Seconds since 1970 from which on rows are shown; nil is all of them.
    package let since: UInt64?
    /// The oldest first.
    package let rows: [Row]
    /// By the pair's names.
    package let positions: [Position]
    /// Gas of the account's mined transactions that neither filled nor cancelled: approvals,
    /// transfers, and what failed.
    package let otherGas: Wei
    package let warnings: [String]
}

extension HistoryState.Position {
    /// A profit less the gas; nil where QUOTE is not wrapped ether.
    package func afterGas(_ profit: SignedAmount) -> SignedAmount? {
        isInEther ? profit - gas.rawValue : nil
    }
}
