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
                "received": outcome.received.map { JSONFormat.amount($0, plan.receiveToken) }
                    ?? .null,
                "paid": outcome.paid.map { JSONFormat.amount($0, plan.payToken) } ?? .null,
                "fees": feeToken.map { JSONFormat.amount(outcome.fees, $0) } ?? .null,
                "protocolFee": JSONFormat.ether(outcome.protocolFee, outcome.plan.gas.coin),
                "effectivePrice": ReadJSON.price(outcome.effectivePrice, plan.pair),
                "quoteLoss": quoteLoss(outcome),
                "frontRunning": frontRunning(outcome),
                "orders": .list(outcome.legs) { leg in
                    [
                        "orderHash": JSONFormat.hash(leg.orderHash),
                        "status": .string(leg.status.rawValue),
                        "received": JSONFormat.amount(leg.received, plan.receiveToken),
                        "paid": JSONFormat.amount(leg.paid, plan.payToken),
                        "fee": feeToken.map { JSONFormat.amount(leg.fee, $0) } ?? .null,
                        "reason": JSONFormat.text(leg.reason),
                    ]
                },
            ],
        ]
    }

    private static func quoteLoss(_ outcome: TradeOutcome) -> JSONValue {
        guard let loss = outcome.quoteLoss else { return .null }
        return [
            "amount": JSONFormat.amount(loss),
            "percent": outcome.quoteLossPoints.map { ReadJSON.percent($0) } ?? .null,
        ]
    }

    private static func frontRunning(_ outcome: TradeOutcome) -> JSONValue {
        switch outcome.frontRunning {
        case nil: return .null
        case .failure(let error):
            return [
                "status": "unknown", "ahead": [], "front": .null, "back": .null,
                "account": .null, "lost": .null, "reason": JSONFormat.text(error.message),
            ]
        case .success(let found):
            return [
                "status": found.sandwich != nil
                    ? "sandwich" : found.ahead.isEmpty ? "none" : "ahead",
                "ahead": .list(found.ahead) { JSONFormat.hash($0) },
                "front": found.sandwich.map { JSONFormat.hash($0.front) } ?? .null,
                "back": found.sandwich.map { JSONFormat.hash($0.back) } ?? .null,
                "account": found.sandwich?.account.map { JSONFormat.address($0) } ?? .null,
                "lost": found.lost.map { JSONFormat.amount($0, outcome.plan.openToken) } ?? .null,
                "reason": .null,
            ]
        }
    }

    private static func planObject(_ plan: TradePlan) -> JSONValue {
        [
            "side": .string(plan.side.rawValue),
            "base": JSONFormat.token(plan.pair.base),
            "quote": JSONFormat.token(plan.pair.quote),
            "venueQuote": SwapJSON.quote(plan),
            "block": JSONFormat.integer(plan.block),
            "account": JSONFormat.address(plan.account),
            "orders": .list(plan.legs) { leg in
                [
                    "orderHash": JSONFormat.hash(leg.orderHash),
                    "maker": JSONFormat.address(leg.maker),
                    "price": ReadJSON.price(leg.price, plan.pair),
                    "payAmount": JSONFormat.amount(plan.cost(of: leg), plan.payToken),
                    "receiveAmount": JSONFormat.amount(leg.receive, plan.receiveToken),
                    "spare": .bool(leg.isBackup),
                ]
            },
            "pay": pay(plan),
            "receive": receive(plan),
            "prices": [
                "average": ReadJSON.price(plan.average, plan.pair),
                "worst": ReadJSON.price(plan.worst, plan.pair),
                "mid": plan.mid.map { ReadJSON.price($0, plan.pair) } ?? .null,
                "impact": plan.impactBasisPoints.map { ReadJSON.percent($0) } ?? .null,
            ],
            "fees": JSONFormat.amount(plan.fees),
            "maxFees": JSONFormat.amount(plan.maximumFees),
            "feeValue": plan.feeValue.map { JSONFormat.amount($0, plan.pair.quote) } ?? .null,
            "protocolFee": JSONFormat.ether(plan.gas.protocolFee, plan.gas.coin),
            "gas": gas(plan.gas),
            "balanceChanges": balances(plan.balances),
            "steps": steps(plan.steps),
            "amountFrom": plan.origin.map { origin($0, plan.gas.coin) } ?? .null,
            "skipsGoneOrders": .bool(plan.skipsGoneOrders),
            "venue": .string(plan.venue.rawValue),
            "relays": RelayJSON.names(plan.relays),
            "alternatives": alternatives(plan.alternatives, plan.pair),
        ]
    }

    static func pay(_ plan: some TradeTotals) -> JSONValue {
        [
            "expected": JSONFormat.amount(plan.expectedCost, plan.payToken),
            "max": JSONFormat.amount(plan.maximumCost, plan.payToken),
        ]
    }

    static func receive(_ plan: some TradeTotals) -> JSONValue {
        [
            "expected": JSONFormat.amount(plan.expectedReceive, plan.receiveToken),
            "min": JSONFormat.amount(plan.minimumReceive, plan.receiveToken),
        ]
    }

    /// The venues that are not used, and why.
    static func alternatives(_ alternatives: [VenueAlternative], _ pair: Pair) -> JSONValue {
        .list(alternatives) { other in
            [
                "venue": .string(other.venue.rawValue),
                "average": ReadJSON.price(other.average, pair),
                "worst": ReadJSON.price(other.worst, pair),
                "gasUnits": JSONFormat.integer(other.gas),
                "reason": JSONFormat.text(other.reason),
            ]
        }
    }

    /// What was typed for an amount, and the number that it came to.
    static func origin(_ origin: AmountOrigin, _ coin: CoinSymbol) -> JSONValue {
        [
            "typed": JSONFormat.text(origin.typed),
            "spend": .bool(origin.isSpend),
            "resolved": JSONFormat.amount(origin.amount),
            "available": JSONFormat.amount(origin.available),
            "reserved": origin.reserved.map { JSONFormat.ether($0, coin) } ?? .null,
        ]
    }

    // MARK: place-limit

    package static func limitPlan(_ plan: LimitPlan) -> JSONValue {
        [
            "plan": limitPlanObject(plan),
            "transactions": [],
            "orderHash": JSONFormat.hash(plan.orderHash),
            "order": .null,
            "relay": JSONFormat.text(plan.relay),
            "posted": false,
            "postings": RelayJSON.targets(plan.targets),
        ]
    }

    package static func limitOutcome(_ outcome: LimitOutcome) -> JSONValue {
        [
            "plan": limitPlanObject(outcome.plan),
            "transactions": transactions(outcome.transactions),
            "orderHash": JSONFormat.hash(outcome.order.hash),
            "order": ReadJSON.wire(outcome.wire),
            "relay": JSONFormat.text(outcome.relay),
            "posted": .bool(outcome.posted),
            "postings": RelayJSON.postings(outcome.postings),
        ]
    }

    static func limitPlanObject(_ plan: LimitPlan) -> JSONValue {
        [
            "side": .string(plan.side.rawValue),
            "base": JSONFormat.token(plan.pair.base),
            "quote": JSONFormat.token(plan.pair.quote),
            "account": JSONFormat.address(plan.account),
            "give": JSONFormat.amount(plan.give),
            "get": JSONFormat.amount(plan.get),
            "price": ReadJSON.price(plan.price, plan.pair),
            "mid": plan.mid.map { ReadJSON.price($0, plan.pair) } ?? .null,
            "priceFrom": plan.relative.map { relative($0, plan.pair) } ?? .null,
            "market": plan.comparison.map { market($0, plan.pair) } ?? .null,
            "makerFee": JSONFormat.amount(plan.makerFee),
            "takerFee": JSONFormat.amount(plan.takerFee),
            "feeRecipient": plan.draft.fees.recipient == .zero
                ? .null : JSONFormat.address(plan.draft.fees.recipient),
            "taker": plan.draft.taker == .zero ? .null : JSONFormat.address(plan.draft.taker),
            "sender": plan.draft.fees.sender == .zero
                ? .null : JSONFormat.address(plan.draft.fees.sender),
            "expires": JSONFormat.integer(plan.expires),
            "gas": plan.gas.map { gas($0) } ?? .null,
            "balanceChanges": balances(plan.balances),
            "steps": steps(plan.steps),
        ]
    }

    /// The book that a price was taken from.
    private static func relative(_ relative: RelativePrice, _ pair: Pair) -> JSONValue {
        [
            "typed": JSONFormat.text(relative.typed),
            "bid": ReadJSON.price(relative.bid, pair),
            "ask": ReadJSON.price(relative.ask, pair),
            "block": JSONFormat.integer(relative.block),
        ]
    }

    /// The result of a market order instead, and the limit price's distance from it.
    private static func market(_ comparison: PriceComparison, _ pair: Pair) -> JSONValue {
        [
            "best": ReadJSON.price(comparison.best, pair),
            "crossing": ReadJSON.percent(comparison.distance),
            "baseAmount": JSONFormat.amount(comparison.base, pair.base),
            "quoteAmount": JSONFormat.amount(comparison.quote, pair.quote),
        ]
    }

    package static func cancelPlan(_ plan: CancelPlan) -> JSONValue {
        [
            "plan": [
                "account": JSONFormat.address(plan.account),
                "gas": plan.gas.map(gas) ?? .null,
                "steps": steps(plan.steps),
            ],
            "orders": .list(plan.orders) { row in
                [
                    "orderHash": JSONFormat.hash(row.order.hash),
                    "status": .string(row.standing.rawValue),
                    "filledMeanwhile": .null,
                    "cancelled": .null,
                ]
            },
            "closed": closed(plan.closed),
            "transactions": [],
        ]
    }

    package static func cancelOutcome(_ outcome: CancelOutcome) -> JSONValue {
        [
            "orders": cancelledOrders(outcome),
            "closed": closed(outcome.closed),
            "transactions": transactions(outcome.transactions),
        ]
    }

    /// The orders that a cancel leaves out, with the state of each.
    private static func closed(_ rows: [OrdersState.Row]) -> JSONValue {
        .list(rows) { row in
            [
                "orderHash": JSONFormat.hash(row.order.hash),
                "status": .string(row.standing.rawValue),
            ]
        }
    }

    static func cancelledOrders(_ outcome: CancelOutcome) -> JSONValue {
        .list(outcome.rows) { row in
            [
                "orderHash": JSONFormat.hash(row.orderHash),
                "status": .string(row.status.rawValue),
                "filledMeanwhile": JSONFormat.amount(row.filledMeanwhile, row.takerToken),
                "cancelled": JSONFormat.amount(row.cancelled, row.takerToken),
            ]
        }
    }

    // MARK: Parts

    static func gas(_ gas: GasPlan) -> JSONValue {
        let object: JSONValue = [
            "limit": JSONFormat.integer(gas.limit),
            "maxFeePerGas": .string(gas.maxFeePerGas.description),
            "maxPriorityFeePerGas": gas.maxPriorityFeePerGas.map { .string($0.description) }
                ?? .null,
            "maxCost": JSONFormat.ether(gas.maxCost, gas.coin),
            "presentCost": JSONFormat.ether(gas.presentCost, gas.coin),
            "rollupFee": gas.rollup == .none
                ? .null
                : [
                    "present": JSONFormat.ether(gas.rollup.present, gas.coin),
                    "max": JSONFormat.ether(gas.rollup.maximum, gas.coin),
                ],
            "priority": gas.priority.map { .string($0.rawValue) } ?? .null,
            "capped": .bool(gas.isCapped),
        ]
        guard let node = gas.privateNode, var object = object.objectValue else { return object }
        object["privateNode"] = JSONFormat.text(node)
        return .object(object)
    }

    static func balances(_ balances: [PlannedBalance]) -> JSONValue {
        .list(balances) { balance in
            func amount(_ raw: UInt256?) -> JSONValue {
                raw.map { MoneyJSON.amount($0, balance.currency) } ?? .null
            }
            return [
                "symbol": JSONFormat.text(balance.currency.symbol),
                "before": amount(balance.before),
                "after": amount(balance.after),
                "least": amount(balance.minimum),
            ]
        }
    }

    static func steps(_ steps: [PlannedTransaction]) -> JSONValue {
        .list(steps) { step in
            [
                "purpose": .string(step.purpose.rawValue),
                "summary": JSONFormat.text(step.summary),
                "gasLimit": JSONFormat.integer(step.gasLimit),
            ]
        }
    }

    /// The transactions sent before an error; empty if there are none.
    package static func sent(_ sent: [SentTransaction]) -> JSONValue {
        sent.isEmpty ? [:] : ["transactions": transactions(sent)]
    }

    static func transactions(_ transactions: [SentTransaction]) -> JSONValue {
        .list(transactions) { transaction in
            [
                "purpose": .string(transaction.purpose.rawValue),
                "hash": JSONFormat.hash(transaction.hash),
                "status": .string(transaction.stage.sentWord),
                "block": JSONFormat.integer(transaction.block),
                "gasUsed": JSONFormat.integer(transaction.gasUsed),
                "cost": transaction.cost.map { JSONFormat.ether($0, transaction.coin) } ?? .null,
                "changes": ChangesJSON.object(transaction.simulation, transaction.coin),
            ]
        }
    }
}
