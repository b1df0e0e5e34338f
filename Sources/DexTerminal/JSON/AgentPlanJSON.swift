package import DexCore
package import DexStore
package import Ethereum
package import StrictJSON
import ZeroEx

/// A plan of an agent: `structuredContent` of the tools that plan, and `data` of `dex approve`.
package enum AgentPlanJSON {
    // MARK: What the journal keeps

    /// What is shown of a plan from its making on.
    ///
    /// - Parameters:
    ///   - summary: one sentence.
    ///   - token: a token of the plan by its address.
    ///   - plan: `plan` of the command that would do the same.
    ///   - proof: what is proven of it; nil where no proofs are asked for.
    package static func shown(
        _ bounds: PlanBounds,
        summary: String,
        coin: CoinSymbol,
        token: (Address) -> Token,
        plan: JSONValue,
        proof: StateProof?
    ) -> JSONValue {
        func amount(_ amount: Limits.Amount?) -> JSONValue {
            amount.map { JSONFormat.amount($0.raw, token($0.token)) } ?? .null
        }
        return [
            "summary": .string(summary),
            "pays": amount(bounds.limits.pays),
            "receives": amount(bounds.limits.receives),
            "maxFees": amount(bounds.limits.fees),
            "maxGas": JSONFormat.ether(bounds.limits.gas, coin),
            "spender": bounds.spender.map { JSONFormat.address($0) } ?? .null,
            "plan": plan,
            "proof": proof.map { ChangesJSON.proof($0) } ?? .null,
        ]
    }

    /// The end of a plan.
    ///
    /// - Parameter data: `transactions` and `outcome` of the command that does the same.
    package static func end(_ data: JSONValue, error: DexError?) -> JSONValue {
        [
            "exitCode": .integer((error?.exit ?? .done).rawValue),
            "transactions": data["transactions"] ?? [],
            "outcome": data["outcome"] ?? orders(data),
            "error": error.map(JSONEnvelope.json) ?? .null,
        ]
    }

    /// The outcome of what trades nothing: the order that was signed, or what became of those to
    /// cancel.
    private static func orders(_ data: JSONValue) -> JSONValue {
        if let hash = data["orderHash"]?.stringValue { return ["orderHash": .string(hash)] }
        return data["orders"].map { ["orders": $0] } ?? .null
    }

    /// The end of a plan that failed: what was sent before counts too.
    package static func end(_ error: DexError) -> JSONValue {
        end(TradeJSON.sent(error.sent), error: error)
    }

    /// The end of a plan whose process was killed, as the chain and the relays tell it.
    package static func end(_ found: PlanFinish.Found) -> JSONValue {
        let outcome: JSONValue =
            found.status.map { ReadJSON.transaction($0) }
            ?? found.order.map { ["orderHash": JSONFormat.hash($0)] } ?? .null
        return end(
            ["transactions": TradeJSON.transactions(found.transactions), "outcome": outcome],
            error: found.error
        )
    }

    // MARK: What is answered

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - sent: what a running plan has sent so far.
    package static func plan(
        _ plan: JournalPlan,
        now: UInt64,
        sent: [SentTransaction] = []
    ) -> JSONValue {
        let state = plan.state(now: now)
        let canBeApproved = state == .open || state == .waiting
        let shown = parsed(plan.shown)
        let end = plan.outcome.map(parsed)
        var object = JSONObject()
        object["planId"] = .string(plan.id.description)
        object["state"] = .string(state.rawValue)
        object["network"] = .string(plan.network)
        object["account"] = JSONFormat.address(plan.account)
        object["expires"] = JSONFormat.integer(plan.expires)
        object["summary"] = shown["summary"] ?? ""
        object["approval"] = .bool(plan.why != nil)
        object["why"] = JSONFormat.text(plan.why)
        object["approve"] = canBeApproved ? .string("dex approve \(plan.id)") : .null
        for key in ["pays", "receives", "maxFees", "maxGas", "spender", "plan", "proof"] {
            object[key] = shown[key] ?? .null
        }
        object["exitCode"] = end?["exitCode"] ?? .null
        object["transactions"] = end?["transactions"] ?? TradeJSON.transactions(sent)
        object["outcome"] = end?["outcome"] ?? .null
        object["error"] = end?["error"] ?? .null
        return .object(object)
    }

    package static func plans(_ plans: [JournalPlan], now: UInt64) -> JSONValue {
        ["plans": .list(plans) { plan($0, now: now) }]
    }

    /// The journal's text; an empty object if it is damaged.
    private static func parsed(_ text: String) -> JSONValue {
        (try? JSONParser.parse(Array(text.utf8))) ?? [:]  // nil: damaged
    }

    // MARK: Descriptions

    /// The shape of a part of the answers of the commands that plans stand for.
    private static func part(_ name: String) -> Shape {
        let commands = [TradeAnswer.trade, TradeAnswer.placed, TradeAnswer.cancel]
        let shapes = commands.compactMap { command in
            command.members.first { $0.name == name }?.shape
        }
        guard name == "outcome" else { return .either(shapes) }
        let order = Shape.object([.init("orderHash", .hash, "The order that was signed")])
        let cancelled = Shape.object([TradeAnswer.cancelledOrders])
        return Shape.either(shapes + [ReadJSON.transaction.shape, order, cancelled]).orNull
    }

    package static let shape = Shape.named(
        .init(
            "agentPlan",
            "A plan of an agent",
            .object([
                .init("planId", .pattern("^[0-9a-f]{16}$"), "Its number"),
                .init("state", .words(of: JournalPlan.State.self), "What became of it"),
                .init("network", .text, "The network's name in the settings"),
                .init("account", .address, "Whose it is"),
                .init("expires", .time, "It is not carried out from then on"),
                .init("summary", .text, "What it does; a sentence"),
                .init("approval", .bool, "A person has to say yes"),
                .init("why", Shape.text.orNull, "The rule that says so, or null"),
                .init("approve", Shape.text.orNull, "The command by which a person says yes"),
                .init("pays", Shape.amount.orNull, "The most that leaves, or null"),
                .init("receives", Shape.amount.orNull, "The least that arrives, or null"),
                .init("maxFees", Shape.amount.orNull, "The most fees beside the gas, or null"),
                .init("maxGas", .amount, "The most that its gas may cost"),
                .init("spender", Shape.address.orNull, "Who gets an allowance, or null"),
                .init("plan", part("plan"), "As of the command that does the same"),
                .init(
                    "proof",
                    ChangesJSON.proof.shape.orNull,
                    "What was proven of it as it was made; null where no proofs are asked"
                ),
                .init("exitCode", Shape.integer.orNull, "Of that command; null before its end"),
                TradeAnswer.transactions,
                .init(
                    "outcome",
                    part("outcome"),
                    "As of that command, or the order or orders of it; after a kill the data of "
                        + "`dex status`"
                ),
                .init("error", AnswerSchema.error.orNull, "Why it did not do it, or null"),
            ])
        )
    )

    package static let answer = Answer(shape)
    package static let list = Answer(
        .init("plans", .list(shape), "The oldest first")
    )
    package static let oneOrAll = Answer([
        "of one plan": shape,
        "of all that are open": .object([.init("plans", .list(shape), "The oldest first")]),
    ])
}
