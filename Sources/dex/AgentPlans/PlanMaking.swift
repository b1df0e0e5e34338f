import DexCore
import DexSigning
import DexStore
import DexTerminal
import Ethereum
import StrictJSON
import ZeroEx

/// Plans what an agent asks for, and keeps the plan.
struct PlanMaking: PlanWork {
    typealias Result = JournalPlan

    let context: CommandContext
    let asked: AgentRequest
    /// What the client calls itself, cleaned; nil without a name.
    let client: String?

    /// - Throws: `DexError`, as the operation; exit 6, `policy`, for what is forbidden even to a
    ///   person, and `too-many-plans`.
    func perform<Work: AgentOperation>(
        _ verb: Work.Type,
        _ request: Work.Request,
        needs: [CommandContext.Need]
    ) async throws -> JournalPlan where Work.Content: PlanView {
        let session = try context.session(needs)
        let network = session.network
        let journal = try context.journal(network)
        let account = try await context.account(network)
        guard account.key != nil else { throw account.noKey }
        context.console.progress(Work.progress(of: request))
        let made = try await AgentPlans<Work>(
            session: session,
            journal: journal,
            settings: try asked.settings(context)
        ).make(
            request,
            account: account.address,
            signer: try context.unlockedSigner(of: account)
                ?? context.rules(of: account, origin: nil)
        )
        var generator = SystemRandomNumberGenerator()
        let id = PlanID(number: generator.next())
        let why = try made.why ?? limit(made, account, id)
        let now = Console.now()
        let words = try PlanWords(network, made.bounds)
        let shown = AgentPlanJSON.shown(
            made.bounds,
            summary: words.summary(of: asked, made.bounds),
            coin: network.coin,
            token: words.token,
            plan: made.planned.content.json["plan"] ?? .null,
            proof: made.planned.proof
        )
        let plan = JournalPlan(
            id: id,
            chainID: network.chainID,
            network: network.name,
            account: account.address,
            created: now,
            expires: now + AgentPlanLife.seconds,
            client: client,
            request: asked.record.text,
            bounds: made.bounds.record.text,
            shown: shown.text,
            why: why
        )
        try journaled(try journal.add(plan))
        return plan
    }

    /// Why a person has to say yes by `[mcp]`, or since no agent can use the key; nil if none does.
    private func limit<Work: AgentOperation>(
        _ made: AgentPlans<Work>.Made,
        _ account: Account,
        _ id: PlanID
    ) throws -> String? {
        do {
            let origin = PlanOrigin(plan: id.number, isApproved: false)
            try made.check(try context.rules(of: account, origin: origin))
            // A key of another kind needs a person whatever the limits.
            _ = try context.agentSigner(of: account, plan: id)
            return nil
        } catch let error as DexError where error.code == SigningError.personCode {
            return error.message
        }
    }
}
