package import DexCore
import DexStore
import Ethereum
import ZeroEx

/// What a guard will do, before it is added.
package typealias GuardPlanView = StateView<GuardPlan>

extension StateView<GuardPlan> {
    package var question: PlanQuestion {
        let isSale = state.guardOrder.side == .sell
        let amount = NumberText.amount(state.amount, state.pair.base)
        let bound = NumberText.amount(state.total, state.pair.quote)
        return PlanQuestion(
            "Let it \(state.guardOrder.side.rawValue) \(amount) for "
                + "\(isSale ? "at least" : "at most") \(bound), without asking again?"
        )
    }

    package func lines(_ screen: Screen) -> [String] {
        let guardOrder = state.guardOrder
        let isSale = guardOrder.side == .sell
        let price = isSale ? "bid" : "ask"
        let unit = "\(PlainText.name(state.pair.quote.symbol))"
        var shown = PlanScreen(
            "Guard: \(guardOrder.side.rawValue) \(NumberText.amount(state.amount, state.pair.base)) by "
                + "itself"
        )
        shown.add(.account, guardOrder.account.checksummed)
        shown.add(.tokens, guardOrder.pair.base.checksummed, label: "base")
        shown.add(.tokens, guardOrder.pair.quote.checksummed, label: "quote")
        shown.add(.block, "\(state.block)\(state.mean == nil ? "" : ", as one node sees it")")
        shown.add(.expires, TimeText.zoned(UInt256(guardOrder.expires), screen))
        shown.add(.signs, "a missing approval of exactly the amount, then the order")
        shown.add(
            .asks,
            "nothing again: policy.toml and the limits of an unlocked key hold"
        )
        shown.warnings = state.warnings + [GuardText.runs]
        shown.add(
            .trigger,
            "the best \(price) is \(guardOrder.price) \(unit) or "
                + "\(guardOrder.trigger == .below ? "less" : "more") \(lasting)"
        )
        shown.add(
            .now,
            (state.now.map { "\(price) \(NumberText.price($0, state.pair)) \(unit)" }
                ?? "no \(price) that can be filled") + meanNow
        )
        shown.add(
            .bound,
            "no \(state.mean == nil ? "order" : "trade") \(isSale ? "below" : "above") "
                + "\(guardOrder.limit) \(unit) "
                + "(\(NumberText.percent(basisPoints: guardOrder.slippage)) slippage)"
        )
        shown.add(
            isSale ? .receive : .pay,
            "\(NumberText.amount(state.total, state.pair.quote)) \(isSale ? "minimum" : "maximum")"
        )
        return shown.lines(screen)
    }

    /// For how long the price has to be reached.
    private var lasting: String {
        let minutes = PoolMean.seconds / 60
        return switch state.mean {
        case nil: "in two blocks in a row"
        case .known?: "in two blocks in a row, and by the mean of the last \(minutes) minutes"
        case .missing?: "in every block for \(PoolReading.patience) s"
        }
    }

    /// What the mean is now, and whose it is.
    private var meanNow: String {
        guard case .known(let mean)? = state.mean,
            let price = state.guardOrder.side == .buy ? mean.ask : mean.bid
        else { return "" }
        return
            ", mean \(NumberText.price(price, state.pair)) (\(mean.sources.joined(separator: ", ")))"
    }
}
