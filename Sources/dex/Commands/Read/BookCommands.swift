import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

struct OrderbookCommand: ToolCommand {
    static var answer: Answer? { .orderbook }
    static let configuration = CommandConfiguration(
        commandName: "orderbook",
        abstract: "Show both sides of a pair: verified, fillable, best first.",
        discussion: """
            Every order's hash and signature are recomputed, and what makers hold is read at one \
            block. What does not verify is left out and counted; what should not be taken is \
            marked. Without a relay, and with --via pools, Uniswap's pools are the book: what they \
            buy and sell up to each price, as one node says it.
            """,
        aliases: ["book"]
    )
    static let examples: Examples = [
        "The 10 best of each side": "dex book ZRX/WETH",
        "The 3 best, drawn anew when they change": "dex book ZRX/WETH --depth 3 --watch",
        "What each relay shows": "dex book ZRX/WETH --relays",
    ]
    static let pairPlace: PairPlace? = .first
    static let tool = LookTool(
        "orderbook",
        "Order book",
        "Bids and asks of a pair: verified, fillable, best first.",
        [.pair, .optional("depth", .integer(1...100), "Rows a side; 10 if left out")]
    ) { given in
        (["--depth=\(given.integer("depth") ?? 10)"], given.text("pair"))
    }

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

    @OptionGroup var from: BookVenueOption
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
        if from.via == .pools, raw || relays {
            throw ValidationError("--via pools reads no relay: it excludes --raw and --relays.")
        }
        if relays, raw || watch || depth != nil {
            throw ValidationError("--relays excludes --raw, --watch and --depth.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        if !raw, !relays, try from.venue(context) == .pools { return try await pools(context) }
        let session = try context.session(raw ? [.relay] : [.relay, .node])
        let account = raw ? nil : try await context.reader(session.network)
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

    /// Shows every changed book.
    private func watched(
        _ model: OrderbookModel,
        _ rows: Int?,
        _ account: Address?,
        _ names: KnownAddresses,
        _ context: CommandContext
    ) async throws -> CommandReport {
        let lines: @Sendable (OrderbookState, Screen) -> [String] = {
            OrderbookView($0).lines($1.naming(names))
        }
        return try await OrderbookWatching(
            depth: depth,
            rows: rows,
            follow: { depth, show in
                try await model.watch(
                    pairText: pair,
                    depth: depth,
                    raw: raw,
                    account: account,
                    show: show
                )
            },
            lines: lines,
            report: { state in await report(state, context) { lines(state, $0) } }
        ).run(pair: pair, context)
    }

    /// The pools of the pair, without a relay.
    private func pools(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let model = PoolBookModel(session: session)
        let rows = depth ?? (options.isJSON || csv ? nil : 10)
        let reported:
            @Sendable (PoolBookState, @escaping @Sendable (Screen) -> [String]) ->
                CommandReport = { state, lines in
                    let data = PoolJSON.book(state)
                    if csv {
                        let table = ReadJSON.sidedRow.csv(ReadJSON.sided(data))
                        return CommandReport(csv: table, warnings: [])
                    }
                    var report = context.report(data, warnings: [], lines: lines)
                    report.isPaged = true
                    return report
                }
        if watch {
            return try await OrderbookWatching(
                depth: depth,
                rows: rows,
                follow: { depth, show in
                    try await model.watch(pairText: pair, depth: depth, show: show)
                },
                lines: { PoolBookView($0).lines($1) },
                report: { state in reported(state) { PoolBookView(state).lines($0) } }
            ).run(pair: pair, context)
        }
        context.console.progress("reading the pools of \(pair)")
        let state = try await model.load(pairText: pair, depth: rows)
        let lines = try picture.written(context, title: "dex orderbook \(pair)") {
            PoolBookView(state).lines($0)
        }
        return reported(state, lines)
    }

    private func report(
        _ state: OrderbookState,
        _ context: CommandContext,
        _ lines: @escaping @Sendable (Screen) -> [String]
    ) async -> CommandReport {
        let data = await ReadJSON.orderbook(state)
        if csv {
            let table = ReadJSON.sidedRow.csv(ReadJSON.sided(data))
            return CommandReport(csv: table, warnings: state.warnings)
        }
        var report = context.report(data, warnings: state.warnings, lines: lines)
        report.isPaged = true
        return report
    }
}

struct PriceCommand: ToolCommand {
    static var answer: Answer? { Answer(ReadJSON.price) }
    static let configuration = CommandConfiguration(
        commandName: "price",
        abstract: "Show the best prices of a pair, and what an amount would cost.",
        discussion: """
            The prices are those of the relay's book. Without a relay, with --via pools, and for a \
            pair of the chain's coin, they are those of Uniswap's pools, as one node says them.
            """
    )
    static let examples: Examples = [
        "Best bid, best ask and mid": "dex price ZRX/WETH",
        "What 500 ZRX cost at each venue": "dex price ZRX/WETH --side buy --amount 500",
    ]
    static let pairPlace: PairPlace? = .first
    static let tool = LookTool(
        "price",
        "Price",
        "Best bid, ask and mid of a pair, and what an amount of BASE costs or brings.",
        [
            .pair,
            .optional("side", .words(["buy", "sell"]), "With amount; buy if left out"),
            .optional("amount", .text(maximum: 80), "Of BASE, such as 1.5"),
        ]
    ) { given in
        ([given.option("side"), given.option("amount")], given.text("pair"))
    }

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Option(help: "What you would do with BASE: buy or sell (default: buy).")
    var side: TradeSide?

    @Option(help: .of("n", "An amount of BASE."))
    var amount: String?

    @OptionGroup var from: BookVenueOption
    @OptionGroup var takerFee: TakerFeeOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if side != nil, amount == nil {
            throw ValidationError("--side says what to do with an amount: add --amount N.")
        }
        if from.via != nil, amount != nil {
            throw ValidationError("--amount compares all venues: leave --via out.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let usesPools = try amount == nil && from.venue(context) == .pools
        let session = try context.session(
            usesPools ? [.node] : amount == nil ? [.relay, .node] : [.node, .swap(nil)]
        )
        var settings = try context.readSettings()
        try takerFee.apply(to: &settings.takerFees)
        context.console.progress("reading the prices of \(pair)")
        let account = try await context.reader(session.network)
        let trends = TrendModel(
            session: session,
            journal: try context.journal(session.network),
            maximumTrips: BookVenue(of: session.network) == .pools
                ? TrendModel.maximumTripsOfPools : nil
        )
        async let trend = trends.load(pairText: pair)
        var state: PriceState
        if usesPools {
            state = try await PoolBookModel(session: session).price(pairText: pair)
        } else {
            state = try await PriceModel(session: session, settings: settings)
                .load(
                    pairText: pair,
                    side: amount == nil ? nil : side ?? .buy,
                    amount: amount,
                    account: account
                )
        }
        state.trend = await trend
        return context.report(ReadJSON.price(state), warnings: state.warnings) { [state] in
            PriceView(state).lines($0)
        }
    }
}

extension TradeSide: ExpressibleByArgument {}

extension BookVenue: ExpressibleByArgument {}

/// The option for the source of a book's prices.
struct BookVenueOption: ParsableArguments {
    @Option(
        help: .of(
            "venue",
            "book, the relay's orders, or pools, Uniswap's pools by a node alone (default: the book "
                + "where there is a relay)."
        )
    )
    var via: BookVenue?

    /// - Throws: `DexError`, exit 2 or 3.
    func venue(_ context: CommandContext) throws -> BookVenue {
        if let via { return via }
        return BookVenue(of: try context.network(try context.settings()))
    }
}

struct PairsCommand: ListingCommand, ToolCommand {
    static var answer: Answer? { Answer(ReadJSON.pairs) }
    static var rows: Fields<ReadJSON.ListedPair> { ReadJSON.pair }
    static let configuration = CommandConfiguration(
        commandName: "pairs",
        abstract: "List the relays' token pairs with bid, ask, spread, depth and volume.",
        discussion: """
            The depth is what can be taken within 2 % of the best price, both sides together. The \
            volume is that of the trades on chain in the last 24 hours. Without a node, and with \
            --books 0, only the pairs are listed. Without a relay the pairs of the chain's hub \
            tokens that have a Uniswap pool are listed.
            """
    )
    static let examples: Examples = [
        "What the relay trades": "dex pairs",
        "What another relay trades": "dex pairs --relay https://relay.example/v0",
    ]
    static let tool = LookTool(
        "pairs",
        "Pairs",
        "Pairs that can be traded, with prices, depth and volume.",
        [.limit]
    ) { ([$0.number("limit")], nil) }

    @Option(help: .of("n", "Read the books of the first n pairs, those with most trades."))
    var books = MarketPairsModel.usualBooks

    @OptionGroup var list: ListOptions<PairsCommand>
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
        let hasFigures = state.hasFigures
        let left = list.selection()
            .of { ReadJSON.ListedPair(row: $0, hasFigures: hasFigures) }
            .apply(to: &state.rows)
        return report(
            context,
            ReadJSON.pairs,
            state,
            left: left,
            warnings: state.warnings
        ) { [state] in
            PairsView(state).lines($0)
        }
    }
}
