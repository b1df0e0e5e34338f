package import Ethereum
package import ZeroEx

/// What `dex orders` and `dex order` show.
package struct OrdersState: Sendable {
    /// Where an order stands, by the chain.
    package enum Standing: String, Sendable {
        case open
        case partlyFilled = "partly-filled"
        case filled
        case cancelled
        case expired
        case unfunded
    }

    package struct Row: Sendable {
        package let order: any SignedOrder
        /// The relay's wire form of the order.
        package let wire: String
        package let maker: TokenAmount
        package let taker: TokenAmount
        /// The pair as people quote it, and what the maker does with its base.
        package let pair: Pair
        package let side: TradeSide
        package let price: Price
        package let state: OrderState
        package let standing: Standing
        /// Base units of the taker token that can be filled now.
        package let fillable: UInt256
        package let flags: [OrderFlag]
        /// It is in the journal (we made it).
        package let isOwn: Bool
        /// The relay serves it.
        package let isOnRelay: Bool
    }

    package let block: UInt64
    /// Seconds since 1970 of that block.
    package let timestamp: UInt64
    package let rows: [Row]
    package let dropped: [OrderbookState.Dropped]
    /// What is not shown, and where to look instead; sentences.
    package var warnings: [String] = []
}
