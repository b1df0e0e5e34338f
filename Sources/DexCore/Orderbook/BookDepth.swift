package import Ethereum
package import ZeroEx

/// The best orders of one side of a book, best first, and the price that counts as its best: what
/// crumbs ask is no market price.
///
/// Anybody can place a tiny order at an absurd price. The reference is therefore where a share of
/// an amount is reached: `amountShare` of what is wanted, `depthShare` of all that is offered where
/// no amount is named. Example: 0.5 ZRX at 0.0002 and 1,000 ZRX at 0.0008. For 100 ZRX the
/// reference is 0.0008, since 0.5 is no more than 5 % of 100; for 5 ZRX it is 0.0002.
package struct BookDepth: Sendable {
    /// One order that can be filled.
    package struct Level: Sendable {
        /// Quote per base, after the taker's fee.
        package let price: Price
        /// Base units of base that it sells or buys.
        package let base: UInt256
        /// Base units of what its maker pays: base of an ask, quote of a bid.
        ///
        /// Makers must own that, so it is what a side's depth is measured by.
        package let offered: UInt256

        package init(price: Price, base: UInt256, offered: UInt256) {
            self.price = price
            self.base = base
            self.offered = offered
        }
    }

    /// Orders that together hold no more than this share of a wanted amount are crumbs, in
    /// hundredths of a percent: 5 %.
    package static let amountShare: UInt64 = 500
    /// The same of a side's whole depth, where no amount is named: 1 %.
    package static let depthShare: UInt64 = 100
    /// Orders this much better than the reference still count as the market, in hundredths of a
    /// percent: 1 %.
    package static let tolerance: UInt64 = 100
    /// Orders that together hold no more than this share of a wanted amount are ignored at any
    /// price, in hundredths of a percent: 0.5 %.
    package static let traceShare: UInt64 = 50
    /// How many times the price of anything above `traceShare` an average may be, as a slippage in
    /// hundredths of a percent: five times.
    package static let traceLimit: UInt64 = 40_000
    /// An impact above this is refused unless it was allowed, in hundredths of a percent: 20 %.
    package static let impactLimit: UInt64 = 2_000

    /// What a taker of these orders does.
    package let side: TradeSide
    /// The best first.
    package let levels: [Level]

    package init(side: TradeSide, levels: [Level]) {
        self.side = side
        self.levels = levels
    }

    /// The orders of a side that can be taken.
    package init(_ entries: [BookEntry], side: TradeSide) {
        self.init(
            side: side,
            levels: entries.lazy.filter(\.isTakeable).map { entry in
                Level(
                    price: entry.price,
                    base: side == .buy ? entry.fillableMaker : entry.fillableTaker,
                    offered: entry.fillableMaker
                )
            }
        )
    }

    /// The best price where nobody named an amount; nil of an empty side.
    ///
    /// It lies beyond the orders that hold no more than `depthShare` of all that is offered.
    package var best: Price? {
        let depth = total(\.offered)
        return reference(beyond: Self.share(depth, Self.depthShare), of: \.offered)
    }

    /// The best price for an amount; nil of an empty side.
    ///
    /// It lies beyond the orders that hold no more than `amountShare` of it, or of all that the
    /// side has where that is less.
    ///
    /// - Parameter amount: base units of base.
    package func best(for amount: UInt256) -> Price? {
        reference(beyond: threshold(amount, Self.amountShare), of: \.base)
    }

    /// How much worse a price is than the best one for an amount, in hundredths of a percent of the
    /// best, rounded up; 0 of a price that is as good or better, nil of an empty side.
    ///
    /// A bad price cannot hide behind few cheap orders: one that is more than five times as bad as
    /// the first beyond `traceShare` of the amount is measured from there.
    package func impact(of price: Price, for amount: UInt256) -> UInt64? {
        guard let best = best(for: amount),
            let trace = reference(beyond: threshold(amount, Self.traceShare), of: \.base)
        else { return nil }
        let isNear = PriceBounds.isWithin(price, of: trace, slippage: Self.traceLimit, side: side)
        return Self.distance(of: price, behind: isNear ? best : trace, side: side)
    }

    /// How much worse a price is than another for who buys or sells, in hundredths of a percent of
    /// the other, rounded up; 0 where it is as good or better.
    package static func distance(
        of price: Price,
        behind best: Price,
        side: TradeSide
    ) -> UInt64 {
        PriceBounds.isWithin(price, limit: best, side: side) ? 0 : price.basisPoints(from: best)
    }

    /// The first price that is within `tolerance` of the one at which more than so much is reached.
    private func reference(
        beyond threshold: UInt256,
        of size: KeyPath<Level, UInt256>
    ) -> Price? {
        var sum = UInt256.zero
        let reached = levels.first { level in
            sum = sum.addingSaturating(level[keyPath: size])
            return sum > threshold
        }
        guard let reached = reached ?? levels.last else { return nil }
        let first = levels.first {
            PriceBounds.isWithin(
                reached.price,
                of: $0.price,
                slippage: Self.tolerance,
                side: side
            )
        }
        return first?.price
    }

    /// A share of the amount, or of all that is there where that is less.
    private func threshold(_ amount: UInt256, _ share: UInt64) -> UInt256 {
        Self.share(min(amount, total(\.base)), share)
    }

    private func total(_ size: KeyPath<Level, UInt256>) -> UInt256 {
        levels.reduce(UInt256.zero) { $0.addingSaturating($1[keyPath: size]) }
    }

    /// Rounded down.
    private static func share(_ amount: UInt256, _ basisPoints: UInt64) -> UInt256 {
        UInt256.mulDiv(amount, UInt256(basisPoints), PriceBounds.whole)?.quotient ?? .zero
    }
}
