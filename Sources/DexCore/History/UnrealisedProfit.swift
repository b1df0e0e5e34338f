package import Ethereum
package import ZeroEx

/// What a position would bring beyond its cost, if it were sold at the middle of the book.
///
/// An estimate: no book has room for every amount at that price, and gas and fees are not in it.
package struct UnrealisedProfit: Sendable {
    /// The same in the units of a coin with a fixed value.
    package struct InDollars: Sendable {
        package let token: Token
        package let value: UInt256
        package let average: SignedAmount
        package let fifo: SignedAmount
    }

    /// Halfway between the best prices of the pair's book.
    package let mid: Price
    /// Base units of QUOTE for all that is held, rounded down.
    package let value: UInt256
    /// The value above the cost by each method; below zero it is a loss.
    package let average: SignedAmount
    package let fifo: SignedAmount
    /// nil if QUOTE is such a coin itself, or no book has its price.
    package var dollars: InDollars?

    /// Example: 10 ZRX that cost 1 WETH are worth 1.2 WETH at 0.12: 0.2 WETH unrealised.
    ///
    /// nil beyond 256 bits.
    package init?(
        held: UInt256,
        averageCost: UInt256,
        fifoCost: UInt256,
        mid: Price
    ) {
        guard let value = UInt256.mulDiv(held, mid.quote, mid.base)?.quotient else { return nil }
        self.mid = mid
        self.value = value
        average = SignedAmount(value, minus: averageCost)
        fifo = SignedAmount(value, minus: fifoCost)
    }

    /// - Parameter price: of QUOTE in the coin.
    mutating func convert(to token: Token, at price: Price) {
        guard let value = UInt256.mulDiv(value, price.quote, price.base)?.quotient,
            let average = average.value(at: price), let fifo = fifo.value(at: price)
        else { return }
        dollars = InDollars(token: token, value: value, average: average, fifo: fifo)
    }
}
