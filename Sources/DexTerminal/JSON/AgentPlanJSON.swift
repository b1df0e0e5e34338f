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

    /// A plan of the journal, at a moment.
    struct Row: Sendable {
        let plan: JournalPlan
        let now: UInt64
        fileprivate let sent: [SentTransaction]
        fileprivate let shown: JSONValue
        fileprivate let end: JSONValue?

        /// - Parameters:
        ///   - now: seconds since 1970.
        ///   - sent: what a running plan has sent so far.
        init(_ plan: JournalPlan, now: UInt64, sent: [SentTransaction] = []) {
            self.plan = plan
            self.now = now
            self.sent = sent
            shown = Self.parsed(plan.shown)
            end = plan.outcome.map(Self.parsed)
        }

        /// The journal's text; an empty object if it is damaged.
        private static func parsed(_ text: String) -> JSONValue {
            (try? JSONParser.parse(Array(text.utf8))) ?? [:]  // nil: damaged
        }

        fileprivate var state: JournalPlan.State { plan.state(now: now) }

        fileprivate var approve: String? {
            [.open, .waiting].contains(state) ? "dex approve \(plan.id)" : nil
        }

        var summary: String { shown["summary"]?.stringValue ?? "" }
    }

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - sent: what a running plan has sent so far.
    package static func plan(
        _ plan: JournalPlan,
        now: UInt64,
        sent: [SentTransaction] = []
    ) -> JSONValue {
        row(Row(plan, now: now, sent: sent))
    }

    package static func plans(_ plans: [JournalPlan], now: UInt64) -> JSONValue {
        ["plans": .list(plans) { plan($0, now: now) }]
    }

    static let row = Fields<Row>(named: "agentPlan", "A plan of an agent") {
        Field("planId", "Its number", as: .pattern("^[0-9a-f]{16}$")) {
            ExactText($0.plan.id.description)
        }
        .shown(0, "ID") { row, _ in .init(String(row.plan.id.description.prefix(8))) }
        Field("state", "What became of it", \.state.word)
            .shown(2, "STATE") { row, _ in
                .init(row.state.rawValue, row.state == .waiting ? .yellow : nil)
            }
        Field("network", "The network's name in the settings") { ExactText($0.plan.network) }
        Field("account", "Whose it is", \.plan.account)
        Field("expires", "It is not carried out from then on", as: .time, \.plan.expires)
            .shown(1, "AGE", .right) { row, _ in
                .init(TimeSpan.text(row.now - min(row.now, row.plan.created)))
            }
        Field("summary", "What it does; a sentence") { ExactText($0.summary) }
        Field("approval", "A person has to say yes") { $0.plan.why != nil }
            .shown(5, "WHO", dropOrder: 1) { row, _ in
                .init(PlainText.clean(row.plan.client ?? "-", limit: 40))
            }
        Field("why", "The rule that says so, or null", \.plan.why)
        Field("approve", "The command by which a person says yes") {
            $0.approve.map { ExactText($0) }
        }
        kept("pays", "The most that leaves, or null", Shape.amount.orNull)
            .shown(3, "PAYS AT MOST", .right) { row, _ in .init(amount(row.shown["pays"])) }
        kept("receives", "The least that arrives, or null", Shape.amount.orNull)
            .shown(4, "BRINGS AT LEAST", .right) { row, _ in .init(amount(row.shown["receives"])) }
        kept("maxFees", "The most fees beside the gas, or null", Shape.amount.orNull)
        kept("maxGas", "The most that its gas may cost", .amount)
        kept("spender", "Who gets an allowance, or null", Shape.address.orNull)
        kept("plan", "As of the command that does the same", part("plan"))
        kept(
            "proof",
            "What was proven of it as it was made; null where no proofs are asked",
            ChangesJSON.proof.shape.orNull
        )
        ended("exitCode", "Of that command; null before its end", Shape.integer.orNull)
        Field(
            json: TradeAnswer.transactions.name,
            TradeAnswer.transactions.about,
            TradeAnswer.transactions.shape
        ) { $0.end?["transactions"] ?? TradeJSON.transactions($0.sent) }
        ended(
            "outcome",
            "As of that command, or the order or orders of it; after a kill the data of `dex status`",
            part("outcome")
        )
        ended("error", "Why it did not do it, or null", AnswerSchema.error.orNull)
    }

    /// What the journal keeps from its making on.
    private static func kept(_ name: String, _ about: String, _ shape: Shape) -> Field<Row> {
        Field(json: name, about, shape) { $0.shown[name] ?? .null }
    }

    /// What its end says.
    private static func ended(_ name: String, _ about: String, _ shape: Shape) -> Field<Row> {
        Field(json: name, about, shape) { $0.end?[name] ?? .null }
    }

    /// An amount of JSON as text; `-` without one.
    static func amount(_ amount: JSONValue?) -> String {
        guard let amount, !amount.isNull else { return "-" }
        let value = amount["value"]?.stringValue ?? amount["raw"]?.stringValue ?? "?"
        return "\(value) \(PlainText.name(amount["symbol"]?.stringValue ?? ""))"
    }

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

    private static let shape = row.shape

    package static let answer = Answer(shape)
    package static let list = Answer(
        .init("plans", .list(shape), "The oldest first")
    )
    package static let oneOrAll = Answer([
        "of one plan": shape,
        "of all that are open": .object([.init("plans", .list(shape), "The oldest first")]),
    ])
}
