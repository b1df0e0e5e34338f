import ArgumentParser
import DexCore
import DexSettings
import DexTerminal
import Ethereum
import StrictJSON

/// `dex tokens`: the token map, and the user's own tokens in it.
struct TokensCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "List or search the token map of the network; add tokens of your own.",
        discussion: """
            The map has the tokens that are bundled with dex, and those of your own list: a file \
            in the Token Lists format, which `tokens` of the network names in config.toml. \
            Without a subcommand it lists.
            """,
        subcommands: [ListCommand.self, Add.self, Remove.self],
        defaultSubcommand: ListCommand.self
    )
    static let examples: Examples = [
        "Every known token": "dex tokens",
        "The address behind a symbol": "dex tokens USDC --network mainnet",
        "Add one of your own": "dex tokens add 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
    ]

    struct ListCommand: ListingCommand, ToolCommand {
        static var answer: Answer? { Answer(ReadJSON.tokens) }
        static var rows: Fields<TokensState.Row> { ReadJSON.listedToken }
        static let reportedName: String? = "tokens"
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the known tokens, or those that match."
        )
        static let examples: Examples = [
            "Every known token": "dex tokens list",
            "Those with USD in symbol or name": "dex tokens list usd --network mainnet",
        ]
        static let tool = LookTool(
            "tokens",
            "Tokens",
            "Known tokens of the network.",
            [.optional("query", .text(maximum: 80), "A part of symbol, name or address"), .limit]
        ) { given in
            (["--limit=\(given.integer("limit") ?? 50)"], given.text("query"))
        }

        @Argument(help: "A part of a symbol, name or address.")
        var query: String?

        @OptionGroup var list: ListOptions<ListCommand>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            var state = TokensModel(session: try context.session([])).load(query: query)
            let left = list.selection().apply(to: &state.rows)
            return report(
                context,
                ReadJSON.tokens,
                state,
                left: left
            ) { [state] in
                TokensView(state).lines($0)
            }
        }
    }

    struct Add: DexCommand {
        static var answer: Answer? { Answer(SettingsJSON.addition) }
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a token to your own list, as its contract describes it.",
            discussion: """
                Symbol, name, decimals and supply are read from the chain and shown before \
                anything is written. What is no ERC-20 token is refused, and so is a symbol that \
                a known token has, or that looks like one. Afterwards every command takes the \
                token by its symbol.
                """
        )
        static let examples: Examples = [
            "Add a token, and be asked":
                "dex tokens add 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
            "Under a symbol of your choice":
                "dex tokens add 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E --symbol MINE",
        ]

        @Argument(help: .of("address", "The token's contract."))
        var contract: String

        @Option(help: .of("symbol", "The symbol in your list (default: the contract's)."))
        var symbol: String?

        @Flag(help: "Add it although a known token has its symbol, or one of its look.")
        var allowCopy = false

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let settings = try context.settings()
            let session = try context.session([.node])
            var list = try OwnTokenList(of: session.network, settings)
            context.console.progress("asking the contract")
            let state = try await TokenAdditionModel(session: session).load(
                contract,
                symbol: symbol,
                allowsCopy: allowCopy,
                account: try await context.reader(session.network)
            )
            try list.add(state.token, timestamp: TimeText.iso(session.environment.now()))
            let (path, isNew) = (list.path, list.isNew)
            let data = SettingsJSON.addition(.init(state, list: path, isNew: isNew))
            let plan = PlanReport(
                data: data,
                warnings: state.warnings,
                question: PlanQuestion("Add \(PlainText.name(state.token.symbol))?"),
                declined: .nothingChanged
            ) { TokenAdditionView(state, list: path, isNew: isNew).lines($0) }
            if let end = try await context.agreed(plan) { return end }
            try list.save(settings)
            return CommandReport(
                data: data,
                warnings: options.isJSON ? state.warnings : []
            ) { TokenAdditionView(state, list: path, isNew: isNew).doneLines($0) }
        }
    }

    struct Remove: DexCommand {
        static var answer: Answer? { .tokenRemove }
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a token from your own list; bundled ones stay."
        )
        static let examples: Examples = [
            "Remove a token of your own": "dex tokens remove MINE",
            "By its address": "dex tokens remove 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
        ]

        @Argument(help: .of("token", "A symbol or an address of your own list."))
        var token: String

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let settings = try context.settings()
            let session = try context.session([])
            var list = try OwnTokenList(of: session.network, settings)
            let removed = try list.document.token(
                token,
                network: session.network,
                map: session.tokens
            )
            try list.remove(removed, timestamp: TimeText.iso(session.environment.now()))
            if !options.isDryRun { try list.save(settings) }
            let data: JSONValue = [
                "network": .string(session.network.name),
                "token": JSONFormat.token(removed),
                "list": .string(list.path),
            ]
            let name = "\(PlainText.name(removed.symbol)) (\(removed.address.checksummed))"
            let line =
                (options.isDryRun ? "It would remove \(name) from" : "\(name) is removed from")
                + " the tokens of \(session.network.name)."
            return context.changed(data) { $0.sentences(line) }
        }
    }
}
