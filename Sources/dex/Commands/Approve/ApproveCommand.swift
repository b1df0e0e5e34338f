import ArgumentParser
import DexCore
import DexStore
import DexTerminal

/// `dex approve`: a person's yes or no to the plans of agents.
struct ApproveCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Say yes or no to what agents planned with dex mcp.",
        discussion: """
            A plan that its limits do not allow waits for a person. dex approve ID plans it again \
            within its bounds, shows it, asks, and signs with the wallet's password, which is asked \
            for on the terminal even if the key is unlocked. A plan is carried out once, and within \
            10 minutes.
            """,
        subcommands: [Ask.self, List.self, Show.self, No.self],
        defaultSubcommand: Ask.self
    )
    static let examples: Examples = [
        "See what agents planned": "dex approve",
        "Carry one out, after a question": "dex approve 7f3a",
        "Stay, and be asked as plans come": "dex approve --watch",
    ]

    struct Ask: DexCommand {
        static var reportedName: String? { "approve" }
        static var answer: Answer? { AgentPlanJSON.list }
        static let configuration = CommandConfiguration(
            commandName: "yes",
            abstract: "Carry a plan out after a question; without an ID list the plans.",
            shouldDisplay: false
        )

        @Argument(help: .of("id", "The plan's number, or its first 4 digits or more."))
        var id: String?

        @Flag(help: "Stay, and ask about each plan as it begins to wait.")
        var watch = false

        @OptionGroup var options: GlobalOptions

        func validate() throws {
            guard watch || id != nil else { return }
            if watch, id != nil { throw ValidationError("Give an ID or --watch, not both.") }
            if options.saysYes {
                throw ValidationError("A person says yes here: leave --yes out.")
            }
            if options.isJSON {
                throw ValidationError("It asks a person: leave --json out, or use approve show.")
            }
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            guard let id else {
                return watch ? try await watching(context) : try PlanListing(context).report()
            }
            try Self.checkTerminal(context)
            let (plan, journal) = try context.plan(id)
            return try await context.approve(plan, journal)
        }

        private static func checkTerminal(_ context: CommandContext) throws(DexError) {
            guard context.console.hasTerminal else {
                throw AgentPlanError.needsTerminal
            }
        }

        private func watching(_ context: CommandContext) async throws -> CommandReport {
            try Self.checkTerminal(context)
            var watch = PlanWatch(context)
            try await watch.run()
            return context.finished()
        }
    }

    struct List: DexCommand {
        static var answer: Answer? { AgentPlanJSON.list }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the plans that wait or can still be carried out."
        )
        static let examples: Examples = [
            "What waits, and for what": "dex approve list",
            "For a script": "dex approve list -j",
        ]

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try PlanListing(context).report()
        }
    }

    struct Show: DexCommand {
        static var answer: Answer? { AgentPlanJSON.answer }
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a plan without asking."
        )
        static let examples: Examples = [
            "See one without a question": "dex approve show 7f3a",
            "For a script": "dex approve show 7f3a -j",
        ]

        @Argument(help: .of("id", "The plan's number, or its first 4 digits or more."))
        var id: String

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let (plan, _) = try context.plan(id)
            let now = Console.now()
            return CommandReport(data: AgentPlanJSON.plan(plan, now: now)) {
                AgentPlanView(plan, now: now).lines($0)
            }
        }
    }

    struct No: DexCommand {
        static var answer: Answer? { AgentPlanJSON.list }
        static let configuration = CommandConfiguration(
            commandName: "no",
            abstract: "Decline plans for good."
        )
        static let examples: Examples = [
            "Decline one for good": "dex approve no 7f3a",
            "Two at once": "dex approve no 7f3a 81c0",
        ]

        @Argument(help: .of("id", "The plans' numbers, or their first 4 digits or more."))
        var ids: [String]

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            // All are found before the first is declined.
            let found = try ids.map { try context.plan($0) }
            let now = Console.now()
            if !options.isDryRun {
                for (plan, journal) in found { try Self.decline(plan, journal, now) }
            }
            let plans = try found.compactMap { plan, journal in
                try journaled(try journal.agentPlan(plan.id))
            }
            return context.changed(AgentPlanJSON.plans(plans, now: now)) { screen in
                plans.flatMap { screen.sentences("The plan \($0.id) is declined.") }
            }
        }

        private static func decline(
            _ plan: JournalPlan,
            _ journal: Journal,
            _ now: UInt64
        ) throws(DexError) {
            // A second no changes nothing.
            if plan.state(now: now) == .declined { return }
            if let error = plan.closedError(now: now) { throw error }
            try journaled(try journal.decline(plan.id, now: now))
        }
    }
}

/// The plans that wait or can still be carried out, those that wait first.
struct PlanListing {
    private let plans: [JournalPlan]
    private let now = Console.now()

    /// - Throws: `DexError`, exit 3.
    init(_ context: CommandContext) throws(DexError) {
        var plans: [JournalPlan] = []
        for journal in try context.planJournals() {
            plans += try journaled(try journal.agentPlans())
        }
        let now = now
        let shown: [JournalPlan.State] = [.waiting, .open]
        self.plans = shown.flatMap { state in
            plans.filter { $0.state(now: now) == state }.sorted { $0.created < $1.created }
        }
    }

    func report() -> CommandReport {
        CommandReport(data: AgentPlanJSON.plans(plans, now: now)) { [plans, now] in
            AgentPlansView(plans, now: now).lines($0)
        }
    }
}

extension JournalPlan {
    /// Why a person cannot say yes or no to it any more; nil if one can.
    func closedError(now: UInt64) -> DexError? {
        switch state(now: now) {
        case .open, .waiting: nil
        case .running: AgentPlanError.running(id)
        case .interrupted: AgentPlanError.interrupted(id)
        case .ended: AgentPlanError.ended(id)
        case .declined: AgentPlanError.declined(id)
        case .expired: AgentPlanError.expired(id)
        }
    }
}
