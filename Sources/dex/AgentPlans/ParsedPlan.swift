import DexCore
import DexSigning
import DexStore
import DexTerminal
import StrictJSON

/// A plan of the journal whose request and bounds are read: by a person's yes or by the server of
/// `dex mcp` it is planned again, carried out, and its end is recorded.
struct ParsedPlan: Sendable {
    let plan: JournalPlan
    let journal: Journal
    let asked: AgentRequest
    private let bounds: PlanBounds

    /// - Throws: `DexError`, exit 2, `no-such-plan`, if the journal's text is damaged.
    init(_ plan: JournalPlan, _ journal: Journal) throws(DexError) {
        guard let asked = plan.asked, let bounds = plan.kept else {
            throw AgentPlanError.noSuchPlan(text: plan.id.description)
        }
        self.plan = plan
        self.journal = journal
        self.asked = asked
        self.bounds = bounds
    }

    /// Plans it again, within its bounds.
    ///
    /// - Throws: `DexError`, as the operation; exit 6, `plan-moved`, after which it is ended.
    func ready<Work: AgentOperation>(
        _ request: Work.Request,
        _ session: Session,
        _ account: Account,
        _ context: CommandContext
    ) async throws -> AgentPlans<Work>.Ready {
        let plans = AgentPlans<Work>(
            session: session,
            journal: journal,
            settings: try asked.settings(context)
        )
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

    /// Carries it out and records how it ended.
    ///
    /// - Returns: the outcome, or the error that ended it.
    /// - Throws: `DexError` if nothing was signed for it and it can be tried again; if the journal
    ///   cannot be written.
    func execute<Work: AgentOperation>(
        _ ready: AgentPlans<Work>.Ready,
        _ signer: AuthorizedSigner
    ) async throws(DexError) -> Result<Work.Content.Outcome, DexError>
    where Work.Content: PlanView {
        let outcome: Work.Content.Outcome
        do {
            outcome = try await ready.execute(signer)
        } catch {
            // Without an intent of its own it can be tried again.
            let isOurs = try journaled(try journal.carriesOut(plan.id))
            guard isOurs || error.endsPlan else { throw error }
            try journal.end(plan.id, AgentPlanJSON.end(error), error)
            return .failure(error)
        }
        try journal.end(
            plan.id,
            AgentPlanJSON.end(outcome.json, error: outcome.error),
            outcome.error
        )
        return .success(outcome)
    }
}

extension Journal {
    /// Records how a plan ended, unless what it signed may still come to another end: `execute`,
    /// `plans` and `dex resume` find that when they are asked.
    fileprivate func end(
        _ id: PlanID,
        _ end: JSONValue,
        _ error: DexError?
    ) throws(DexError) {
        let isInDoubt = error.map { [.notMinedYet, .unreachable, .interrupted].contains($0.kind) }
        if isInDoubt == true, try journaled(try agentPlan(id))?.isSigned == true { return }
        try journaled(try self.end(id, outcome: end.text, now: Console.now()))
    }
}
