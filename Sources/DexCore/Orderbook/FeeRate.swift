package import Ethereum
package import ZeroEx

/// The value in QUOTE of a fee token outside the pair.
///
/// It comes from the relay's verified book of both, else from the book of the fee token and BASE
/// and the pair's own. A false book must not make a fee look free, nor an honest one look
/// expensive: the rate is the higher of ask and bid at the depth of the fees. There is none unless
/// both sides have that depth with at most a factor of two between them.
package struct FeeRate: Sendable {
    package let token: Address
    /// QUOTE per fee token, base units.
    package let price: Price

    /// The rate of a book FEE/QUOTE, or FEE/BASE.
    ///
    /// - Parameter depth: base units of the fee token that are bought, and sold, by the last order
    ///   that counts.
    init?(token: Address, asks: [BookEntry], bids: [BookEntry], depth: UInt256) {
        guard let ask = Self.price(at: depth, of: BookDepth(asks, side: .buy)),
            let bid = Self.price(at: depth, of: BookDepth(bids, side: .sell)),
            PriceBounds.isWithin(ask, of: bid, slippage: Self.widest, side: .buy)
        else { return nil }
        self.token = token
        price = max(ask, bid)
    }

    /// The rate through BASE.
    ///
    /// - Parameters:
    ///   - rate: the fee token's rate in BASE.
    ///   - asks: the pair's own, without fees in a third token; empty if they were not read.
    ///   - bids: the same.
    ///   - depth: base units of the fee token.
    init?(by rate: FeeRate, asks: [BookEntry], bids: [BookEntry], depth: UInt256) {
        guard let depth = rate.value(of: depth) else { return nil }
        let ask = Self.price(at: depth, of: BookDepth(asks, side: .buy))
        let bid = Self.price(at: depth, of: BookDepth(bids, side: .sell))
        if let ask, let bid,
            !PriceBounds.isWithin(ask, of: bid, slippage: Self.widest, side: .buy)
        {
            return nil
        }
        guard let pair = [ask, bid].compactMap({ $0 }).max() else { return nil }
        let quote = rate.price.quote.multipliedReportingOverflow(by: pair.quote)
        let base = rate.price.base.multipliedReportingOverflow(by: pair.base)
        guard !quote.overflow, !base.overflow,
            let price = Price(quote: quote.partialValue, base: base.partialValue)
        else { return nil }
        token = rate.token
        self.price = price
    }

    /// The maximum distance of the ask above the bid, in hundredths of a percent: 100 %.
    private static let widest: UInt64 = 10_000

    private static func price(at depth: UInt256, of book: BookDepth) -> Price? {
        var sum = UInt256.zero
        return book.levels.first { level in
            sum = sum.addingSaturating(level.base)
            return sum >= depth
        }?.price
    }

    /// Base units of QUOTE for base units of the fee token, rounded up; nil above 256 bits.
    package func value(of fee: UInt256) -> UInt256? {
        guard let (quotient, remainder) = UInt256.mulDiv(fee, price.quote, price.base) else {
            return nil
        }
        return remainder == .zero ? quotient : quotient.addingSaturating(1)
    }
}
