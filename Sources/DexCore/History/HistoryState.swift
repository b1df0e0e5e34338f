package import Ethereum
package import ZeroEx

/// The result of `dex history`: all trades, and what they earned.
package struct HistoryState: Sendable {
    /// The account's side of an order.
    package enum Role: String, CaseIterable, Sendable {
        case maker
        case taker
        /// It took its own order: only fees to others changed hands.
        case own = "self"
    }

    package enum Kind: String, CaseIterable, Sendable {
        case fill
        case cancel
    }

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
        /// The account's side in BASE; for a cancel, that of its order.
        package let side: TradeSide
        /// Base units of BASE that changed hands, or are no longer offered.
        package let base: UInt256
        /// Base units of QUOTE.
        package let quote: UInt256
        /// The fee that the account paid, in the fee token; zero of a cancel.
        package let fee: UInt256
        /// nil if unknown, and for a cancel if the exchange has no single fee token.
        package let feeToken: Token?
        /// The row's equal share of the gas of its transaction.
        ///
        /// nil if another account sent it, or the node does not report the cost of gas.
        package let gas: Wei?
        /// The maker or taker on the other side; nil for a cancel.
        package let counterparty: Address?
        /// nil for a cancel, and if nothing changed hands.
        package let price: Price?
        /// The price with a fee in one of the pair's tokens, and with gas if QUOTE is wrapped
        /// ether.
        package let effectivePrice: Price?
        /// The proceeds of a sale above its cost, before gas; nil for everything else.
        package let profit: ProfitBook.Profit?
        /// The user's own word for it; nil without one.
        package var tag: String?
        /// What arrived in it is what the exchange says: the account's balances do not show it.
        package var isUnproven = false
    }

    /// The result of one pair.
    package struct Position: Sendable {
        package let pair: Pair
        package let fills: Int
        /// Fills of them whose arrival is only what the exchange says.
        package var unproven = 0
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
        /// Fees by token; the exchange's own is included even if zero.
        package let fees: [TokenAmount]
        /// What the account paid; nil if that is not known of a transaction.
        package let gas: Wei?
        /// QUOTE is wrapped ether, so gas can be subtracted from the profit.
        package let isInEther: Bool
        /// What is held at the present price; nil if nothing is, or no book has a price.
        package var unrealised: UnrealisedProfit?
    }

    package let account: Address
    /// The coin of all gas.
    package let coin: CoinSymbol
    /// The last block whose logs were read; nil if the node did not answer.
    package let block: UInt64?
    /// The earliest time of shown rows, in seconds since 1970; nil shows all.
    package let since: UInt64?
    /// Oldest first.
    package var rows: [Row]
    /// By the pair's names.
    package var positions: [Position]
    /// Gas of the account's other mined transactions: approvals, transfers and failed ones; nil if
    /// that of one is not known.
    package let otherGas: Wei?
    package var warnings: [String]
}

extension HistoryState.Row {
    /// The cost of some of a sale is known, so that it has a profit.
    package var hasCost: Bool { profit.map { $0.uncovered < base } ?? false }
}

extension HistoryState.Position {
    /// The cost of some of what was sold is known; true if nothing was.
    package var hasCost: Bool { sold == .zero || uncovered < sold }

    /// A profit less the gas; nil if QUOTE is not wrapped ether, or the gas is not known.
    package func afterGas(_ profit: SignedAmount) -> SignedAmount? {
        gas.flatMap { isInEther ? profit - $0.rawValue : nil }
    }
}
