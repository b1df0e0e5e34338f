import ArgumentParser
import DexCore
import DexTerminal

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

    struct ListCommand: ListingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The allowances of all known tokens, or of those that are named.",
            discussion: "--wallet takes any address."
        )

        @Argument(help: "Symbols or addresses.")
        var tokens: [String] = []

        @OptionGroup var list: ListOptions<AllowanceSort>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let session = try context.session([.node])
            let account = try context.account(session.network)
            context.console.progress("reading allowances")
            var state = try await AllowancesModel(session: session)
                .load(owner: account.address, tokens: tokens)
            let left = list.selection().apply(to: &state.rows)
            return report(
                context,
                MoneyJSON.allowances(state),
                csv: CSV.rows(ListColumns.allowances, of: "allowances"),
                left: left,
                warnings: state.warnings
            ) { [state] in
                AllowancesView(state).lines($0)
            }
        }
    }

    struct SetCommand: OperationCommand {
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

        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Trading") var holding: HoldingOptions
        @OptionGroup(title: "Trading") var pending: PendingOption
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        var groups: [any SettingsOptions] { [pending, sending, holding] }
        var view: OperationView<AllowanceModel> { .allowance }

        func request(_ context: CommandContext) throws -> AllowanceRequest {
            AllowanceRequest(
                token: token,
                amount: amount == "unlimited" ? .unlimited : .exactly(amount)
            )
        }
    }

    struct Revoke: OperationCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Take an allowance back: set it to zero."
        )

        @Argument(help: "A symbol or an address.")
        var token: String

        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Trading") var holding: HoldingOptions
        @OptionGroup(title: "Trading") var pending: PendingOption
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        var groups: [any SettingsOptions] { [pending, sending, holding] }
        var view: OperationView<AllowanceModel> { .allowance }

        func request(_ context: CommandContext) throws -> AllowanceRequest {
            .revoking(token)
        }
    }
}
