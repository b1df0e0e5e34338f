import Ethereum
package import ZeroEx

/// The distance of bid and ask, by one formula on every screen.
package enum BookSpread {
    /// `(ask - bid) / mid` in hundredths of a percent, rounded down; nil if they have crossed.
    ///
    /// Example: 200 for a bid of 0.99 and an ask of 1.01.
    package static func basisPoints(bid: Price, ask: Price) -> UInt64? {
        let high = BigUInt(ask.quote) * BigUInt(bid.base)
        let low = BigUInt(bid.quote) * BigUInt(ask.base)
        guard !(high < low) else { return nil }
        let width = BigUInt.distance(high, low) * BigUInt(20_000 as UInt64)
        let sum = high + low
        let ceiling = width.dividedRoundingUp(by: sum)
        return BigUInt(ceiling) * sum == width ? ceiling : ceiling - 1
    }
}
