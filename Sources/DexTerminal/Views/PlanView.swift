package import DexCore
package import StrictJSON

/// A plan as a user and a program see it before it is signed.
package protocol PlanView: PlanContent where Outcome: OutcomeView {
    var json: JSONValue { get }
    var question: PlanQuestion { get }

    func lines(_ screen: Screen) -> [String]
}

extension PlanView {
    /// The plan, and what is proven of it.
    package func lines(_ screen: Screen, proof: StateProof?) -> [String] {
        lines(screen) + ProofText.lines(proof, screen)
    }
}

/// What a plan did, as a user and a program see it.
package protocol OutcomeView: OperationOutcome {
    var json: JSONValue { get }

    func lines(_ screen: Screen) -> [String]
}

extension TradePlan: PlanView {
    package var json: JSONValue { TradeJSON.plan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { TradePlanView(plan: self).lines(screen) }
}

extension TradeOutcome: OutcomeView {
    package var json: JSONValue { TradeJSON.outcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        TradeOutcomeView(outcome: self).lines(screen)
    }
}

extension SplitPlan: PlanView {
    package var json: JSONValue { TradeJSON.splitPlan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { SplitPlanView(plan: self).lines(screen) }
}

extension SplitOutcome: OutcomeView {
    package var json: JSONValue { TradeJSON.splitOutcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        SplitOutcomeView(outcome: self).lines(screen)
    }
}

extension LimitPlan: PlanView {
    package var json: JSONValue { TradeJSON.limitPlan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { LimitPlanView(plan: self).lines(screen) }
}

extension LimitOutcome: OutcomeView {
    package var json: JSONValue { TradeJSON.limitOutcome(self) }

    /// The signed order alone, where nothing was to be posted.
    package func lines(_ screen: Screen) -> [String] {
        plan.targets.isEmpty ? [wire] : LimitOutcomeView(outcome: self).lines(screen)
    }
}

extension LimitOutcome {
    /// The JSON of an order that went into a file, and was not posted.
    package func json(path: String) -> JSONValue {
        var data = json.objectValue ?? JSONObject()
        data["file"] = JSONFormat.text(path)
        return .object(data)
    }

    /// The same for a screen.
    package func lines(_ screen: Screen, path: String) -> [String] {
        HeldOrderView(self, path: path).lines(screen)
    }
}

extension LadderPlan: PlanView {
    package var json: JSONValue { TradeJSON.ladderPlan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { LadderPlanView(plan: self).lines(screen) }
}

extension LadderOutcome: OutcomeView {
    package var json: JSONValue { TradeJSON.ladderOutcome(self) }

    /// The signed orders alone, one a line, where nothing was to be posted.
    package func lines(_ screen: Screen) -> [String] {
        plan.rungs.allSatisfy(\.targets.isEmpty)
            ? placed.map(\.wire) : LadderOutcomeView(outcome: self).lines(screen)
    }
}

extension ReplaceOrderPlan: PlanView {
    package var json: JSONValue { TradeJSON.replacePlan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] {
        ReplaceOrderPlanView(plan: self).lines(screen)
    }
}

extension ReplaceOrderOutcome: OutcomeView {
    package var json: JSONValue { TradeJSON.replaceOutcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        ReplaceOrderOutcomeView(outcome: self).lines(screen)
    }
}

extension CancelPlan: PlanView {
    package var json: JSONValue { TradeJSON.cancelPlan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { CancelPlanView(plan: self).lines(screen) }
}

extension CancelOutcome: OutcomeView {
    package var json: JSONValue { TradeJSON.cancelOutcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        CancelOutcomeView(outcome: self).lines(screen)
    }
}

extension AllowancePlan: PlanView {
    package var json: JSONValue { MoneyJSON.plan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { AllowancePlanView(plan: self).lines(screen) }
}

extension AllowanceOutcome: OutcomeView {
    package var json: JSONValue { MoneyJSON.outcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        AllowanceOutcomeView(outcome: self).lines(screen)
    }
}

extension RevocationPlan: PlanView {
    package var json: JSONValue { MoneyJSON.plan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] {
        RevocationPlanView(plan: self).lines(screen)
    }
}

extension RevocationOutcome: OutcomeView {
    package var json: JSONValue { MoneyJSON.outcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        RevocationOutcomeView(outcome: self).lines(screen)
    }
}

extension TransferPlan: PlanView {
    package var json: JSONValue { MoneyJSON.plan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { TransferPlanView(plan: self).lines(screen) }
}

extension TransferOutcome: OutcomeView {
    package var json: JSONValue { MoneyJSON.outcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        TransferOutcomeView(outcome: self).lines(screen)
    }
}

extension TransactPlan: PlanView {
    package var json: JSONValue { MoneyJSON.plan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] { TransactPlanView(plan: self).lines(screen) }
}

extension TransactOutcome: OutcomeView {
    package var json: JSONValue { MoneyJSON.outcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        TransactOutcomeView(outcome: self).lines(screen)
    }
}

extension ReplacementPlan: PlanView {
    package var json: JSONValue { LifeJSON.plan(self) }
    package var question: PlanQuestion { PlanQuestion(self) }
    package func lines(_ screen: Screen) -> [String] {
        ReplacementPlanView(plan: self).lines(screen)
    }
}

extension ReplacementOutcome: OutcomeView {
    package var json: JSONValue { LifeJSON.outcome(self) }
    package func lines(_ screen: Screen) -> [String] {
        ReplacementOutcomeView(outcome: self).lines(screen)
    }
}
