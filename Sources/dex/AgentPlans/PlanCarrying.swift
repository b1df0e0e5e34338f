import DexCore
import DexSigning
import DexStore
import DexTerminal
import StrictJSON

/// Carries out a plan for the server of `dex mcp`, once, within its bounds.
struct PlanCarrying: PlanWork {
    typealias Result = End

    let context: CommandContext
    let journal: Journal
    let plan: JournalPlan
    let bounds: PlanBounds
    let asked: AgentRequest

    enum End: Sendable {
        /// The journal has what came of it.
        case ended
        /// A person has to say yes, and it waits for that.
        case waits
    }

    /// - Throws: `DexError` if nothing was signed and the plan can be tried again; exit 6,
    ///   `plan-moved`, after which it is ended.
    func perform<Work: AgentOperation>(
        _ request: Work.Request,
        _ view: OperationView<Work>,
        needs: [CommandContext.Need]
    ) async throws -> End {
        context.liftBudget()
        let session = try context.session(needs)
        let account = try context.account(session.network)
        context.console.progress(view.progress(request))
        let ready = try await prepared(
            AgentPlans<Work>(
                session: session,
                journal: journal,
                settings: try asked.settings(context)
            ),
            request,
            account
        )
        if ready.guardWord != nil {
            return try wait(why: plan.why ?? DexError(AgentPlanError.farPrice).message)
        }
        let signer: AuthorizedSigner
        do {
            try ready.check(
                try context.rules(
                    of: account,
                    origin: PlanOrigin(plan: plan.id.number, isApproved: false)
                )
            )
            guard let unlocked = try context.agentSigner(of: account, plan: plan.id) else {
                throw DexError(AgentPlanError.locked(account.address, wallet: account.name))
            }
            try ready.check(unlocked)
            signer = unlocked
        } catch let error as DexError where error.code == SigningError.personCode {
            return try wait(why: error.message)
        }
        try Task.checkCancellation()
        do {
            let outcome = try await ready.execute(signer)
            try journal.end(plan.id, AgentPlanJSON.end(outcome, view), outcome.error)
        } catch {
            // Without an intent of our own it can be tried again.
            let isOurs = try journaled(try journal.carriesOut(plan.id))
            guard isOurs || error.endsPlan else { throw error }
            try journal.end(plan.id, AgentPlanJSON.end(error), error)
        }
        context.reported.write(context.console)
        return .ended
    }

    private func prepared<Work: AgentOperation>(
        _ plans: AgentPlans<Work>,
        _ request: Work.Request,
        _ account: Account
    ) async throws -> AgentPlans<Work>.Ready {
        do {
            return try await plans.ready(
                plan,
                bounds,
                request,
                signer: try context.rules(of: account, origin: nil)
            )
        } catch let error as DexError where error.endsPlan {
            try journal.end(plan.id, AgentPlanJSON.end(error), error)
            throw error
        }
    }

    private func wait(why: String) throws -> End {
        try journaled(try journal.wait(plan.id, why: why, now: Console.now()))
        return .waits
    }
}

extension Journal {
    /// Records how a plan ended, unless what it signed may still come to another end: `execute`,
    /// `plans` and `dex resume` find that when they are asked.
    func end(_ id: PlanID, _ end: JSONValue, _ error: DexError?) throws(DexError) {
        let isInDoubt = error.map { [.notMinedYet, .unreachable, .interrupted].contains($0.kind) }
        if isInDoubt == true, try journaled(try agentPlan(id))?.isSigned == true { return }
        try journaled(try self.end(id, outcome: end.text, now: Console.now()))
    }
}

extension AgentPlanJSON {
    /// The end of a plan by its operation's outcome.
    static func end<Work: AgentOperation>(
        _ outcome: Work.Outcome,
        _ view: OperationView<Work>
    ) -> JSONValue {
        end(view.outcomeJSON(outcome), error: outcome.error)
    }
}
