import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

struct OrderbookCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "orderbook",
        abstract: "Show both sides of a pair: verified, fillable, best first.",
        discussion: """
            Every order's hash and signature are recomputed, and what makers hold is read at one \
            block. What does not verify is left out and counted; what should not be taken is \
            marked.
            """,
        aliases: ["book"]
    )

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Option(help: .of("n", "Rows a side (default: 10 on screen, all with --json and --csv)."))
    var depth: Int?

    @Flag(help: "Show the book anew whenever it changed, until q or Ctrl-C.")
    var watch = false

    @Flag(help: "Show what the relay sent, with nothing verified or read on chain.")
    var raw = false

    @Flag(help: "Compare what each relay shows: orders, best prices, answer time.")
    var relays = false

    @Flag(help: "Print the orders as CSV (RFC 4180).")
    var csv = false

    @OptionGroup var picture: SnapshotOption
    @OptionGroup var takerFee: TakerFeeOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if picture.snapshot != nil, options.isJSON || csv || watch {
            throw ValidationError(
                "--snapshot shows the terminal's text: it excludes --json, --csv and --watch."
            )
        }
        if csv, options.isJSON || watch || relays {
            throw ValidationError("--csv excludes --json, --watch and --relays.")
        }
        if let depth, depth < 1 { throw ValidationError("--depth takes a number from 1 on.") }
        if relays, raw || watch || depth != nil {
            throw ValidationError("--relays excludes --raw, --watch and --depth.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session(raw ? [.relay] : [.relay, .node])
        let account = raw ? nil : try context.reader(session.network)
        var settings = try context.readSettings()
        try takerFee.apply(to: &settings.takerFees)
        if relays {
            context.console.progress("asking the relays for \(pair)")
            let state = try await RelayComparisonModel(session: session, settings: settings)
                .load(pairText: pair, account: account)
            let lines = try picture.written(context, title: "dex orderbook \(pair) --relays") {
                RelayComparisonView(state).lines($0)
            }
            return context.report(
                RelayJSON.comparison(state),
                warnings: state.warnings,
                lines: lines
            )
        }
        let names = try context.knownAddresses(session.network)
        let model = OrderbookModel(session: session, settings: settings)
        let rows = depth ?? (options.isJSON || csv ? nil : 10)
        if watch { return try await watched(model, rows, account, names, context) }
        context.console.progress("reading the book of \(pair)")
        let state = try await model.load(pairText: pair, depth: rows, raw: raw, account: account)
        let title = "dex orderbook \(pair)" + (raw ? " --raw" : "")
        let lines = try picture.written(context, title: title) {
            OrderbookView(state).lines($0.naming(names))
        }
        return await report(state, context, lines)
    }

    /// Rows a side that are read for a screen of any height.
    private static let mostRows = 200

    /// Shows every changed book: on a terminal on the whole screen, elsewhere one below the other.
    private func watched(
        _ model: OrderbookModel,
        _ rows: Int?,
        _ account: Address?,
        _ names: KnownAddresses,
        _ context: CommandContext
    ) async throws -> CommandReport {
        context.liftBudget()
        let console = context.console
        let onScreen: Void? = try await console.withFullScreen { screen in
            screen.show { _, _ in ["reading the book of \(pair)"] }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await model.watch(
                        pairText: pair,
                        depth: depth ?? Self.mostRows,
                        raw: raw,
                        account: account
                    ) { state in
                        screen.show { columns, rows in
                            let screen = console.screen(columns: columns, rows: rows)
                            return context.staleness(screen)
                                + OrderbookView(state).lines(screen.naming(names))
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
            try await model.watch(
                pairText: pair,
                depth: rows,
                raw: raw,
                account: account
            ) { state in
                context.emit(
                    await report(state, context) { OrderbookView(state).lines($0.naming(names)) }
                )
            }
        }
        // No reader is left, `q`, or Ctrl-C: the normal end of watching.
        return context.finished()
    }

    private func report(
        _ state: OrderbookState,
        _ context: CommandContext,
        _ lines: @escaping @Sendable (Screen) -> [String]
    ) async -> CommandReport {
        let data = await ReadJSON.orderbook(state)
        if csv {
            let table = CSV(ListColumns.book, rows: ReadJSON.sided(data))
            return CommandReport(csv: table, warnings: state.warnings)
        }
        var report = context.report(data, warnings: state.warnings, lines: lines)
        report.isPaged = true
        return report
    }
}

struct PriceCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "price",
        abstract: "Show the best prices of a pair, and what an amount would cost."
    )

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Option(help: "What you would do with BASE: buy or sell (default: buy).")
    var side: TradeSide?

    @Option(help: .of("n", "An amount of BASE."))
    var amount: String?

    @OptionGroup var takerFee: TakerFeeOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if side != nil, amount == nil {
            throw ValidationError("--side says what to do with an amount: add --amount N.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session(amount == nil ? [.relay, .node] : [.node, .swap(nil)])
        var settings = try context.readSettings()
        try takerFee.apply(to: &settings.takerFees)
        context.console.progress("reading the prices of \(pair)")
        let account = try context.reader(session.network)
        let trends = TrendModel(session: session, journal: try context.journal(session.network))
        async let trend = trends.load(pairText: pair)
        var state = try await PriceModel(session: session, settings: settings)
            .load(
                pairText: pair,
                side: amount == nil ? nil : side ?? .buy,
                amount: amount,
                account: account
            )
        state.trend = await trend
        return context.report(ReadJSON.price(state), warnings: state.warnings) { [state] in
            PriceView(state).lines($0)
        }
    }
}

extension TradeSide: ExpressibleByArgument {}

struct PairsCommand: ListingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairs",
        abstract: "List the relays' token pairs with bid, ask, spread, depth and volume.",
        discussion: """
            The depth is what can be taken within 2 % of the best price, both sides together. The \
            volume is that of the trades on chain in the last 24 hours. Without a node, and with \
            --books 0, only the pairs are listed. Without a relay the pairs of the chain's hub \
            tokens that have a Uniswap pool are listed, with their volume.
            """
    )

    @Option(help: .of("n", "Read the books of the first n pairs, those with most trades."))
    var books = MarketPairsModel.usualBooks

    @OptionGroup var list: ListOptions<PairSort>
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try checkForm()
        if books < 0 { throw ValidationError("--books takes a number from 0 on.") }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.market])
        context.console.progress("reading the pairs")
        let model = MarketPairsModel(try context.reading(session))
        var state = try await model.load(books: session.network.rpc.isEmpty ? 0 : books)
        let left = list.selection().apply(to: &state.rows)
        return report(
            context,
            ReadJSON.pairs(state),
            csv: CSV.rows(ListColumns.pairs, of: "pairs"),
            left: left,
            warnings: state.warnings
        ) { [state] in
            PairsView(state).lines($0)
        }
    }
}
