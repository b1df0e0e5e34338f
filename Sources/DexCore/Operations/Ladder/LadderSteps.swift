import Ethereum
import ZeroEx

/// The amounts and prices of a ladder, in integers.
struct LadderSteps {
    let side: TradeSide
    let pair: Pair

    /// Equal amounts that add up to the total; the first ones have a unit more where it does not
    /// divide.
    static func amounts(_ total: UInt256, count: Int) -> [UInt256] {
        let number = UInt256(UInt64(max(count, 1)))
        let (each, rest) = (total / number, total % number)
        return (0..<count).map { each + (UInt256(UInt64($0)) < rest ? 1 : 0) }
    }

    /// The most base units for each order of a purchase, at all of these prices, that together cost
    /// no more than an amount of QUOTE; zero if even one unit each costs more.
    ///
    /// Example: of 10 at 2 and 3 QUOTE for a unit, 2 units each cost 10.
    static func each(of offered: UInt256, at prices: [Price]) -> UInt256 {
        func isAffordable(_ each: UInt256) -> Bool {
            var left = offered
            for price in prices {
                // Beyond 256 bits it is more than any balance.
                guard let cost = UInt256.mulDiv(each, price.quote, price.base),
                    cost.quotient <= left
                else { return false }
                left = left - cost.quotient
            }
            return true
        }
        guard !prices.isEmpty else { return .zero }
        var each = UInt256.zero
        for bit in (0..<256).reversed() {
            var more = each
            more |= UInt256(1) << bit
            if isAffordable(more) { each = more }
        }
        return each
    }

    /// Prices in even steps, the ends included, with at most eight significant digits: rounded
    /// down for a buyer, up for a seller.
    ///
    /// - Throws: `DexError`, exit 2, `bad-ladder`, if two of them are the same.
    func prices(from first: Price, to last: Price, count: Int) throws(DexError) -> [String] {
        let number = { (value: Int) in BigUInt(UInt64(value)) }
        let (low, high) = (
            BigUInt(first.quote) * BigUInt(last.base), BigUInt(last.quote) * BigUInt(first.base)
        )
        let base = BigUInt(first.base) * BigUInt(last.base) * number(count - 1)
        let pricing = RelativePricing(side: side, pair: pair, amount: .zero)
        var texts: [String] = []
        for step in 0..<count {
            // (first x (n - 1 - step) + last x step) / (n - 1)
            let quote = low * number(count - 1 - step) + high * number(step)
            guard let text = pricing.rounded((quote, base))?.text(of: pair),
                !texts.contains(text)
            else { throw LadderError.samePrices }
            texts.append(text)
        }
        return texts
    }
}
