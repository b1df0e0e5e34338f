import Ethereum
import ZeroEx

/// Finds a typed price that is BASE per QUOTE instead of QUOTE per BASE.
enum UpsideDownPrice {
    /// A question with the price turned over; nil unless the price is more than ten times away from
    /// the reference, and turned over at most two times.
    ///
    /// Example: 1333 for a pair that trades at 0.00075 gives
    /// `Is the price upside down? It is WETH per ZRX: 1/1333 is 0.00075018755.`
    static func question(_ price: Price, near reference: Price?, pair: Pair) -> String? {
        guard let reference, let baseDecimals = pair.base.decimals,
            let quoteDecimals = pair.quote.decimals,
            let baseUnit = PriceBounds.powerOfTen(UInt(baseDecimals)).map(BigUInt.init),
            let quoteUnit = PriceBounds.powerOfTen(UInt(quoteDecimals)).map(BigUInt.init)
        else { return nil }
        let typed = (quote: BigUInt(price.quote), base: BigUInt(price.base))
        let book = (quote: BigUInt(reference.quote), base: BigUInt(reference.base))
        guard !isWithin(10, typed, book) else { return nil }
        // A human price is the fraction of base units times 10^base / 10^quote.
        let turned = (
            quote: typed.base * quoteUnit * quoteUnit, base: typed.quote * baseUnit * baseUnit
        )
        guard isWithin(2, turned, book),
            let shown = RelativePricing(side: .sell, pair: pair, amount: .zero).rounded(turned),
            let right = shown.text(of: pair), let wrong = price.text(of: pair)
        else { return nil }
        return "Is the price upside down? It is \(PlainText.name(pair.quote.symbol)) per "
            + "\(PlainText.name(pair.base.symbol)): 1/\(wrong) is \(right)."
    }

    /// Neither price is more than so many times the other one.
    private static func isWithin(
        _ times: UInt64,
        _ first: RelativePricing.Fraction,
        _ second: RelativePricing.Fraction
    ) -> Bool {
        let (a, b) = (first.quote * second.base, second.quote * first.base)
        return !(b * BigUInt(times) < a) && !(a * BigUInt(times) < b)
    }
}
