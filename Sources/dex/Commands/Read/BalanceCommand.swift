import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

struct BalanceCommand: ListingCommand, ToolCommand {
    static var answer: Answer? { Answer(ReadJSON.balance) }
    static var rows: Fields<ReadJSON.Holding> { ReadJSON.holding }
    static let configuration = CommandConfiguration(
        commandName: "balance",
        abstract: "Show the network's coin, tokens, and what the transfer contract may move.",
        discussion: """
            Without TOKEN it shows every known token that the account holds or has approved, and \
            what it is all worth in the coin by the middle of the relay's books. What was bought here \
            is shown with its profit until now. --wallet takes any address.
            """,
        aliases: ["bal"]
    )
    static let examples: Examples = [
        "Two tokens of another account": "dex bal ZRX WETH -w bob",
        "The total in USDC": "dex bal --in USDC",
        "Tokens that no list has": "dex bal --discover",
    ]
    static let tool = LookTool(
        "balance",
        "Balance",
        "Coin, tokens, allowances and their value, of the account."
    ) { _ in ([], nil) }

    @Argument(help: "Symbols or addresses.")
    var tokens: [String] = []

    @Option(
        name: .customLong("in"),
        help: .of("unit", "Show the value in this: the coin, a symbol or address.")
    )
    var unit: String?

    @Flag(help: "Ask no relay and no swap API for its value.")
    var noValue = false

    @Flag(help: "Show them anew at each block that changed them, until q or Ctrl-C.")
    var watch = false

    @Flag(help: "Find tokens that are in no list by the logs of transfers to the account.")
    var discover = false

    @Option(help: .of("n", "With --discover: the first block whose logs are read (default 0)."))
    var fromBlock: UInt64?

    @OptionGroup var list: ListOptions<BalanceCommand>
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try checkForm()
        if noValue, unit != nil {
            throw ValidationError("--in and --no-value exclude each other.")
        }
        if watch, list.csv || discover {
            throw ValidationError("--watch excludes --csv and --discover.")
        }
        if discover, list.csv || !tokens.isEmpty {
            throw ValidationError("--discover looks for all tokens: leave TOKEN and --csv out.")
        }
        if fromBlock != nil, !discover {
            throw ValidationError("--from-block is for --discover.")
        }
    }

    private var requested: BalanceModel.Unit {
        unit.map { .named($0) } ?? (noValue || !tokens.isEmpty ? .none : .ether)
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session(requested == .none ? [.node] : [.node, .swap(nil)])
        let reader = BalanceReader(
            session: session,
            settings: try context.readSettings(),
            positions: requested == .none
                ? nil
                : OpenPositionsModel(
                    session: session,
                    journal: try context.journal(session.network),
                    settings: try context.readSettings()
                ),
            owner: try await context.account(session.network).address,
            tokens: tokens,
            unit: requested
        )
        let names = try context.knownAddresses(session.network)
        context.console.progress("reading balances")
        if watch { return try await watched(reader, names, context) }
        var state = try await reader.load()
        if discover {
            // Reading the logs of a whole chain takes as long as it takes.
            context.liftBudget()
            context.console.progress("looking for transfers to the account")
            let journal = try context.journal(session.network)
            let found = try await TokenDiscovery(session: session, journal: journal)
                .find(of: state.owner, from: fromBlock ?? 0, at: state.block)
            state.discovered = found
            state.warnings += found.warnings
        }
        return report(state, names, context)
    }

    /// Shows all changed balances: on a terminal on the whole screen, elsewhere one below the
    /// other.
    private func watched(
        _ reader: BalanceReader,
        _ names: KnownAddresses,
        _ context: CommandContext
    ) async throws -> CommandReport {
        context.liftBudget()
        let console = context.console
        let watch = BalanceWatch(session: reader.session)
        let onScreen: Void? = try await console.withFullScreen { screen in
            screen.show { _, _ in ["reading balances"] }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await watch.run(everyBlock: true) {
                        () async throws(DexError) in
                        try await reader.load()
                    } show: { state in
                        var state = state
                        _ = select(&state)
                        let shown = state
                        screen.show { columns, rows in
                            let screen = console.screen(columns: columns, rows: rows)
                            return context.staleness(screen)
                                + BalanceView(shown).lines(screen.naming(names))
                        }
                        return true
                    }
                }
                group.addTask { for await _ in screen.leaving { return } }
                defer { group.cancelAll() }
                try await group.next()
            }
        }
        if onScreen == nil {
            try await watch.run {
                () async throws(DexError) in
                try await reader.load()
            } show: { state in
                context.emit(report(state, names, context))
            }
        }
        // No reader is left, `q`, or Ctrl-C: the normal end of watching.
        return context.finished()
    }

    /// Sorts and bounds the rows; returns how many are left out.
    private func select(_ state: inout BalanceState) -> Int {
        let marketValue = state.marketValue
        return list.selection().apply(to: &state.rows) { ReadJSON.Holding($0, marketValue) }
    }

    private func report(
        _ state: BalanceState,
        _ names: KnownAddresses,
        _ context: CommandContext
    ) -> CommandReport {
        var state = state
        let left = select(&state)
        let warnings = [state.marketValue?.failure].compactMap { $0 } + state.warnings
        return report(
            context,
            ReadJSON.balance,
            state,
            left: left,
            warnings: warnings
        ) { [state] in
            BalanceView(state).lines($0.naming(names))
        }
    }
}

/// Reads the balances of an account, with their value and its positions if they are wished.
private struct BalanceReader: Sendable {
    let session: Session
    let settings: ReadSettings
    let positions: OpenPositionsModel?
    let owner: Address
    let tokens: [String]
    let unit: BalanceModel.Unit

    func load() async throws(DexError) -> BalanceState {
        var state = try await BalanceModel(session: session, settings: settings)
            .load(owner: owner, tokens: tokens, unit: unit)
        await positions?.add(to: &state)
        return state
    }
}
