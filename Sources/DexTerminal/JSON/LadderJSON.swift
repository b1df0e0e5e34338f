package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

extension TradeJSON {
    package static func ladderPlan(_ plan: LadderPlan) -> JSONValue {
        [
            "plan": ladderPlanObject(plan),
            "orders": .list(plan.rungs) { limitPlan($0) },
            "transactions": [],
        ]
    }

    package static func ladderOutcome(_ outcome: LadderOutcome) -> JSONValue {
        let missing = outcome.plan.rungs.dropFirst(outcome.placed.count)
        return [
            "plan": ladderPlanObject(outcome.plan),
            "orders": .list(
                outcome.placed.map { limitOutcome($0) } + missing.map { limitPlan($0) }
            ) { $0 },
            "transactions": transactions(outcome.transactions),
        ]
    }

    private static func ladderPlanObject(_ plan: LadderPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "count": JSONFormat.integer(UInt64(plan.rungs.count)),
            "gas": plan.gas.map { gas($0) } ?? .null,
            "balanceChanges": balances(plan.balances),
            "steps": steps(plan.steps),
        ]
    }
}
