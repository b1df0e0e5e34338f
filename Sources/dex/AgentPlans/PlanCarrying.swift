import DexCore
import DexSigning
import DexStore
import DexTerminal

/// Carries out a plan for the server of `dex mcp`, once, within its bounds, or has it wait for a
/// person.
struct PlanCarrying: PlanWork {
    typealias Result = Void

    let context: CommandContext
    let parsed: ParsedPlan

    /// - Throws: `DexError` if nothing was signed and the plan can be tried again; exit 6,
    ///   `plan-moved`, after which it is ended.
    func perform<Work: AgentOperation>(
        _ verb: Work.Type,
        _ request: Work.Request,
        needs: [CommandContext.Need]
    ) async throws where Work.Content: PlanView {
        context.liftBudget()
        let session = try context.session(needs)
        let account = try await context.account(session.network)
        context.console.progress(Work.progress(of: request))
        let plan = parsed.plan
        let ready: AgentPlans<Work>.Ready = try await parsed.ready(
            request,
            session,
            account,
            context
        )
        if ready.planned.content.word != nil {
            return try wait(why: plan.why ?? AgentPlanError.farPrice.message)
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
                throw AgentPlanError.locked(account.address, wallet: account.name)
            }
            try ready.check(unlocked)
            signer = unlocked
        } catch let error as DexError where error.code == SigningError.personCode {
            return try wait(why: error.message)
        }
        try Task.checkCancellation()
        // The journal tells how it ended.
        _ = try await parsed.execute(ready, signer)
        context.reported.write(context.console)
    }

    private func wait(why: String) throws {
        try journaled(try parsed.journal.wait(parsed.plan.id, why: why, now: Console.now()))
    }
}
