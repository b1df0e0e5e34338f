package import DexCore
package import StrictJSON

/// The view of an operation: its plan before the user is asked, and its result.
package struct OperationView<Content: PlanContent>: Sendable {
    /// The progress line while the plan is made.
    package let progress: String
    package let planJSON: @Sendable (Content) -> JSONValue
    package let planLines: @Sendable (Content, Screen) -> [String]
    package private(set) var question: @Sendable (Content) -> PlanQuestion
    package private(set) var outcomeJSON: @Sendable (Content.Outcome) -> JSONValue
    package private(set) var outcomeLines: @Sendable (Content.Outcome, Screen) -> [String]

    /// The plan, and what is proven of it.
    package func lines(of plan: Plan<Content>, _ screen: Screen) -> [String] {
        planLines(plan.content, screen) + ProofText.lines(plan.proof, screen)
    }
}

extension OperationView<TradePlan> {
    /// - Parameter pair: as it was asked for; nil of a trade that is planned already.
    package static func market(of pair: String? = nil) -> Self {
        trade(pair.map { "reading the book of \($0)" } ?? "")
    }

    package static var fill: Self { trade("reading the order", namesOrder: true) }

    private static func trade(_ progress: String, namesOrder: Bool = false) -> Self {
        Self(
            progress: progress,
            planJSON: { TradeJSON.plan($0) },
            planLines: { TradePlanView(plan: $0, namesOrder: namesOrder).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { TradeJSON.outcome($0) },
            outcomeLines: { TradeOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<SplitPlan> {
    /// - Parameter pair: as it was asked for.
    package static func split(of pair: String) -> Self {
        Self(
            progress: "reading the book of \(pair), and what else trades it",
            planJSON: { TradeJSON.splitPlan($0) },
            planLines: { SplitPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { TradeJSON.splitOutcome($0) },
            outcomeLines: { SplitOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<LimitPlan> {
    package static var limit: Self {
        Self(
            progress: "planning the order",
            planJSON: { TradeJSON.limitPlan($0) },
            planLines: { LimitPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { TradeJSON.limitOutcome($0) },
            outcomeLines: { LimitOutcomeView(outcome: $0).lines($1) }
        )
    }

    /// The same for commands that only need the signed order.
    package static var order: Self {
        var view = limit
        view.outcomeLines = { outcome, _ in [outcome.wire] }
        return view
    }
}

extension OperationView<LimitPlan> {
    /// The same for an order that goes into a file, and is not posted.
    package static func heldOrder(path: String) -> Self {
        var view = limit
        view.question = { PlanQuestion($0).withoutSending }
        view.outcomeJSON = { outcome in
            var data = TradeJSON.limitOutcome(outcome).objectValue ?? JSONObject()
            data["file"] = JSONFormat.text(path)
            return .object(data)
        }
        view.outcomeLines = { HeldOrderView($0, path: path).lines($1) }
        return view
    }
}

extension OperationView<LadderPlan> {
    package static var ladder: Self {
        Self(
            progress: "planning the orders",
            planJSON: { TradeJSON.ladderPlan($0) },
            planLines: { LadderPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { TradeJSON.ladderOutcome($0) },
            outcomeLines: { LadderOutcomeView(outcome: $0).lines($1) }
        )
    }

    /// The same for commands that only need the signed orders, one a line.
    package static var orders: Self {
        var view = ladder
        view.outcomeLines = { outcome, _ in outcome.placed.map(\.wire) }
        return view
    }
}

extension OperationView<ReplaceOrderPlan> {
    package static var replace: Self {
        Self(
            progress: "reading the order",
            planJSON: { TradeJSON.replacePlan($0) },
            planLines: { ReplaceOrderPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { TradeJSON.replaceOutcome($0) },
            outcomeLines: { ReplaceOrderOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<CancelPlan> {
    package static var cancel: Self {
        Self(
            progress: "reading own orders",
            planJSON: { TradeJSON.cancelPlan($0) },
            planLines: { CancelPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { TradeJSON.cancelOutcome($0) },
            outcomeLines: { CancelOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<AllowancePlan> {
    package static var allowance: Self {
        Self(
            progress: "reading the allowance",
            planJSON: { MoneyJSON.plan($0) },
            planLines: { AllowancePlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { MoneyJSON.outcome($0) },
            outcomeLines: { AllowanceOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<RevocationPlan> {
    package static var revocation: Self {
        Self(
            progress: "reading the allowances",
            planJSON: { MoneyJSON.plan($0) },
            planLines: { RevocationPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { MoneyJSON.outcome($0) },
            outcomeLines: { RevocationOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<TransferPlan> {
    package static var transfer: Self {
        Self(
            progress: "reading the chain",
            planJSON: { MoneyJSON.plan($0) },
            planLines: { TransferPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { MoneyJSON.outcome($0) },
            outcomeLines: { TransferOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<TransactPlan> {
    package static var transact: Self {
        Self(
            progress: "simulating the call",
            planJSON: { MoneyJSON.plan($0) },
            planLines: { TransactPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { MoneyJSON.outcome($0) },
            outcomeLines: { TransactOutcomeView(outcome: $0).lines($1) }
        )
    }
}

extension OperationView<ReplacementPlan> {
    package static var replacement: Self {
        Self(
            progress: "reading the chain",
            planJSON: { LifeJSON.plan($0) },
            planLines: { ReplacementPlanView(plan: $0).lines($1) },
            question: { PlanQuestion($0) },
            outcomeJSON: { LifeJSON.outcome($0) },
            outcomeLines: { ReplacementOutcomeView(outcome: $0).lines($1) }
        )
    }
}
