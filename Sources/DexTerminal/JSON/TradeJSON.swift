package import DexCore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of the commands that move money: `plan`, `transactions`, `outcome`.
package enum TradeJSON {
    // MARK: market-buy, market-sell, fill

    package static func plan(_ plan: TradePlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "outcome": .null]
    }

    package static func outcome(_ outcome: TradeOutcome) -> JSONValue {
        let plan = outcome.plan
        let feeToken = plan.fees?.token
        return [
            "plan": planObject(plan),
            "transactions": transactions(outcome.transactions),
            "outcome": [
                "received": JSONForms.amount(outcome.received, plan.receiveToken),
                "paid": JSONForms.amount(outcome.paid, plan.payToken),
                "fees": feeToken.map { JSONForms.amount(outcome.fees, $0) } ?? .null,
                "protocolFee": JSONForms.ether(outcome.protocolFee),
                "effectivePrice": ReadJSON.price(outcome.effectivePrice, plan.pair),
                "orders": .array(
                    outcome.legs.map { leg in
                        [
                            "orderHash": JSONForms.hash(leg.orderHash),
                            "status": .string(leg.status.rawValue),
                            "received": JSONForms.amount(leg.received, plan.receiveToken),
                            "paid": JSONForms.amount(leg.paid, plan.payToken),
                            "fee": feeToken.map { JSONForms.amount(leg.fee, $0) } ?? .null,
                            "reason": JSONForms.text(leg.reason),
                        ]
                    }
                ),
            ],
        ]
    }

    private static func planObject(_ plan: TradePlan) -> JSONValue {
        [
            "side": .string(plan.side.rawValue),
            "base": JSONForms.token(plan.pair.base),
            "quote": JSONForms.token(plan.pair.quote),
            "block": JSONForms.integer(plan.block),
            "account": JSONForms.address(plan.account),
            "orders": .array(
                plan.legs.map { leg in
                    [
                        "orderHash": JSONForms.hash(leg.orderHash),
                        "maker": JSONForms.address(leg.maker),
                        "price": ReadJSON.price(leg.price, plan.pair),
                        "pay": JSONForms.amount(plan.cost(of: leg), plan.payToken),
                        "receive": JSONForms.amount(leg.receive, plan.receiveToken),
                        "spare": .bool(leg.isSpare),
                    ]
                }
            ),
            "pay": [
                "expected": JSONForms.amount(plan.expectedCost, plan.payToken),
                "max": JSONForms.amount(plan.maximumCost, plan.payToken),
            ],
            "receive": [
                "expected": JSONForms.amount(plan.expectedReceive, plan.receiveToken),
                "min": JSONForms.amount(plan.minimumReceive, plan.receiveToken),
            ],
            "price": [
                "average": ReadJSON.price(plan.average, plan.pair),
                "worst": ReadJSON.price(plan.worst, plan.pair),
                "impact": plan.impactBasisPoints.map { ReadJSON.percent($0) } ?? .null,
            ],
            "fees": JSONForms.amount(plan.fees),
            "maxFees": JSONForms.amount(plan.maximumFees),
            "feeValue": plan.feeValue.map { JSONForms.amount($0, plan.pair.quote) } ?? .null,
            "protocolFee": JSONForms.ether(plan.gas.protocolFee),
            "gas": gas(plan.gas),
            "steps": steps(plan.steps),
            "skipsGoneOrders": .bool(plan.skipsGoneOrders),
        ]
    }

    // MARK: place-limit

    package static func limitPlan(_ plan: LimitPlan) -> JSONValue {
        [
            "plan": limitPlanObject(plan),
            "transactions": [],
            "orderHash": JSONForms.hash(plan.orderHash),
            "order": .null,
            "relay": JSONForms.text(plan.relay),
            "posted": false,
        ]
    }

    package static func limitOutcome(_ outcome: LimitOutcome) -> JSONValue {
        [
            "plan": limitPlanObject(outcome.plan),
            "transactions": transactions(outcome.transactions),
            "orderHash": JSONForms.hash(outcome.order.hash),
            "order": ReadJSON.wire(outcome.wire),
            "relay": JSONForms.text(outcome.plan.relay),
            "posted": .bool(outcome.posted),
        ]
    }

    private static func limitPlanObject(_ plan: LimitPlan) -> JSONValue {
        [
            "side": .string(plan.side.rawValue),
            "base": JSONForms.token(plan.pair.base),
            "quote": JSONForms.token(plan.pair.quote),
            "account": JSONForms.address(plan.account),
            "give": JSONForms.amount(plan.give),
            "get": JSONForms.amount(plan.get),
            "price": ReadJSON.price(plan.price, plan.pair),
            "market": plan.comparison.map { market($0, plan.pair) } ?? .null,
            "makerFee": JSONForms.amount(plan.makerFee),
            "takerFee": JSONForms.amount(plan.takerFee),
            "feeRecipient": plan.draft.fees.recipient == .zero
                ? .null : JSONForms.address(plan.draft.fees.recipient),
            "taker": plan.draft.taker == .zero ? .null : JSONForms.address(plan.draft.taker),
            "sender": plan.draft.fees.sender == .zero
                ? .null : JSONForms.address(plan.draft.fees.sender),
            "expires": JSONForms.integer(plan.expires),
            "gas": plan.gas.map { gas($0) } ?? .null,
            "steps": steps(plan.steps),
        ]
    }

    /// What a market order would get instead, and how far the limit price is beyond it.
    private static func market(_ comparison: PriceComparison, _ pair: Pair) -> JSONValue {
        [
            "best": ReadJSON.price(comparison.best, pair),
            "crossing": ReadJSON.percent(comparison.distance),
            "base": JSONForms.amount(comparison.base, pair.base),
            "quote": JSONForms.amount(comparison.quote, pair.quote),
        ]
    }

    // MARK: cancel

    package static func cancelPlan(_ plan: CancelPlan) -> JSONValue {
        [
            "plan": [
                "account": JSONForms.address(plan.account),
                "gas": gas(plan.gas),
                "steps": steps(plan.steps),
            ],
            "orders": .array(
                plan.orders.map { row in
                    [
                        "orderHash": JSONForms.hash(row.order.hash),
                        "status": .string(row.standing.rawValue),
                        "filledMeanwhile": .null,
                        "cancelled": .null,
                    ]
                }
            ),
            "transactions": [],
        ]
    }

    package static func cancelOutcome(_ outcome: CancelOutcome) -> JSONValue {
        [
            "orders": .array(
                outcome.rows.map { row in
                    [
                        "orderHash": JSONForms.hash(row.orderHash),
                        "status": .string(row.status.rawValue),
                        "filledMeanwhile": JSONForms.amount(row.filledMeanwhile, row.takerToken),
                        "cancelled": JSONForms.amount(row.cancelled, row.takerToken),
                    ]
                }
            ),
            "transactions": transactions(outcome.transactions),
        ]
    }

    // MARK: Parts

    static func gas(_ gas: GasPlan) -> JSONValue {
        [
            "limit": JSONForms.integer(gas.limit),
            "maxFeePerGas": .string(gas.maxFeePerGas.description),
            "maxPriorityFeePerGas": gas.maxPriorityFeePerGas.map { .string($0.description) }
                ?? .null,
            "maxCost": JSONForms.ether(gas.maxCost),
            "presentCost": JSONForms.ether(gas.presentCost),
            "priority": gas.priority.map { .string($0.rawValue) } ?? .null,
            "capped": .bool(gas.isCapped),
        ]
    }

    static func steps(_ steps: [PlannedTransaction]) -> JSONValue {
        .array(
            steps.map { step in
                [
                    "purpose": .string(step.purpose.rawValue),
                    "summary": JSONForms.text(step.summary),
                    "gasLimit": JSONForms.integer(step.gasLimit),
                ]
            }
        )
    }

    /// Of an error: what had been sent before it; empty where that is nothing.
    static func sent(_ sent: [SentTransaction]) -> JSONValue {
        sent.isEmpty ? [:] : ["transactions": transactions(sent)]
    }

    static func transactions(_ transactions: [SentTransaction]) -> JSONValue {
        .array(
            transactions.map { transaction in
                [
                    "purpose": .string(transaction.purpose.rawValue),
                    "hash": JSONForms.hash(transaction.hash),
                    "status": .string(transaction.status.rawValue),
                    "block": JSONForms.integer(transaction.block),
                    "gasUsed": JSONForms.integer(transaction.gasUsed),
                    "cost": transaction.cost.map { JSONForms.ether($0) } ?? .null,
                ]
            }
        )
    }
}
