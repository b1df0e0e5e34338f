package import Ethereum
package import ZeroEx

/// A market order in one part or two: the book's first orders, and the rest at another venue.
///
/// Each part is a transaction with limits of its own. Between them anything may happen: the first can
/// be filled and the second not.
package struct SplitPlan: PlanContent {
    package typealias Outcome = SplitOutcome

    /// In the order in which they are sent; one if no division is better than one venue.
    package let parts: [TradePlan]
    /// The venues that would take the whole order, and what that would cost; empty for one part.
    package let alternatives: [VenueAlternative]
    /// The account's balances after all parts.
    package let balances: [PlannedBalance]
    /// The origin of the whole amount; nil if that was typed as a number of BASE.
    package let origin: AmountOrigin?

    package var isSplit: Bool { parts.count > 1 }
    package var first: TradePlan { parts[0] }
    package var side: TradeSide { first.side }
    package var pair: Pair { first.pair }
    package var payToken: Token { first.payToken }
    package var receiveToken: Token { first.receiveToken }
    package var account: Address { first.account }
    package var stop: DexError? { parts.lazy.compactMap(\.stop).first }
    package var word: String? { parts.lazy.compactMap(\.word).first }

    /// That the parts are not one, and the warnings of each, once.
    package var warnings: [String] {
        parts.flatMap(\.warnings).reduce(into: isSplit ? [Self.notAtomic] : []) { all, warning in
            if !all.contains(warning) { all.append(warning) }
        }
    }

    private static let notAtomic =
        "NOT ATOMIC: the parts are separate transactions. The first may be filled and the second "
        + "not. The second is planned again once the first is mined, and never exceeds its own "
        + "limits."

    package var expectedCost: UInt256 { sum(\.expectedCost) }
    package var maximumCost: UInt256 { sum(\.maximumCost) }
    package var expectedReceive: UInt256 { sum(\.expectedReceive) }
    package var minimumReceive: UInt256 { sum(\.minimumReceive) }

    /// QUOTE per BASE of all parts, with fees in the pair's tokens; nil if it is out of range.
    package var average: Price? {
        side == .buy
            ? Price(quote: expectedCost, base: expectedReceive)
            : Price(quote: expectedReceive, base: expectedCost)
    }

    /// The most that all parts cost beside what is paid: gas, a rollup's and the exchange's fees.
    package var maximumGas: Wei { sum { $0.gas.maxCost.adding($0.gas.protocolFee) ?? Wei(.max) } }
    package var presentGas: Wei { sum { $0.gas.presentCost } }

    private func sum(_ amount: (TradePlan) -> UInt256) -> UInt256 {
        parts.reduce(.zero) { $0.addingSaturating(amount($1)) }
    }

    private func sum(_ cost: (TradePlan) -> Wei) -> Wei {
        parts.reduce(.zero) { $0.adding(cost($1)) ?? Wei(.max) }
    }
}

/// The outcome of the parts of a divided market order.
package struct SplitOutcome: OperationOutcome {
    package let plan: SplitPlan
    /// In the order of the plan; a later part is missing if it was not traded.
    package internal(set) var parts: [TradeOutcome]
    package internal(set) var transactions: [SentTransaction]
    /// Why the next part was not traded; nil if all were, or the last one here says why.
    package internal(set) var failure: DexError?

    package var warnings: [String] { parts.flatMap(\.warnings) }

    /// Base units that arrived of the parts that were traded; nil if one is unknown.
    package var received: UInt256? { sum(\.received) }
    /// The price that was paid for them, with fees in that token; nil if one is unknown.
    package var cost: UInt256? { sum(\.cost) }

    private func sum(_ amount: (TradeOutcome) -> UInt256?) -> UInt256? {
        var sum = UInt256.zero
        for part in parts {
            guard let amount = amount(part) else { return nil }
            sum = sum.addingSaturating(amount)
        }
        return sum
    }

    package var error: DexError? {
        if let failure {
            return failure.adding(
                "The first part is traded, and stays as it is; the second one is not."
            ).mended(by: rest)
        }
        guard let error = parts.last?.error else { return nil }
        guard parts.count < plan.parts.count else {
            return plan.isSplit ? error.adding("The first part is traded.") : error
        }
        return error.adding("The second part was not sent.")
    }

    /// How the part that is left is traded.
    private var rest: String {
        guard let next = plan.parts.dropFirst(parts.count).first else { return "" }
        let isBuy = plan.side == .buy
        let amount = TokenAmount(
            raw: isBuy ? next.expectedReceive : next.expectedCost,
            token: plan.pair.base
        )
        return "Trade the rest with `dex market-\(plan.side.rawValue) \(plan.pair.word) "
            + "\(amount.value) --via \(next.venue.rawValue)`."
    }
}
