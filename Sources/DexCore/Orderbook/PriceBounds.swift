import Ethereum
import ZeroEx

/// Compares prices and totals in hundredths of a percent, with exact products.
enum PriceBounds {
    static let whole: UInt256 = 10_000

    /// Whether a price is within a slippage of a reference.
    ///
    /// For a buyer at most `reference x (1 + slippage)`, for a seller at least `reference / (1 +
    /// slippage)`.
    static func isWithin(
        _ price: Price,
        of reference: Price,
        slippage: UInt64,
        side: TradeSide
    ) -> Bool {
        let more = whole + UInt256(slippage)
        return switch side {
        case .buy:
            product(price.quote, reference.base, whole)
                <= product(reference.quote, price.base, more)
        case .sell:
            product(price.quote, reference.base, more)
                >= product(reference.quote, price.base, whole)
        }
    }

    /// A price is at the limit or better.
    static func isWithin(_ price: Price, limit: Price, side: TradeSide) -> Bool {
        side == .buy ? price <= limit : price >= limit
    }

    /// A price in text form, QUOTE per BASE in decimal units.
    ///
    /// - Throws: `DexError`, exit 2, `bad-price`.
    static func price(_ text: String, pair: Pair) throws(DexError) -> Price {
        let typed = DecimalNumber(text)
        let digits = typed.places
        let parsed: UInt256?
        do throws(DecimalTextError) {
            guard let decimals = UInt8(exactly: digits) else { throw .malformed(text) }
            parsed = try typed.units(decimals: decimals)
        } catch {
            throw InputError.malformedPrice(error: error, pair: pair)
        }
        let exponent =
            Int(pair.quote.decimals ?? 0) - Int(pair.base.decimals ?? 0) - digits
        guard let number = parsed, number > .zero,
            let scale = powerOfTen(exponent.magnitude),
            let price = exponent >= 0
                ? narrow(number, scale).flatMap({ Price(quote: $0, base: 1) })
                : Price(quote: number, base: scale)
        else {
            throw InputError.priceOutOfRange(text, pair: pair)
        }
        return price
    }

    /// How much more a unit may cost in the worst case than expected, in hundredths of a percent.
    ///
    /// Rounded up; the maximum number above 100 %.
    static func slippage(
        expected: (pay: UInt256, receive: UInt256),
        worst: (pay: UInt256, receive: UInt256)
    ) -> UInt64 {
        let isWithin = { (basisPoints: UInt64) in
            product(worst.pay, expected.receive, whole)
                <= product(expected.pay, worst.receive, whole + UInt256(basisPoints))
        }
        var (low, high): (UInt64, UInt64) = (0, 10_000)
        guard isWithin(high) else { return .max }
        while low < high {
            let middle = (low + high) / 2
            if isWithin(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// An exact product, for comparing cross products beyond 512 bits.
    static func product(_ factors: UInt256...) -> BigUInt {
        factors.reduce(BigUInt(1 as UInt64)) { $0 * BigUInt($1) }
    }

    static func powerOfTen(_ exponent: UInt) -> UInt256? {
        guard exponent <= 77 else { return nil }
        return (0..<exponent).reduce(UInt256(1)) { power, _ in power * 10 }
    }

    private static func narrow(_ a: UInt256, _ b: UInt256) -> UInt256? {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? nil : product
    }
}
