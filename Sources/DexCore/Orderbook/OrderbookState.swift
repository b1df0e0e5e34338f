package import Ethereum
package import ZeroEx

/// What `dex orderbook` shows.
package struct OrderbookState: Sendable {
    /// One order of one side, amounts in base units of BASE and QUOTE.
    package struct Row: Sendable {
        package let orderHash: OrderHash
        package let maker: Address
        /// Quote per base, after the taker's fee where it is in one of the two tokens or has a rate.
        package let price: Price
        /// The whole order's amount of BASE.
        package let amount: UInt256
        /// What can be filled of it now, of BASE, shared maker balances netted.
        package let fillable: UInt256
        /// The fee for the fillable part that the taker pays, in the fee token.
        package let takerFee: UInt256
        /// Seconds since 1970.
        package let expires: UInt256
        package let flags: [OrderFlag]
    }

    /// An order that the relay sent and that is not in the book.
    package struct Dropped: Hashable, Sendable {
        /// nil where the order could not be read at all.
        package let orderHash: OrderHash?
        /// A stable word: `bad-signature`, `expired`, `malformed`.
        package let code: String
        package let reason: String
        /// How many it stands for: 1, or those beyond the examples that cannot be read.
        package var count = 1
    }

    package let pair: Pair
    /// The block at which balances and fills were read; nil for `--raw`.
    package let block: UInt64?
    /// Seconds since 1970 of that block, or now for `--raw`.
    package let timestamp: UInt64
    /// Best (highest) first.
    package let bids: [Row]
    /// Best (lowest) first.
    package let asks: [Row]
    /// Orders that the relay sent.
    package let received: Int
    /// Orders whose hash and signature hold.
    package let verified: Int
    package let dropped: [Dropped]
    /// `--raw`: as the relay sent it, nothing checked.
    package let isRaw: Bool
    /// The rows shown are at most so many a side.
    package let depth: Int?
    /// Rows of each side before `depth` cut them.
    package let bidCount: Int
    package let askCount: Int
    /// The best prices of orders that can be taken; rows that are only shown do not count.
    package let bid: Price?
    package let ask: Price?
    /// Halfway between them; nil unless there are both.
    package let mid: Price?
    /// What the rows' taker fees are in; nil where none has one.
    package var feeToken: Token?
    /// What that is worth in QUOTE; nil where it is one of the pair, or no book tells.
    package var feeRate: FeeRate?
}

extension OrderbookState {
    /// Where to look where the relay has nothing; sentences.
    package var warnings: [String] {
        received == 0 ? [pair.absence] : []
    }
}
