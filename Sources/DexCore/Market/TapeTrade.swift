package import Ethereum
package import Uniswap
package import ZeroEx

/// A trade of a pair on chain, from its taker's side.
package struct TapeTrade: Sendable {
    /// A pool's trade has the pool as its maker, and as its taker where the output went.
    package let fill: MarketFill
    /// What the taker did with BASE.
    package let side: TradeSide
    /// Base units of BASE that changed hands.
    package let base: UInt256
    /// Base units of QUOTE that changed hands, without fees on top; a pool's fee is in it.
    package let quote: UInt256
    package var source = TapeSource.book
    /// The pool's price after the trade, without its fee; nil for other sources.
    package var after: Price?
}

/// The place where a trade was made.
package enum TapeSource: Hashable, Sendable {
    /// The orders of the exchange.
    case book
    /// An own account's trade at a venue beside the book, of which no event is read.
    case swap
    case pool(PoolKind)

    /// Such as `book`, `swap`, `v2:0.3%` and `v3:0.05%`.
    package var name: String {
        switch self {
        case .book: "book"
        case .swap: "swap"
        case .pool(let kind): kind.name
        }
    }

    package var isPool: Bool {
        if case .pool = self { true } else { false }
    }
}

extension TapeTrade {
    /// nil for a fill of other tokens.
    package init?(_ fill: MarketFill, of pair: Pair) {
        self.init(fill, of: pair, source: fill.isSwap ? .swap : .book, after: nil)
    }

    /// nil for a pool of other tokens.
    init?(_ trade: TimedPoolTrade, in pool: PoolID, at contract: Address, of pair: Pair) {
        let (sold, bought) =
            trade.sellsToken0 ? (pool.token0, pool.token1) : (pool.token1, pool.token0)
        let fill = MarketFill(
            block: trade.block,
            logIndex: trade.logIndex,
            time: trade.time,
            transaction: trade.transaction,
            orderHash: OrderHash(trade.transaction.word),
            maker: contract,
            taker: trade.recipient,
            makerToken: bought,
            takerToken: sold,
            makerAmount: trade.bought,
            takerAmount: trade.sold
        )
        let after = trade.after?.ratio
            .flatMap(PoolOrientation(pool, base: pair.base.address).price)
        self.init(fill, of: pair, source: .pool(pool.kind), after: after)
    }

    private init?(_ fill: MarketFill, of pair: Pair, source: TapeSource, after: Price?) {
        let (base, quote) = (pair.base.address, pair.quote.address)
        let side: TradeSide
        switch (fill.makerToken, fill.takerToken) {
        case (base, quote): side = .buy
        case (quote, base): side = .sell
        default: return nil
        }
        self.fill = fill
        self.side = side
        self.base = side == .buy ? fill.makerAmount : fill.takerAmount
        self.quote = side == .buy ? fill.takerAmount : fill.makerAmount
        self.source = source
        self.after = after
    }

    /// nil where only one token changed hands: the rounding of an amount to zero is no price.
    package var price: Price? { quote == .zero ? nil : Price(quote: quote, base: base) }
}
