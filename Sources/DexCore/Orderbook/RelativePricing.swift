import Ethereum
import ZeroEx

/// Takes the price of an order from a book: exact fractions, rounded once, never to a worse price.
///
/// Example: bid 0.00074 and ask 0.00076 make `mid-0.1%` 0.00074925.
struct RelativePricing {
    let side: TradeSide
    let pair: Pair
    /// Base units of BASE of the order.
    let amount: UInt256

    /// Significant digits of the result, which screens show in full.
    static let resultDigits = 8
    /// A tick is a unit of this significant digit.
    static let tickDigits = 7
    /// Bid and ask that are further apart have no middle, in hundredths of a percent: 20 %.
    static let widestSpread: UInt64 = 2_000

    /// The price of an order to buy is rounded down, to sell up, to eight significant digits.
    ///
    /// - Parameters:
    ///   - bids: the orders that buy base; `asks`: those that sell it.
    /// - Throws: `DexError`, exit 6, `no-reference-price`: the needed side is empty or offers less
    ///   than the amount, the book is crossed, bid and ask are too far apart, or the result is not
    ///   above zero.
    func price(
        _ reference: PriceExpression.Reference,
        _ offset: PriceExpression.Offset,
        bids: BookDepth,
        asks: BookDepth
    ) throws(DexError) -> Price {
        let start = try self.reference(reference, bids: bids, asks: asks)
        guard let moved = moved(start, by: offset), let price = rounded(moved) else {
            throw refusal(.outOfRange)
        }
        return price
    }

    // MARK: The reference

    typealias Fraction = (quote: BigUInt, base: BigUInt)

    private func reference(
        _ reference: PriceExpression.Reference,
        bids: BookDepth,
        asks: BookDepth
    ) throws(DexError) -> Fraction {
        let bid = try best(bids, isNeeded: reference != .ask)
        let ask = try best(asks, isNeeded: reference != .bid)
        if let bid, let ask, bid >= ask {
            let text = { (price: Price) in price.text(of: pair) ?? "?" }
            throw refusal(.crossed(bid: text(bid), ask: text(ask)))
        }
        switch (reference, bid, ask) {
        case (.bid, let bid?, _): return (BigUInt(bid.quote), BigUInt(bid.base))
        case (.ask, _, let ask?): return (BigUInt(ask.quote), BigUInt(ask.base))
        case (.mid, let bid?, let ask?):
            let spread = BookSpread.basisPoints(bid: bid, ask: ask) ?? 0
            guard spread <= Self.widestSpread else { throw refusal(.wide(spread: spread)) }
            return (
                BigUInt(bid.quote) * BigUInt(ask.base) + BigUInt(ask.quote) * BigUInt(bid.base),
                BigUInt(bid.base) * BigUInt(ask.base) * BigUInt(2 as UInt64)
            )
        default: throw refusal(.oneSided(reference == .ask ? .buy : .sell))
        }
    }

    /// The best price of a side; nil for an empty side that is not needed.
    private func best(_ depth: BookDepth, isNeeded: Bool) throws(DexError) -> Price? {
        guard let best = depth.best else {
            if isNeeded { throw refusal(.oneSided(depth.side)) }
            return nil
        }
        if isNeeded, depth.base < amount { throw refusal(.thin(depth.side, found: depth.base)) }
        return best
    }

    private func refusal(_ reason: LimitError.NoReference) -> DexError {
        LimitError.noReference(reason, amount: amount, pair: pair)
    }

    // MARK: Arithmetic

    /// The reference with its offset, exactly; nil if it is not above zero.
    private func moved(
        _ start: Fraction,
        by offset: PriceExpression.Offset
    ) -> Fraction? {
        switch offset.size {
        case .percent(let points):
            guard offset.isPlus || points < 10_000 else { return nil }
            let share = offset.isPlus ? 10_000 + points : 10_000 - points
            return (
                start.quote * BigUInt(share), start.base * BigUInt(10_000 as UInt64)
            )
        case .ticks(let ticks):
            let (scaled, places) = Self.scaled(start, digits: Self.tickDigits)
            let step = scaled.base * BigUInt(ticks)
            guard offset.isPlus || step < scaled.quote else { return nil }
            let moved = offset.isPlus ? scaled.quote + step : .distance(scaled.quote, step)
            return Self.shifted((moved, scaled.base), by: -places)
        }
    }

    /// To eight significant digits: down for a buyer, up for a seller; nil beyond 256 bits.
    func rounded(_ exact: Fraction) -> Price? {
        let (scaled, places) = Self.scaled(exact, digits: Self.resultDigits)
        let ceiling = scaled.quote.dividedRoundingUp(by: scaled.base)
        let isExact = BigUInt(ceiling) * scaled.base == scaled.quote
        let digits = UInt256(side == .buy && !isExact ? ceiling - 1 : ceiling)
        guard digits > .zero, let scale = PriceBounds.powerOfTen(places.magnitude) else {
            return nil
        }
        guard places < 0 else { return Price(quote: digits, base: scale) }
        let (quote, overflow) = digits.multipliedReportingOverflow(by: scale)
        return overflow ? nil : Price(quote: quote, base: 1)
    }

    /// A fraction times a power of ten, so that it has so many digits before the point.
    private static func scaled(
        _ fraction: Fraction,
        digits: Int
    ) -> (fraction: Fraction, places: Int) {
        let ten = BigUInt(10 as UInt64)
        let minimum = power(digits - 1)
        var scaled = fraction
        var places = 0
        while scaled.quote < scaled.base * minimum {
            scaled.quote = scaled.quote * ten
            places += 1
        }
        while !(scaled.quote < scaled.base * minimum * ten) {
            scaled.base = scaled.base * ten
            places -= 1
        }
        return (scaled, places)
    }

    private static func shifted(_ fraction: Fraction, by places: Int) -> Fraction {
        let scale = power(Int(places.magnitude))
        return places < 0
            ? (fraction.quote, fraction.base * scale) : (fraction.quote * scale, fraction.base)
    }

    private static func power(_ exponent: Int) -> BigUInt {
        (0..<exponent).reduce(BigUInt(1 as UInt64)) { power, _ in power * BigUInt(10 as UInt64) }
    }
}
