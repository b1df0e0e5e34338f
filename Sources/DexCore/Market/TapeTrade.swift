package import DexStore
package import Ethereum
package import ZeroEx

/// A fill as a trade of a pair, from its taker's side.
package struct TapeTrade: Sendable {
    package let fill: MarketFill
    /// What the taker did with BASE.
    package let side: TradeSide
    /// Base units of BASE that changed hands.
    package let base: UInt256
    /// Base units of QUOTE that changed hands, without fees.
    package let quote: UInt256
}

extension TapeTrade {
    /// nil for a fill of other tokens.
    package init?(_ fill: MarketFill, of pair: Pair) {
        switch (fill.makerToken, fill.takerToken) {
        case (pair.base.address, pair.quote.address):
            self.init(fill: fill, side: .buy, base: fill.makerAmount, quote: fill.takerAmount)
        case (pair.quote.address, pair.base.address):
            self.init(fill: fill, side: .sell, base: fill.takerAmount, quote: fill.makerAmount)
        default: return nil
        }
    }

    /// nil where only one token changed hands: the rounding of an amount to zero is no price.
    package var price: Price? { quote == .zero ? nil : Price(quote: quote, base: base) }
}
