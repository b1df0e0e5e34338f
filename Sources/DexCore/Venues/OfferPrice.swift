import Ethereum
import ZeroEx

/// The cost and the return of a venue's offer; amounts in base units.
///
/// 100 ZRX for 0.075 WETH and 120,000 gas, worth 0.00024 WETH, cost 0.07524 WETH.
package struct OfferPrice: Sendable {
    /// Expected to be paid, with fees in the paid token.
    let pay: UInt256
    /// Expected to arrive.
    let receive: UInt256
    let average: Price
    let worst: Price
    /// The gas that its transaction needs; nil if unknown.
    let gas: UInt64?
    /// The cost of that gas in base units of QUOTE; nil without a price for it.
    let gasValue: UInt256?
}

extension OfferPrice {
    /// Two parts of one trade as one; nil if a sum is out of range.
    ///
    /// Gas counts only if that of both parts is known.
    static func sum(_ first: OfferPrice, _ second: OfferPrice, side: TradeSide) -> OfferPrice? {
        let pay = first.pay.addingSaturating(second.pay)
        let receive = first.receive.addingSaturating(second.receive)
        guard pay < .max, receive < .max,
            let average = side == .buy
                ? Price(quote: pay, base: receive) : Price(quote: receive, base: pay)
        else { return nil }
        let isFirstBetter = PriceBounds.isWithin(first.worst, limit: second.worst, side: side)
        return OfferPrice(
            pay: pay,
            receive: receive,
            average: average,
            worst: isFirstBetter ? second.worst : first.worst,
            gas: first.gas.flatMap { gas in second.gas.map { gas.addingSaturating($0) } },
            gasValue: first.gasValue.flatMap { value in
                second.gasValue.map { value.addingSaturating($0) }
            }
        )
    }
}

/// Chooses between offers by what is left after fees and gas.
struct OfferChooser: Sendable {
    let side: TradeSide

    /// An offer that is better by less counts as equal to one that wins ties: 0.05 %.
    static let margin: UInt64 = 5

    /// The gas of both counts, since both have a value in QUOTE.
    static func countsGas(_ one: OfferPrice, _ other: OfferPrice) -> Bool {
        one.gasValue != nil && other.gasValue != nil
    }

    /// The offer is better than the other one by the margin at least.
    func prefers(_ offer: OfferPrice, to other: OfferPrice) -> Bool {
        let countsGas = Self.countsGas(offer, other)
        let (a, b) = (ratio(offer, countsGas), ratio(other, countsGas))
        let whole = PriceBounds.whole
        let margin = UInt256(Self.margin)
        // Products of three numbers, so that nothing overflows and nothing is rounded.
        switch side {
        case .buy:
            return PriceBounds.product(a.quote, b.base, whole)
                <= PriceBounds.product(b.quote, a.base, whole - margin)
                && isLess(a.quote, b.base, than: b.quote, a.base)
        case .sell:
            return PriceBounds.product(a.quote, b.base, whole)
                >= PriceBounds.product(b.quote, a.base, whole + margin)
                && isLess(b.quote, a.base, than: a.quote, b.base)
        }
    }

    /// How much worse an offer is than another one, in hundredths of a percent; 0 if it is not.
    func distance(of offer: OfferPrice, behind best: OfferPrice) -> UInt64 {
        let countsGas = Self.countsGas(offer, best)
        let (a, b) = (ratio(offer, countsGas), ratio(best, countsGas))
        switch side {
        case .buy:
            return PriceBounds.slippage(expected: (b.quote, b.base), worst: (a.quote, a.base))
        case .sell:
            return PriceBounds.slippage(expected: (b.base, b.quote), worst: (a.base, a.quote))
        }
    }

    /// QUOTE for BASE, after gas if it counts.
    private func ratio(
        _ offer: OfferPrice,
        _ countsGas: Bool
    ) -> (quote: UInt256, base: UInt256) {
        let gas = countsGas ? offer.gasValue ?? .zero : .zero
        return side == .buy
            ? (offer.pay.addingSaturating(gas), offer.receive)
            : (offer.receive.subtractingSaturating(gas), offer.pay)
    }

    private func isLess(
        _ a: UInt256,
        _ b: UInt256,
        than c: UInt256,
        _ d: UInt256
    ) -> Bool {
        PriceBounds.product(a, b) < PriceBounds.product(c, d)
    }
}
