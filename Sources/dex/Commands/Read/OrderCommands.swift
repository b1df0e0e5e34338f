import ArgumentParser
import DexCore
import DexStore
import DexTerminal
import Ethereum
import StrictJSON
import ZeroEx

struct OrdersCommand: ListingCommand, ToolCommand {
    static var answer: Answer? { .orders }
    static var rows: Fields<OrdersState.Row> { ReadJSON.order }
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "List orders on the relay and in the journal.",
        discussion: """
            The best orders of each pair come first, sell orders before buy orders; with --mine \
            the latest signed. \
            With --mine everything that happened to each of your orders is told: what was filled, \
            by whom and when, and what was cancelled. For that the exchange's logs are read from \
            where the last reading stopped.
            """
    )
    static let examples: Examples = [
        "Your own orders, and what happened to each": "dex orders --mine",
        "What can be filled now": "dex orders --pair ZRX/WETH --open",
    ]
    static let tool = LookTool(
        "orders",
        "Orders",
        "The account's own orders; with pair, all orders of a pair.",
        [.optional("pair", .pair)]
    ) { ([$0.option("pair") ?? "--mine"], nil) }

    @Option(help: .of("base/quote", "Only orders of this pair."))
    var pair: String?

    @Flag(help: "Only your own orders.")
    var mine = false

    @Option(help: .of("address", "Only orders of this maker."))
    var maker: String?

    @Flag(help: "Only orders of which something can be filled now.")
    var open = false

    @OptionGroup var ofSide: SideOption
    @OptionGroup var list: ListOptions<OrdersCommand>
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try checkForm()
        if mine, maker != nil { throw ValidationError("--mine and --maker exclude each other.") }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.relay, .node])
        if mine { return try await own(context, session) }
        let model = OrdersModel(try context.reading(session))
        let owner = try maker.map { try Address(party: $0) }
        context.console.progress("reading orders")
        var state = try await model.load(pairText: pair, maker: owner, onlyOpen: open)
        state.rows = state.rows.of(ofSide.side)
        let left = list.selection(sort: "best").apply(to: &state.rows)
        let shown = ShownList(
            network: session.network.name,
            kind: .orders,
            hashes: state.rows.map(\.order.hash.word)
        )
        return report(
            context,
            ReadJSON.orders,
            state,
            left: left,
            warnings: state.warnings,
            shown: shown
        ) { [state] in
            OrdersView(state).lines($0)
        }
    }

    private func own(
        _ context: CommandContext,
        _ session: Session
    ) async throws -> CommandReport {
        let model = OwnOrdersModel(
            session: session,
            journal: try context.journal(session.network),
            settings: try context.readSettings()
        )
        let account = try await context.account(session.network).address
        context.console.progress("reading own orders")
        var state = try await model.load(account, pairText: pair, onlyOpen: open)
        state.rows = state.rows.of(ofSide.side)
        let left = list.selection().apply(to: &state.rows, by: \.order)
        let shown = ShownList(
            network: session.network.name,
            kind: .orders,
            hashes: state.rows.map(\.order.order.hash.word)
        )
        return report(
            context,
            HistoryJSON.ownOrders,
            state,
            left: left,
            warnings: state.warnings,
            shown: shown
        ) { [state] in
            OwnOrdersView(state).lines($0)
        }
    }
}

/// The command `dex order`.
struct OrderCommand: DexCommand {
    static var answer: Answer? { .order }
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Show one order of the relay or the journal."
    )
    static let examples: Examples = [
        "Show an order": "dex order 0x7d3a9f01",
        "What its maker signed, for a script": "dex order 0x7d3a9f01 -j",
    ]

    @Argument(help: .hash(of: "the order"))
    var hash: String

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let reference = try HashReference(hash)
        let session = try context.session([.node])
        let hash = try await context.hashes(session).order(reference)
        let model = OrdersModel(try context.reading(session))
        context.console.progress("reading the order")
        let found = try await model.order(hash: hash)
        var data = ReadJSON.order(found.row).objectValue ?? JSONObject()
        data["block"] = JSONFormat.integer(found.inspection.block.number)
        return context.report(.object(data), warnings: found.warnings) { screen in
            OrderView(found.row, block: found.inspection.block.number, warnings: found.warnings)
                .lines(screen)
        }
    }
}

struct WhyCommand: ToolCommand {
    static var answer: Answer? { Answer(HistoryJSON.why) }
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Tell why an order can or cannot be filled now, and what mends it."
    )
    static let examples: Examples = [
        "Find out why an order is not taken": "dex why 0x7d3a9f01",
        "The same as another account": "dex why 0x7d3a9f01 -w bob",
    ]
    static let tool = LookTool(
        "why",
        "Why",
        "Why an order can or cannot be filled now.",
        [ToolParameter("order", .hash(isWhole: false))]
    ) { ([], $0.text("order")) }

    @Argument(help: .hash(of: "the order"))
    var hash: String

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let reference = try HashReference(hash)
        let session = try context.session([.node])
        let hash = try await context.hashes(session).order(reference)
        let model = WhyModel(try context.reading(session))
        context.console.progress("reading the order")
        let account = try await context.reader(session.network)
        let state = try await model.load(hash, account: account)
        return context.report(HistoryJSON.why(state), warnings: state.warnings) {
            WhyView(state).lines($0)
        }
    }
}
