import DexCore
import DexStore
import DexTerminal
import Ethereum
import StrictJSON
import Synchronization

/// The plans of one network and account, as the server of `dex mcp` answers for them.
///
/// It outlives the calls: what is being signed and sent goes on when its call is withdrawn.
final class PlanDesk: Sendable {
    /// What it carries out now.
    private let running = Mutex<[PlanID: Task<Void, Never>]>([:])

    /// Milliseconds between two looks at the journal.
    private static let pause: UInt64 = 250
    /// Milliseconds between two looks at what this process itself carries out.
    private static let shortPause: UInt64 = 10

    /// A plan, where it is kept, and the coin of its network.
    struct Kept: Sendable {
        var plan: JournalPlan
        let journal: Journal
        fileprivate let coin: CoinSymbol

        func state() -> JournalPlan.State { plan.state(now: Console.now()) }

        /// Reads what other processes made of it meanwhile.
        fileprivate mutating func refresh() throws(DexError) {
            plan = try Self.plan(plan.id, journal)
        }

        fileprivate static func plan(
            _ id: PlanID,
            _ journal: Journal
        ) throws(DexError) -> JournalPlan {
            guard let plan = try journaled(try journal.agentPlan(id)) else {
                throw AgentPlanError.noSuchPlan(text: id.description)
            }
            return plan
        }

        /// As it is answered: with what it has sent, while its outcome is not known.
        fileprivate func json() -> JSONValue {
            AgentPlanJSON.plan(plan, now: Console.now(), sent: sent())
        }

        private func sent() -> [SentTransaction] {
            guard plan.outcome == nil, let intent = plan.intent,
                let signed = try? journal.signed(for: intent)  // nil: shown without
            else { return [] }
            return signed.transactions.compactMap { SentTransaction(of: $0, coin) }
        }
    }

    // MARK: Reading

    /// The plan of a number, which has to be of the context's network and account.
    ///
    /// - Throws: `DexError`, exit 2, `no-such-plan`.
    func find(_ id: PlanID, _ context: CommandContext) async throws -> Kept {
        let network = try context.network(try context.settings())
        let journal = try context.journal(network)
        let plan = try Kept.plan(id, journal)
        let account = try await context.account(network)
        guard plan.chainID == network.chainID, plan.account == account.address else {
            throw AgentPlanError.elsewhere(id, network: plan.network, account: plan.account)
        }
        return Kept(plan: plan, journal: journal, coin: network.coin)
    }

    /// The plans that are open, wait or run, of the context's network and account.
    func open(_ context: CommandContext) async throws -> [JournalPlan] {
        let network = try context.network(try context.settings())
        let account = try await context.account(network)
        let now = Console.now()
        let journal = try context.journal(network)
        return try journaled(try journal.agentPlans()).filter { plan in
            plan.chainID == network.chainID && plan.account == account.address
                && [.open, .waiting, .running].contains(plan.state(now: now))
        }
    }

    /// The plan as it is answered; what its killed process left is finished first.
    ///
    /// - Parameter seconds: how long it may take.
    func answer(_ kept: Kept, _ context: CommandContext, within seconds: UInt64) async -> JSONValue
    {
        var kept = kept
        if kept.plan.needsFinish { try? await finish(&kept, context, within: seconds) }  // later
        return kept.json()
    }

    // MARK: Carrying out

    /// Carries a plan out, or hands it to a person, and answers it.
    ///
    /// - Parameter wait: the most seconds until it answers; nil is the time limit of receipts.
    /// - Throws: `DexError` if nothing came of it, so that the plan is as it was, or ended.
    func execute(
        _ id: PlanID,
        wait: UInt64?,
        _ context: @escaping @Sendable () throws(DexError) -> CommandContext
    ) async throws -> JSONValue {
        let first = try context()
        let limit = wait ?? first.receiptWait
        let end = Console.milliseconds() + limit * 1_000
        var kept = try await find(id, first)
        while true {
            try Task.checkCancellation()
            let left = end - min(end, Console.milliseconds())
            switch kept.state() {
            case .declined: throw AgentPlanError.declined(id)
            case .expired: throw AgentPlanError.expired(id)
            case .interrupted: throw AgentPlanError.interrupted(id)
            case .ended:
                if let failure = kept.plan.failure { throw failure }
                return kept.json()
            case .running where kept.plan.needsFinish:
                try await finish(&kept, first, within: left / 1_000)
                guard kept.plan.outcome != nil || left == 0 else { break }
                return kept.json()
            case .running:
                guard left > 0 else { return kept.json() }
            case .waiting:
                // Only a person moves it; without `wait` nobody is waited for.
                guard wait != nil, left > 0 else { return kept.json() }
            case .open where running.withLock({ $0[id] != nil }):
                guard left > 0 else { return kept.json() }
            case .open:
                if let other = try other(kept) {
                    guard left > 0 else { throw DexError(JournalError.planInFlight(other)) }
                    break
                }
                try await carry(kept, try context(), until: end)
                try kept.refresh()
                continue
            }
            try await pause()
            try kept.refresh()
        }
    }

    /// Another plan of the account that some process carries out.
    private func other(_ kept: Kept) throws -> PlanID? {
        let now = Console.now()
        return try journaled(try kept.journal.agentPlans()).first {
            $0.id != kept.plan.id && $0.account == kept.plan.account
                && $0.chainID == kept.plan.chainID && $0.isHeld && $0.state(now: now) == .running
        }?.id
    }

    private func pause() async throws {
        try await Task.sleep(for: .milliseconds(Int64(Self.pause)))
    }

    /// Carries a plan out in a task of its own, and waits for it.
    ///
    /// Withdrawn before the plan is taken, it ends; afterwards it goes on.
    private func carry(
        _ kept: Kept,
        _ context: CommandContext,
        until end: UInt64
    ) async throws {
        let parsed = try ParsedPlan(kept.plan, kept.journal)
        let (id, journal) = (kept.plan.id, kept.journal)
        let result = CarriedPlan()
        // It is in the list before it can leave it.
        let work = running.withLock { running in
            let work = Task {
                do {
                    try await parsed.asked.with(
                        PlanCarrying(context: context, parsed: parsed)
                    )
                    result.end(nil)
                } catch {
                    result.end(error)
                }
                _ = self.running.withLock { $0.removeValue(forKey: id) }
            }
            running[id] = work
            return work
        }
        try await withTaskCancellationHandler {
            // The task outlives this call, so its value is not waited for.
            while !result.isOver, Console.milliseconds() < end {
                try await Task.sleep(for: .milliseconds(Int64(Self.shortPause)))
            }
            if let error = result.error { throw error }
        } onCancel: {
            // nil: the journal cannot be read, and nothing more is signed without it
            if (try? journal.carriesOut(id)) != true { work.cancel() }
        }
    }

    /// Finds out what became of a plan whose process was killed, and keeps it.
    private func finish(
        _ kept: inout Kept,
        _ context: CommandContext,
        within seconds: UInt64
    ) async throws {
        guard let asked = kept.plan.asked else { return }
        let found = try await asked.with(
            PlanFinishing(
                context: context,
                journal: kept.journal,
                plan: kept.plan,
                seconds: seconds
            )
        )
        if let found { kept.plan = found }
    }
}

/// The way a plan that this process carries out ended.
private final class CarriedPlan: Sendable {
    private let state = Mutex<(isOver: Bool, error: (any Error)?)>((false, nil))

    var isOver: Bool { state.withLock { $0.isOver } }
    var error: (any Error)? { state.withLock { $0.error } }

    func end(_ error: (any Error)?) {
        state.withLock { $0 = (true, error) }
    }
}

/// Finds out what became of a plan whose process was killed.
private struct PlanFinishing: PlanWork {
    typealias Result = JournalPlan?

    let context: CommandContext
    let journal: Journal
    let plan: JournalPlan
    let seconds: UInt64

    func perform<Work: AgentOperation>(
        _ verb: Work.Type,
        _ request: Work.Request,
        needs: [CommandContext.Need]
    ) async throws -> JournalPlan? where Work.Content: PlanView {
        context.liftBudget()
        var settings = try context.tradeSettings()
        settings.receiptTimeout = min(settings.receiptTimeout, seconds)
        let session = try context.session(needs)
        let finish = PlanFinish(session: session, journal: journal, settings: settings)
        guard let found = try await finish.find(plan) else { return nil }
        if found.isOver {
            try journaled(
                try journal.end(
                    plan.id,
                    outcome: AgentPlanJSON.end(found).text,
                    now: Console.now()
                )
            )
        }
        context.reported.write(context.console)
        return try journaled(try journal.agentPlan(plan.id))
    }
}

extension JournalPlan {
    /// What was asked for; nil if the journal's text is damaged.
    var asked: AgentRequest? { Self.parsed(request).flatMap { AgentRequest(record: $0) } }

    /// Its bounds; nil if the journal's text is damaged.
    var kept: PlanBounds? { Self.parsed(bounds).flatMap { PlanBounds(record: $0) } }

    /// Why it ended before anything was sent; nil if something was, or it did what was planned.
    var failure: DexError? {
        guard let end = outcome.flatMap(Self.parsed),
            end["transactions"]?.arrayValue?.isEmpty == true,
            let error = end["error"], let code = error["code"]?.stringValue,
            let exit = end["exitCode"]?.numberText.flatMap({ Int32($0) }),
            let kind = ErrorKind.allCases.first(where: { $0.exit.rawValue == exit }),
            let message = error["message"]?.stringValue
        else { return nil }
        return AgentPlanError.recorded(
            code: code,
            kind,
            message: message,
            hint: error["hint"]?.stringValue
        )
    }

    private static func parsed(_ text: String) -> JSONValue? {
        try? JSONParser.parse(Array(text.utf8))  // nil: damaged
    }
}

extension CommandContext {
    /// How long a command waits for a receipt, in seconds.
    fileprivate var receiptWait: UInt64 {
        (try? tradeSettings().receiptTimeout) ?? TradeSettings().receiptTimeout  // nil: told later
    }
}
