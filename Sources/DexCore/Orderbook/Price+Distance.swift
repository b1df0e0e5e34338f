package import ZeroEx

extension Price {
    /// The distance from the best price, in hundredths of a percent of it, rounded up.
    ///
    /// `UInt64.max` if it exceeds that, or for a best price of zero.
    package func basisPoints(from best: Price) -> UInt64 {
        let ours = BigUInt(quote) * BigUInt(best.base)
        let theirs = BigUInt(best.quote) * BigUInt(base)
        return (BigUInt.distance(ours, theirs) * BigUInt(10_000 as UInt64))
            .dividedRoundingUp(by: theirs)
    }

    /// Exactly halfway between two prices; nil if the fraction exceeds 256 bits, which never
    /// happens for amounts below 2^127.
    package func midpoint(with other: Price) -> Price? {
        let sum =
            BigUInt(quote) * BigUInt(other.base) + BigUInt(other.quote) * BigUInt(base)
        let divisor = BigUInt(base) * BigUInt(other.base) * BigUInt(2 as UInt64)
        guard let quote = sum.uint256, let base = divisor.uint256 else { return nil }
        return Price(quote: quote, base: base)
    }
}
