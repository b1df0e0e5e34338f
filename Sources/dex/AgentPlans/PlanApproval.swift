import DexCore
import DexSigning
import DexStore
import DexTerminal

extension CommandContext {
    /// Plans a plan again within its bounds, shows it, asks, signs and sends.
    ///
    /// - Throws: `DexError`: exit 6, `plan-moved`, `policy` and the like; exit 20 for a no; exit 5 for
    ///   a wrong password; `CancellationError` after a signal.
    func approve(_ plan: JournalPlan, _ journal: Journal) async throws -> CommandReport {
        if let error = plan.closedError(now: Console.now()) { throw error }
        let parsed = try ParsedPlan(plan, journal)
        let context = try await acting(for: plan)
        defer { context.reported.write(console) }
        return try await parsed.asked.with(
            PlanApproval(context: context, outer: self, parsed: parsed)
        )
    }
}

/// A person's yes to a plan.
private struct PlanApproval: PlanWork {
    typealias Result = CommandReport

    let context: CommandContext
    /// The command that asks.
    let outer: CommandContext
    let parsed: ParsedPlan

    func perform<Work: AgentOperation>(
        _ verb: Work.Type,
        _ request: Work.Request,
        needs: [CommandContext.Need]
    ) async throws -> CommandReport where Work.Content: PlanView {
        let session = try context.session(needs)
        let account = try await context.account(session.network)
        context.console.progress(Work.progress(of: request))
        let plan = parsed.plan
        let ready: AgentPlans<Work>.Ready = try await parsed.ready(
            request,
            session,
            account,
            context
        ).proven()
        let (planned, shown) = (ready.planned, ready.planned.content)
        let lines = { @Sendable (screen: Screen) in
            AgentPlanView(plan, now: Console.now()).head(screen)
                + shown.lines(screen, proof: planned.proof)
        }
        let origin = PlanOrigin(plan: plan.id.number, isApproved: true)
        do {
            try ready.check(try context.rules(of: account, origin: origin))
            if let unlocked = try context.unlockedSigner(of: account, origin: origin) {
                try ready.check(unlocked)
            }
        } catch {
            // The plan is shown, since the rule names only one part of it.
            context.console.note(lines: lines(context.console.errorScreen) + [""])
            throw error
        }
        let report = PlanReport(
            data: AgentPlanJSON.plan(plan, now: Console.now()),
            warnings: shown.warnings,
            question: shown.question
        ) { lines($0) }
        if let end = try await context.agreed(report) { return end }
        let signer = try await context.approvedSigner(of: account, plan: plan.id)
        outer.signingMark.pass()
        let outcome = try await parsed.execute(ready, signer).get()
        return CommandReport(
            data: AgentPlanJSON.plan(plan, now: Console.now()),
            error: outcome.error
        ) { outcome.lines($0) }
    }
}

/// Asks about each plan as it begins to wait, one at a time, until a signal.
struct PlanWatch {
    private let context: CommandContext
    private var asked: Set<PlanID> = []

    init(_ context: CommandContext) {
        self.context = context
    }

    /// Milliseconds between two looks at the journals.
    private static let pause: Int64 = 500

    mutating func run() async throws {
        context.console.note("Watching for plans that wait for a person. Ctrl-C ends it.")
        while true {
            try Task.checkCancellation()
            if let (plan, journal) = try next() {
                asked.insert(plan.id)
                try await ask(plan, journal)
                continue
            }
            try await Task.sleep(for: .milliseconds(Self.pause))
        }
    }

    private func next() throws(DexError) -> (JournalPlan, Journal)? {
        let now = Console.now()
        var waiting: [(JournalPlan, Journal)] = []
        for journal in try context.planJournals() {
            let plans = try journaled(try journal.agentPlans())
            waiting += plans.filter { $0.state(now: now) == .waiting && !asked.contains($0.id) }
                .map { ($0, journal) }
        }
        // The one that waits longest comes first.
        return waiting.min { ($0.0.waits ?? 0, $0.0.created) < ($1.0.waits ?? 0, $1.0.created) }
    }

    /// An error ends the question, not the watch.
    private func ask(_ plan: JournalPlan, _ journal: Journal) async throws {
        do {
            let report = try await context.approve(plan, journal)
            let lines = report.lines(context.console.screen)
            context.console.result(lines.joined(separator: "\n"))
            if let error = report.error { context.console.failure(error) }
        } catch let error as CancellationError {
            throw error
        } catch {
            context.console.failure(Failure.describe(error))
        }
    }
}
