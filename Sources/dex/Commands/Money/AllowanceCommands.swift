import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

/// The command `dex allowance`.
struct AllowanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allowance",
        abstract: "See, set and take back what the transfer contract may move.",
        discussion: """
            0x trades through one transfer contract, which can move no more of a token than its \
            owner allows. Nobody else is ever approved. Without a subcommand it lists.
            """,
        subcommands: [ListCommand.self, SetCommand.self, Revoke.self],
        defaultSubcommand: ListCommand.self
    )

    /// The command `dex allowance list`.
    struct ListCommand: DexCommand {
        static let reportedName = "allowance list"
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The allowances of all known tokens, or of those that are named.",
            discussion: "--wallet takes any address."
        )

        @Argument(help: "Symbols or addresses.")
        var tokens: [String] = []

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let session = try context.session([.node])
            let account = try context.account(session.network)
            context.console.progress("reading allowances")
            let state = try await AllowancesModel(session: session)
                .load(owner: account.address, tokens: tokens)
            return CommandReport(data: MoneyJSON.allowances(state)) {
                AllowancesView(state).lines($0)
            }
        }
    }

    /// The command `dex allowance set`.
    struct SetCommand: SendingCommand {
        static let reportedName = "allowance set"
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Allow exactly so much of a token to be moved, whatever it was before.",
            discussion: """
                Tokens that do not go from one allowance to another (USDT) are set to zero first; \
                the simulation finds out.
                """
        )

        @Argument(help: "A symbol or an address.")
        var token: String

        @Argument(help: "How much, in human units, or: unlimited.")
        var amount: String

        @OptionGroup(title: "Trading") var fees: FeeOptions
        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let request = AllowanceRequest(
                token: token,
                amount: amount == "unlimited" ? .unlimited : .exactly(amount)
            )
            return try await context.allowance(request, by: self, question: "Set it?")
        }
    }

    /// The command `dex allowance revoke`.
    struct Revoke: SendingCommand {
        static let reportedName = "allowance revoke"
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Take an allowance back: set it to zero."
        )

        @Argument(help: "A symbol or an address.")
        var token: String

        @OptionGroup(title: "Trading") var fees: FeeOptions
        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            try await context.allowance(.revoking(token), by: self, question: "Take it back?")
        }
    }
}

extension CommandContext {
    fileprivate func allowance(
        _ request: AllowanceRequest,
        by command: some SendingCommand,
        question: String
    ) async throws -> CommandReport {
        let trading = try trading([.node]) { try command.applySending(to: &$0) }
        let model = AllowanceModel(
            session: trading.session,
            journal: trading.journal,
            settings: trading.settings
        )
        console.progress("reading the allowance")
        let planned = try await model.plan(request, account: trading.account.address)
        let plan = planned.plan
        guard !plan.steps.isEmpty else {
            let outcome = AllowanceOutcome(unchanged: plan)
            return CommandReport(
                data: MoneyJSON.outcome(outcome),
                warnings: options.isJSON ? plan.warnings : []
            ) { AllowanceOutcomeView(outcome).lines($0) }
        }
        let report = PlanReport(
            data: MoneyJSON.plan(plan),
            warnings: plan.warnings,
            question: question,
            stop: plan.stop
        ) { AllowancePlanView(plan).lines($0) }
        return try await confirmed(report, by: trading.account) { signer in
            try model.check(planned, signer: signer)
        } perform: { signer in
            let outcome = try await model.execute(planned, signer: signer)
            return done(
                exit: outcome.exit,
                data: MoneyJSON.outcome(outcome),
                warnings: plan.warnings + outcome.warnings,
                transactions: outcome.transactions,
                less: DexError(OutcomeError.allowanceNotSet)
            ) { AllowanceOutcomeView(outcome).lines($0) }
        }
    }
}
