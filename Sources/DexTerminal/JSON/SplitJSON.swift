package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

extension TradeJSON {
    package static func splitPlan(_ plan: SplitPlan) -> JSONValue {
        [
            "plan": splitPlanObject(plan),
            "tradeParts": .list(plan.parts) { self.plan($0) },
            "transactions": [],
        ]
    }

    package static func splitOutcome(_ outcome: SplitOutcome) -> JSONValue {
        let missing = outcome.plan.parts.dropFirst(outcome.parts.count)
        return [
            "plan": splitPlanObject(outcome.plan),
            "tradeParts": .list(outcome.parts.map { self.outcome($0) } + missing.map { plan($0) }) {
                $0
            },
            "transactions": transactions(outcome.transactions),
        ]
    }

    private static func splitPlanObject(_ plan: SplitPlan) -> JSONValue {
        let coin = plan.first.gas.coin
        return [
            "side": .string(plan.side.rawValue),
            "base": JSONFormat.token(plan.pair.base),
            "quote": JSONFormat.token(plan.pair.quote),
            "account": JSONFormat.address(plan.account),
            "pay": pay(plan),
            "receive": receive(plan),
            "averagePrice": ReadJSON.price(plan.average, plan.pair),
            "mostGasCost": JSONFormat.ether(plan.maximumGas, coin),
            "balanceChanges": balances(plan.balances),
            "amountFrom": plan.origin.map { origin($0, coin) } ?? .null,
            "alternatives": alternatives(plan.alternatives, plan.pair),
        ]
    }
}
