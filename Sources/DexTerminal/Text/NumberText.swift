import DexCore
package import Ethereum
package import ZeroEx

/// Amounts, prices and shares in readable text: plain digits, a point, no grouping.
package enum NumberText {
    /// Decimals at which a price shows this many significant digits.
    package static func places(for ratio: Ratio, significant: Int = 6) -> Int {
        guard let exponent = ratio.exponent else { return 2 }
        return min(36, max(2, significant - 1 - exponent))
    }

    /// Decimals for a column of amounts, by the largest one.
    ///
    /// 5 significant digits of it, at least 2 decimals, never more than the token has.
    package static func places(forLargest raw: UInt256, of token: Token) -> Int {
        let ratio = Ratio(raw, decimals: token.decimals)
        guard let exponent = ratio.exponent else { return min(2, Int(token.decimals ?? 0)) }
        return min(Int(token.decimals ?? 0), max(2, 4 - exponent))
    }

    /// An amount rounded to this many decimals: `<0.01` for a smaller one.
    ///
    /// - Parameter rounding: half up; down where it is promised to the user.
    package static func column(
        _ raw: UInt256,
        of token: Token,
        places: Int,
        _ rounding: Ratio.Rounding = .nearest
    ) -> String {
        let text = Ratio(raw, decimals: token.decimals).text(places: places, rounding: rounding)
        guard raw != .zero, !text.utf8.contains(where: { (0x31...0x39).contains($0) }) else {
            return text
        }
        return "<" + Ratio(1, decimals: UInt8(clamping: places)).text(places: places, rounding: .up)
    }

    /// The significant digits of numbers in lists, whose rows are compared; JSON, CSV and the
    /// details of a row are exact.
    package static let listDigits = 6

    /// An amount of a list with its symbol, rounded half up.
    package static func list(_ raw: UInt256, _ token: Token) -> String {
        guard token.decimals != nil else { return amount(raw, token) }
        return "\(listValue(raw, token.decimals)) \(PlainText.name(token.symbol))"
    }

    /// The same without the symbol.
    package static func listValue(_ raw: UInt256, _ decimals: UInt8?) -> String {
        guard let decimals else { return "\(raw)" }
        return Ratio(raw, decimals: decimals).text(significant: listDigits)
    }

    /// A price of a list.
    static func listPrice(_ price: Price, _ pair: Pair) -> String {
        Ratio(price, base: pair.base, quote: pair.quote).text(significant: listDigits)
    }

    /// The exact amount with its symbol: `1.5 ZRX`.
    package static func amount(_ raw: UInt256, _ token: Token) -> String {
        let symbol = PlainText.name(token.symbol)
        guard let decimals = token.decimals else { return "\(raw) base units of \(symbol)" }
        return "\(DecimalText.format(raw, decimals: decimals)) \(symbol)"
    }

    package static func amount(_ amount: TokenAmount) -> String {
        self.amount(amount.raw, amount.token)
    }

    /// An amount with at most 8 significant digits and its symbol, rounded against the user.
    package static func brief(_ raw: UInt256, _ token: Token, _ rounding: Ratio.Rounding) -> String
    {
        guard token.decimals != nil else { return amount(raw, token) }
        return "\(briefValue(raw, token.decimals, rounding)) \(PlainText.name(token.symbol))"
    }

    /// The same without the symbol.
    package static func briefValue(
        _ raw: UInt256,
        _ decimals: UInt8?,
        _ rounding: Ratio.Rounding
    ) -> String {
        guard let decimals else { return "\(raw)" }
        let ratio = Ratio(raw, decimals: decimals)
        guard let exponent = ratio.exponent else { return "0" }
        return ratio.shortened(places: min(Int(decimals), max(2, 7 - exponent)), rounding: rounding)
    }

    /// A price with 8 significant digits, half up.
    package static func price(_ price: Price, base: Token, quote: Token) -> String {
        Ratio(price, base: base, quote: quote).text(significant: 8)
    }

    /// An amount of a coin with at most 6 significant digits, rounded up, like all costs.
    package static func ether(_ wei: Wei, _ coin: CoinSymbol) -> String {
        "\(etherValue(wei)) \(coin)"
    }

    /// The number of `ether`, without a symbol.
    static func etherValue(_ wei: Wei) -> String {
        let ratio = Ratio(wei.rawValue, decimals: 18)
        guard let exponent = ratio.exponent else { return "0" }
        return ratio.shortened(places: min(18, max(2, 5 - exponent)), rounding: .up)
    }

    /// A gas price in gwei, rounded up to 3 decimals.
    package static func gwei(_ wei: Wei) -> String {
        Ratio(wei.rawValue, decimals: 9).shortened(places: 3, rounding: .up) + " gwei"
    }

    /// Hundredths of a percent as `0.83%`.
    package static func percent(basisPoints: UInt64) -> String {
        let fraction = basisPoints % 100
        return "\(basisPoints / 100).\(fraction < 10 ? "0" : "")\(fraction)%"
    }

    /// `1 order`, `2 orders`.
    package static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
