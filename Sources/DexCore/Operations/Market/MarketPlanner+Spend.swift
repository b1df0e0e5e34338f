import Ethereum
import ZeroEx

extension MarketPlanner {
    /// A share of a spend that may stay unspent because no order takes it: a millionth.
    private static let ignoredShare: UInt256 = 1_000_000

    /// The planner of a size's amount.
    ///
    /// - Throws: as `sized(spending:through:)`.
    func sized(
        _ size: MarketSize,
        through entries: [BookEntry]
    ) throws(DexError) -> MarketPlanner {
        switch size {
        case .base: self
        case .spend(let spend): try sized(spending: spend, through: entries)
        }
    }

    /// The purchase whose whole cost, with fees and backup orders, is at most a spend.
    ///
    /// The orders are walked with the spend; where fees or backups come on top, the amount shrinks
    /// until its highest cost fits. Both are rounded down.
    ///
    /// - Parameter spend: base units of QUOTE.
    /// - Throws: `DexError`, exit 6: as `route`, `thin-book` if all orders cost less, or
    ///   `spend-too-small` if it buys nothing.
    func sized(
        spending spend: UInt256,
        through entries: [BookEntry]
    ) throws(DexError) -> MarketPlanner {
        var planner = self
        planner.amount = .max
        planner.amount = try planner.affordable(spend, entries)
        // Each turn is in proportion, so two or three do.
        for _ in 0..<32 where planner.amount > .zero {
            let cost = try planner.route(through: entries).maximumCost
            guard cost > spend else { return planner }
            let less = UInt256.mulDiv(planner.amount, spend, cost)?.quotient ?? .zero
            planner.amount = min(less, planner.amount - 1)
        }
        throw TradeError.spendTooSmall(spend, pair)
    }

    /// Base units of BASE that the orders give for a spend, before fees on top and backups.
    ///
    /// Of a planner without a bound of its amount.
    private func affordable(
        _ spend: UInt256,
        _ entries: [BookEntry]
    ) throws(DexError) -> UInt256 {
        let (takeable, candidates) = candidates(entries)
        guard !takeable.isEmpty else { throw noLiquidity(entries) }
        let walk = walk(candidates, funds: spend)
        let base = amount - walk.left
        let left = walk.funds ?? .zero
        if left <= spend / Self.ignoredShare { return base }
        let error: DexError
        if walk.legs.count >= maximumOrders {
            error = TradeError.tooManyOrders(side, pair, maximum: maximumOrders, found: base)
        } else if candidates.count < takeable.count {
            error = TradeError.priceLimit(side, pair, found: walk.legs.isEmpty ? nil : base)
        } else if walk.legs.isEmpty {
            error = TradeError.spendTooSmall(spend, pair)
        } else {
            error = TradeError.thinForSpend(pair, cost: spend - left, spend: spend)
        }
        guard walk.charges == nil, !hasOrdersAboveFeeCap(entries) else {
            throw feeCapReached(walk, instead: error)
        }
        throw error
    }
}
