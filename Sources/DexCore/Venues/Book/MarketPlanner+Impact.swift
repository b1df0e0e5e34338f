import Ethereum
import ZeroEx

extension MarketPlanner {
    /// The impact of a trade by its orders; skipped orders do not affect the price.
    func impact(of average: Price, taking legs: [TradeRoute.Leg]) -> UInt64 {
        depth(of: legs).impact(of: average, for: amount) ?? .max
    }

    /// - Throws: `DexError`, exit 6, `impact-too-high`, unless that was allowed.
    func checkImpact(of route: TradeRoute, isAllowed: Bool) throws(DexError) {
        guard let points = route.impactBasisPoints, points > BookDepth.impactLimit, !isAllowed
        else { return }
        let impact = DecimalText.format(UInt256(points), decimals: 2)
        throw TradeError.impactTooHigh(percent: impact, cheapPart: cheapPart(of: route))
    }

    /// The command for the part near the best price.
    private func cheapPart(of route: TradeRoute) -> String? {
        guard let best = route.legs.first?.price else { return nil }
        let near = route.legs.prefix {
            BookDepth.distance(of: $0.price, behind: best, side: side) <= BookDepth.impactLimit
        }
        let raw = depth(of: Array(near)).levels.reduce(UInt256.zero) {
            $0.addingSaturating($1.base)
        }
        guard raw > .zero, raw < amount else { return nil }
        let verb = side == .buy ? "market-buy" : "market-sell"
        return "dex \(verb) \(pair.word) "
            + TokenAmount(raw: raw, token: pair.base).value
    }

    private func depth(of legs: [TradeRoute.Leg]) -> BookDepth {
        BookDepth(
            side: side,
            levels: legs.map { leg in
                BookDepth.Level(
                    price: leg.price,
                    base: side == .buy ? leg.receive : leg.pay,
                    offered: leg.receive
                )
            }
        )
    }
}
