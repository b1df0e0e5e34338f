package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

extension TradeJSON {
    package static func replacePlan(_ plan: ReplaceOrderPlan) -> JSONValue {
        [
            "plan": replacePlanObject(plan),
            "orders": .list(plan.cancel.orders) { row in
                [
                    "orderHash": JSONFormat.hash(row.order.hash),
                    "status": .string(row.standing.rawValue),
                    "filledMeanwhile": .null,
                    "cancelled": .null,
                ]
            },
            "transactions": [],
            "orderHash": JSONFormat.hash(plan.order.orderHash),
            "order": .null,
            "relay": JSONFormat.text(plan.order.relay),
            "posted": false,
            "postings": RelayJSON.targets(plan.order.targets),
        ]
    }

    package static func replaceOutcome(_ outcome: ReplaceOrderOutcome) -> JSONValue {
        let placed = outcome.placed
        return [
            "plan": replacePlanObject(outcome.plan),
            "orders": cancelledOrders(outcome.cancelled),
            "transactions": transactions(outcome.transactions),
            "orderHash": placed.map { JSONFormat.hash($0.order.hash) } ?? .null,
            "order": placed.map { ReadJSON.wire($0.wire) } ?? .null,
            "relay": JSONFormat.text(placed?.relay),
            "posted": .bool(placed?.posted ?? false),
            "postings": placed.map { RelayJSON.postings($0.postings) } ?? [],
        ]
    }

    private static func replacePlanObject(_ plan: ReplaceOrderPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "newOrder": limitPlanObject(plan.order),
            "gas": gas(plan.gas),
            "steps": steps(plan.steps),
        ]
    }
}
