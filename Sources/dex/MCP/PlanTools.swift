import DexCore
import DexSigning
import DexStore
import DexTerminal
import Ethereum
import StrictJSON
import ZeroEx

/// The tools that plan, tell what became of plans, and carry them out.
extension Tool {
    static let planning: [Tool] = [
        limits, planTrade, planLimit, planCancel, plans, execute,
    ]

    private static let side = ToolParameter(
        "side",
        .words(["buy", "sell"]),
        "What to do with BASE"
    )

    private static let limits = Tool(
        description: ToolDescription(
            "limits",
            "Limits",
            "What execute may do now without a person, and how much is left of it.",
            ring: .look,
            answer: StandingLimits.answer
        )
    ) { call in
        ToolAnswer(data: try await StandingLimits(try call.context()).json(call.host.ring))
    }

    private static let planTrade = Tool(
        description: ToolDescription(
            "plan_trade",
            "Plan a trade",
            "Plan a market order. Nothing is signed; the plan holds 10 minutes.",
            ring: .plan,
            effect: .keeps,
            parameters: [
                .pair, side,
                .optional("amount", .text(maximum: 80), "Of BASE: 1.5, 50% or max"),
                .optional("spend", .text(maximum: 80), "Of QUOTE, to buy for, in place of amount"),
                .optional("slippage", .text(maximum: 20), "Percent; 1 if left out, 0.5 at pools"),
                .optional("limitPrice", .text(maximum: 80), "Worst price, in place of slippage"),
                .optional("via", .words(VenueChoice.allCases.map(\.rawValue)), "best if left out"),
            ],
            answer: AgentPlanJSON.answer
        )
    ) { call in
        let given = call.arguments
        let (amount, spend) = (given.text("amount"), given.text("spend"))
        let slippage = given.text("slippage")
        guard let side = given.text("side").flatMap(TradeSide.init(rawValue:)),
            let pair = given.text("pair"), let size = amount ?? spend,
            amount == nil || spend == nil, spend == nil || side == .buy,
            slippage == nil || given.text("limitPrice") == nil
        else {
            throw DexError(
                ToolArgumentError.refused(
                    "Give amount, or spend to buy for; and slippage or limitPrice, not both."
                )
            )
        }
        let request = MarketRequest(
            side: side,
            pair: pair,
            amount: size,
            spends: spend != nil,
            limitPrice: given.text("limitPrice"),
            via: given.text("via").flatMap(VenueChoice.init(rawValue:))
        )
        let points = try slippage.map { try TradeSettings.basisPoints($0) }
        return try await make(.market(request, slippage: points), call)
    }

    private static let planLimit = Tool(
        description: ToolDescription(
            "plan_limit",
            "Plan a limit order",
            "Plan a limit order, to be signed and posted to the relay. Nothing is signed.",
            ring: .plan,
            effect: .keeps,
            parameters: [
                .pair, side,
                ToolParameter("amount", .text(maximum: 80), "Of BASE"),
                ToolParameter("price", .text(maximum: 80), "QUOTE per BASE, or mid-0.1%, bid+1"),
                .optional("expires", .text(maximum: 40), "30m, 7d; 24h if left out"),
            ],
            answer: AgentPlanJSON.answer
        )
    ) { call in
        let given = call.arguments
        guard let side = given.text("side").flatMap(TradeSide.init(rawValue:)),
            let pair = given.text("pair"), let amount = given.text("amount"),
            let price = given.text("price")
        else { throw DexError(ToolArgumentError.refused("pair, side, amount, price are needed.")) }
        let request = LimitRequest(
            side: side,
            pair: pair,
            amount: amount,
            price: price,
            expiry: try OrderExpiry(given.text("expires") ?? "24h")
        )
        return try await make(.limit(request), call)
    }

    private static let planCancel = Tool(
        description: ToolDescription(
            "plan_cancel",
            "Plan a cancel",
            "Plan the cancel of own orders on chain. Nothing is signed.",
            ring: .plan,
            effect: .keeps,
            parameters: [ToolParameter("orders", .hashes(maximum: 16))],
            answer: AgentPlanJSON.answer
        )
    ) { call in
        let orders = try call.arguments.list("orders").map { try OrderHash(hex: $0) }
        return try await make(.cancel(orders), call)
    }

    private static let plans = Tool(
        description: ToolDescription(
            "plans",
            "Plans",
            "State and outcome of a plan, or of all that are open.",
            ring: .plan,
            parameters: [.optional("plan", .plan)],
            answer: AgentPlanJSON.oneOrAll
        )
    ) { call in
        let (desk, context) = (call.host.desk, try call.context())
        guard let id = call.arguments.text("plan").flatMap(PlanID.init) else {
            let plans = try await desk.open(context).map {
                call.fenced(AgentPlanJSON.plan($0, now: Console.now()))
            }
            return ToolAnswer(data: ["plans": .array(plans)])
        }
        let kept = try await desk.find(id, context)
        return ToolAnswer(data: call.fenced(await desk.answer(kept, context, within: 5)))
    }

    private static let execute = Tool(
        description: ToolDescription(
            "execute",
            "Execute",
            "Carry out a plan once, or hand it to a person if its limits do not allow it.",
            ring: .do,
            effect: .moves,
            parameters: [
                ToolParameter("plan", .plan),
                .optional("wait", .integer(0...300), "Seconds to wait for the outcome"),
            ],
            answer: AgentPlanJSON.answer
        )
    ) { call in
        guard let id = call.arguments.text("plan").flatMap(PlanID.init) else {
            throw DexError(ToolArgumentError.refused("plan is needed."))
        }
        let desk = call.host.desk
        do {
            let data = try await desk.execute(
                id,
                wait: call.arguments.integer("wait").map { UInt64($0) }
            ) { () throws(DexError) in try call.context() }
            return ToolAnswer(data: call.fenced(data))
        } catch {
            var about = JSONObject()
            about["planId"] = .string(id.description)
            // nil: there is no such plan here, so it has no state
            if let context = try? call.context(), let kept = try? await desk.find(id, context) {
                about["state"] = .string(kept.state().rawValue)
            }
            throw ToolFailure(error: Failure.describe(error), about: about)
        }
    }

    private static func make(_ asked: AgentRequest, _ call: ToolCall) async throws -> ToolAnswer {
        let context = try call.context()
        let making = PlanMaking(
            context: context,
            asked: asked,
            client: call.client.isEmpty ? nil : call.client
        )
        let plan = try await asked.with(making)
        return ToolAnswer(
            data: call.fenced(AgentPlanJSON.plan(plan, now: Console.now())),
            warnings: context.late.all,
            stale: context.freshness.stale
        )
    }
}

extension ToolCall {
    /// A plan whose error has the words of others last, as every error here.
    fileprivate func fenced(_ plan: JSONValue) -> JSONValue {
        guard var object = plan.objectValue, var error = object["error"]?.objectValue else {
            return plan
        }
        for key in ["message", "hint"] {
            guard let text = error[key]?.stringValue else { continue }
            error[key] = .string(FencedSentence(text, host.machine).text)
        }
        object["error"] = .object(error)
        return .object(object)
    }
}
