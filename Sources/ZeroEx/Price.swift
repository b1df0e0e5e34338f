public import Ethereum

/// A price: base units of quote per base units of base, as an exact fraction.
///
/// 0.3 WETH for 400 ZRX, both of 18 decimals, is 3/4000: 0.00075 WETH for one ZRX.
public struct Price: Sendable {
    /// Base units of the quote token.
    public let quote: UInt256
    /// Base units of the base token; never zero.
    public let base: UInt256

    /// A fraction; nil if the base amount is zero.
    public init?(quote: UInt256, base: UInt256) {
        guard base != .zero else { return nil }
        self.quote = quote
        self.base = base
    }
}

extension Price: Comparable {
    /// Compares exactly, by 512-bit cross products.
    public static func < (left: Price, right: Price) -> Bool {
        let a = left.quote.multipliedFullWidth(by: right.base)
        let b = right.quote.multipliedFullWidth(by: left.base)
        return (a.high, a.low) < (b.high, b.low)
    }

    /// Two prices are equal if their fractions are.
    ///
    /// Example: `Price(quote: 1, base: 2) == Price(quote: 2, base: 4)` is `true`.
    public static func == (left: Price, right: Price) -> Bool {
        let a = left.quote.multipliedFullWidth(by: right.base)
        let b = right.quote.multipliedFullWidth(by: left.base)
        return (a.high, a.low) == (b.high, b.low)
    }
}
