package import ZeroEx

/// The pools of a pair as `dex orderbook` shows them.
package struct PoolBookState: Sendable {
    package let book: PoolBook
    /// How many nodes must agree on the prices.
    package let nodes: UInt64
    /// The maximum number of levels shown per side; nil is all.
    package let depth: Int?

    /// The highest price first.
    package let bids: [PoolBook.Level]
    /// The lowest price first.
    package let asks: [PoolBook.Level]
    package let bid: Price?
    package let ask: Price?

    package init(_ book: PoolBook, nodes: UInt64, depth: Int? = nil) {
        self.book = book
        self.nodes = nodes
        self.depth = depth
        let limit = max(0, depth ?? .max)
        bids = Array(book.bids.prefix(limit))
        asks = Array(book.asks.prefix(limit))
        bid = book.bid
        ask = book.ask
    }

    package var pair: Pair { book.pair }
    /// Halfway between the best prices; nil if one is missing.
    package var mid: Price? { PriceModel.mid(bid, ask) }

    /// The user would see the same book: the block does not count.
    func isSame(as other: PoolBookState) -> Bool {
        book.pools == other.book.pools
    }
}
