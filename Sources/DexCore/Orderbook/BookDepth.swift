package import Ethereum
package import ZeroEx

/// The best orders of one side of a book, best first, and its reference price, without crumbs.
///
/// A tiny order can have any absurd price. The reference is therefore the price at which a share of
/// an amount is reached: `amountShare` of the wanted amount, or `depthShare` of the whole offer if
/// no amount is given. Example: 0.5 ZRX at 0.0002 and 1,000 ZRX at 0.0008. For 100 ZRX the
/// reference is 0.0008, since 0.5 is no more than 5 % of 100; for 5 ZRX it is 0.0002.
package struct BookDepth: Sendable {
    /// One order that can be filled.
    package struct Level: Sendable {
        /// Quote per base, after the taker's fee.
        package let price: Price
        /// Base units of base that it sells or buys.
        package let base: UInt256
        /// Base units of the maker's payment: base of an ask, quote of a bid.
        ///
        /// Makers must own it, so it measures the depth of a side.
        package let offered: UInt256
    }

    /// Orders that together hold no more than this share of a wanted amount are crumbs, in
    /// hundredths of a percent: 5 %.
    package static let amountShare: UInt64 = 500
    /// The same share of a side's whole depth, if no amount is given: 1 %.
    package static let depthShare: UInt64 = 100
    /// Orders this much better than the reference still count as the market, in hundredths of a
    /// percent: 1 %.
    package static let tolerance: UInt64 = 100
    /// Orders that together hold no more than this share of a wanted amount are ignored at any
    /// price, in hundredths of a percent: 0.5 %.
    package static let traceShare: UInt64 = 50
    /// The maximum ratio of an average price to the price of anything above `traceShare`, as a
    /// slippage in hundredths of a percent: five times.
    package static let traceLimit: UInt64 = 40_000
    /// A higher impact is refused unless the user allows it, in hundredths of a percent: 20 %.
    package static let impactLimit: UInt64 = 2_000

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
            levels: entries.lazy.filter(\.isTakeable).map { Level($0, side: side) }
        )
    }

    /// The best price without an amount; nil for an empty side.
    ///
    /// Orders that hold no more than `depthShare` of the whole offer are skipped.
    package var best: Price? { Self.best(of: levels, depth: total(\.offered), side: side) }

    /// The best price for an amount; nil for an empty side.
    ///
    /// Orders that hold no more than `amountShare` of it, or of the whole side if that is less, are
    /// skipped.
    ///
    /// - Parameter amount: base units of base.
    package func best(for amount: UInt256) -> Price? {
        reference(beyond: threshold(amount, Self.amountShare), of: \.base)
    }

    /// How much worse a price is than the best one for an amount, in hundredths of a percent.
    ///
    /// It is relative to the best, rounded up; 0 if as good or better, nil for an empty side. Few
    /// cheap orders cannot hide a bad price: if it is more than five times as bad as the first
    /// price beyond `traceShare` of the amount, it is measured from there.
    package func impact(of price: Price, for amount: UInt256) -> UInt64? {
        guard let best = best(for: amount),
            let trace = reference(beyond: threshold(amount, Self.traceShare), of: \.base)
        else { return nil }
        let isNear = PriceBounds.isWithin(price, of: trace, slippage: Self.traceLimit, side: side)
        return Self.distance(of: price, behind: isNear ? best : trace, side: side)
    }

    /// How much worse a price is than another for a side, in hundredths of a percent of the other.
    ///
    /// Rounded up; 0 if it is as good or better.
    package static func distance(
        of price: Price,
        behind best: Price,
        side: TradeSide
    ) -> UInt64 {
        PriceBounds.isWithin(price, limit: best, side: side) ? 0 : price.basisPoints(from: best)
    }

    private func reference(
        beyond threshold: UInt256,
        of size: (Level) -> UInt256
    ) -> Price? {
        Self.reference(in: levels, side: side, beyond: threshold, of: size)
    }

    /// The first price within `tolerance` of the one at which more than this amount is reached.
    private static func reference(
        in levels: some Sequence<Level>,
        side: TradeSide,
        beyond threshold: UInt256,
        of size: (Level) -> UInt256
    ) -> Price? {
        var sum = UInt256.zero
        var last: Price?
        for level in levels {
            last = level.price
            sum = sum.addingSaturating(size(level))
            if sum > threshold { break }
        }
        guard let reached = last else { return nil }
        let first = levels.first {
            PriceBounds.isWithin(
                reached,
                of: $0.price,
                slippage: Self.tolerance,
                side: side
            )
        }
        return first?.price
    }

    /// The best price of a side without an amount, as `best`.
    ///
    /// - Parameters:
    ///   - levels: the best first; they are walked twice, mostly not to the end.
    ///   - depth: what all of them offer.
    static func best(
        of levels: some Sequence<Level>,
        depth: UInt256,
        side: TradeSide
    ) -> Price? {
        reference(in: levels, side: side, beyond: share(depth, depthShare), of: \.offered)
    }

    /// A share of the amount, or of the whole side if that is less.
    private func threshold(_ amount: UInt256, _ share: UInt64) -> UInt256 {
        Self.share(min(amount, total(\.base)), share)
    }

    /// Base units of base that all levels buy or sell together.
    package var base: UInt256 { total(\.base) }

    private func total(_ size: (Level) -> UInt256) -> UInt256 {
        levels.reduce(UInt256.zero) { $0.addingSaturating(size($1)) }
    }

    /// Rounded down.
    private static func share(_ amount: UInt256, _ basisPoints: UInt64) -> UInt256 {
        UInt256.mulDiv(amount, UInt256(basisPoints), PriceBounds.whole)?.quotient ?? .zero
    }
}

extension BookDepth.Level {
    init(_ entry: BookEntry, side: TradeSide) {
        self.init(
            price: entry.price,
            base: side == .buy ? entry.fillableMaker : entry.fillableTaker,
            offered: entry.fillableMaker
        )
    }
}
