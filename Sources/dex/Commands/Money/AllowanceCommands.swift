import ArgumentParser
import DexCore
import DexTerminal

struct AllowanceCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "allowance",
        abstract: "See, set and take back what the transfer contract may move.",
        discussion: """
            0x trades through one transfer contract, which can move no more of a token than its \
            owner allows. Without a subcommand it lists what that contract and every other \
            spender may move.
            """,
        subcommands: [ListCommand.self, SetCommand.self, Revoke.self],
        defaultSubcommand: ListCommand.self
    )
    static let examples: Examples = [
        "What may be moved": "dex allowance",
        "Allow 100 ZRX": "dex allowance set ZRX 100",
        "Allow nothing any more": "dex allowance revoke ZRX",
    ]

    struct ListCommand: ListingCommand {
        static var answer: Answer? { .allowances }
        static var rows: Fields<MoneyJSON.Allowed> { MoneyJSON.allowed }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The allowances of all known tokens, or of those that are named.",
            discussion: """
                Those of the transfer contract, then those of every other spender that dex \
                approved or that the account's Approval events name, then those that Permit2 keeps \
                for its spenders. --sort and --reverse order each part. --wallet takes any address.
                """
        )
        static let examples: Examples = [
            "Every known token": "dex allowance list",
            "Two of them": "dex allowance list ZRX WETH",
        ]

        @Argument(help: "Symbols or addresses.")
        var tokens: [String] = []

        @Option(help: .of("n", "Read Approval events from this block on, piece by piece."))
        var fromBlock: UInt64?

        @OptionGroup var list: ListOptions<ListCommand>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let session = try context.session([.node])
            let account = try await context.account(session.network)
            let names = try context.knownAddresses(session.network)
            context.console.progress("reading allowances")
            var state = try await AllowancesModel(
                session: session,
                journal: try context.journal(session.network),
                known: names,
                firstBlock: fromBlock
            ).load(owner: account.address, tokens: tokens)
            let left = state.select(list.selection())
            return report(
                context,
                MoneyJSON.allowances,
                state,
                table: MoneyJSON.allowed.csv(MoneyJSON.all(state)),
                left: left,
                warnings: state.warnings
            ) { [state] in
                AllowancesView(state).lines($0.naming(names))
            }
        }
    }

    struct SetCommand: OperationCommand {
        typealias Model = AllowanceModel

        static var answer: Answer? { .allowanceSet }
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Allow exactly so much of a token to be moved, whatever it was before.",
            discussion: """
                Tokens that do not go from one allowance to another (USDT) are set to zero first; \
                the simulation finds out.
                """
        )
        static let examples: Examples = [
            "Allow exactly 100 ZRX": "dex allowance set ZRX 100",
            "Allow all WETH, now and later": "dex allowance set WETH unlimited",
        ]

        @Argument(help: "A symbol or an address.")
        var token: String

        @Argument(help: "How much: 1.5, 1k, 50% of the balance, max, or unlimited.")
        var amount: String

        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Trading") var holding: HoldingOptions
        @OptionGroup(title: "Trading") var pending: PendingOption
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        var groups: [any SettingsOptions] { [pending, sending, holding] }

        func request(_ context: CommandContext) throws -> AllowanceRequest {
            AllowanceRequest(
                token: token,
                amount: amount == "unlimited" ? .unlimited : .exactly(amount)
            )
        }
    }

    struct Revoke: OperationCommand {
        typealias Model = AllowanceModel

        static var answer: Answer? { .revoke }
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Take an allowance back: set it to zero.",
            discussion: """
                Of the transfer contract, or with --spender of another one, in the token and in \
                Permit2. --all takes back every allowance that dex allowance list shows: one \
                transaction for all in Permit2, and one for each other.
                """
        )
        static let examples: Examples = [
            "Allow nothing any more": "dex allowance revoke ZRX",
            "Everything that anybody may move": "dex allowance revoke --all",
        ]
        static let isWithdrawal = true

        @Argument(help: "A symbol or an address.")
        var token: String?

        @Option(help: .of("spender", "Whose allowance it is: an address or a name."))
        var spender: String?

        @Flag(help: "Every allowance of the account.")
        var all = false

        @Option(help: .of("n", "With --all: read Approval events from this block on."))
        var fromBlock: UInt64?

        @OptionGroup(title: "Trading") var sending: SendingOptions
        @OptionGroup(title: "Trading") var holding: HoldingOptions
        @OptionGroup(title: "Trading") var pending: PendingOption
        @OptionGroup(title: "Everywhere") var options: GlobalOptions

        var groups: [any SettingsOptions] { [pending, sending, holding] }

        func validate() throws {
            if all, token != nil || spender != nil {
                throw ValidationError("--all takes everything back: name no token and no spender.")
            }
            if !all, token == nil {
                throw ValidationError("Name a token, or take everything back with --all.")
            }
            if !all, fromBlock != nil {
                throw ValidationError("--from-block belongs to --all.")
            }
        }

        func request(_ context: CommandContext) throws -> AllowanceRequest {
            .revoking(token ?? "")
        }

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let settings = try settings(context)
            guard all || spender != nil else {
                return try await run(
                    AllowanceModel.self,
                    try request(context),
                    settings,
                    context
                )
            }
            let network = try context.network(try context.settings())
            let known = try context.knownAddresses(network)
            let subject: RevocationRequest.Subject
            if let token, let spender {
                subject = .one(token: token, spender: try known.address(of: spender))
            } else {
                subject = .all
            }
            return try await run(
                RevocationModel.self,
                RevocationRequest(subject, known: known, firstBlock: fromBlock),
                settings,
                context
            )
        }
    }
}
