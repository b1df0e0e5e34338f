import ArgumentParser
import DexCore
import DexSettings
import DexStore
import DexTerminal
import Ethereum
import PrivateFiles
import StrictJSON

struct LiveCommand: DexCommand {
    static var answer: Answer? { nil }
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Watch and trade a pair on the full screen.",
        discussion: """
            The book (without a relay Uniswap's pools), its depth, trades, own orders, balances and transactions, as they change. \
            Keys enter, replace and cancel orders by the same plans and guards as the commands; ? \
            shows the keys. Nothing trades on one key: an order is entered, its plan shown, and a \
            word typed. Without a key the screen is read-only. Your guards (dex guard) run while it is open.
            """
    )
    static let examples: Examples = [
        "The full screen of a pair": "dex live ZRX/WETH",
        "As another account, on the sandbox": "dex live ZRX/WETH --network sandbox -w bob",
    ]
    static let process: CommandProcess? = .fullScreen
    static let pairPlace: PairPlace? = .first

    @Argument(help: "BASE/QUOTE: symbols or addresses (default: trade.pair, or the relay's first).")
    var pair: String?

    @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
    var leavesMouse = false

    @OptionGroup var picture: SnapshotOption
    @OptionGroup var takerFee: TakerFeeOption
    @OptionGroup var options: GlobalOptions

    /// Of a picture.
    private static let pictureSize = (columns: 120, rows: 40)

    func validate() throws {
        if options.isJSON {
            throw ValidationError(
                "dex live is for a terminal: dex orderbook \(pair ?? "PAIR") --watch --json prints "
                    + "every change."
            )
        }
        if options.saysYes || options.isDryRun {
            throw ValidationError(
                "On the full screen a plan is confirmed by a typed word: leave --yes and --dry-run out."
            )
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        if let file = picture.snapshot { return try await drawn(to: file, context) }
        guard context.console.isInteractive, let depth = depth(context) else {
            throw ArgumentError.liveNeedsTerminal(pair: pair ?? "PAIR")
        }
        let desk = try await desk(context)
        let pair = try await pair(context, desk.session)
        // An unknown token is told before the screen is taken.
        let resolved = try await known(pair, desk.session)
        context.liftBudget()
        context.console.endProgress()
        guard let terminal = LiveTerminal(theme: GridTheme(depth), hasMouse: !leavesMouse) else {
            throw ArgumentError.liveNeedsTerminal(pair: pair)
        }
        var state = state(desk, resolved?.name ?? pair)
        (state.columns, state.rows) = terminal.size
        let loop = LiveLoop(desk, terminal, state, zone: Console.zone)
        let inFlight = await loop.run()
        terminal.end()
        context.reported.write(context.console)
        guard !inFlight.isEmpty else { return context.finished() }
        return context.report([:], warnings: []) { screen in
            screen.sentences(
                "In flight: \(inFlight.map { "\(TerminalText.clean($0.purpose)) \($0.hash.hex)" }.joined(separator: ", ")). "
                    + "See what came of it, and finish it: dex resume"
            )
        }
    }

    /// The screen as a picture, drawn once; no terminal is needed.
    private func drawn(to file: String, _ context: CommandContext) async throws -> CommandReport {
        let desk = try await desk(context)
        let pair = try await pair(context, desk.session)
        context.console.progress("reading the screen of \(pair)")
        let resolved = try await TokenResolver(session: desk.session).pair(pair)
        var state = state(desk, resolved.name)
        (state.columns, state.rows) = Self.pictureSize
        state.pairText = resolved.addresses.text
        let grid = try await LiveStill(desk: desk, state: state).grid(zone: Console.zone)
        let title = "dex live \(resolved.name)"
        try PrivateFiles.replace(file, with: Array(GridSVG(grid, title: title).text.utf8))
        return context.report([:], warnings: []) { screen in
            screen.sentences("The picture is in \(file).")
        }
    }

    /// nil for a terminal that has no full screen.
    private func depth(_ context: CommandContext) -> ColorDepth? {
        ColorDepth.of(isColourless: options.isColourless) { context.environment[$0] }
    }

    private func desk(_ context: CommandContext) async throws -> LiveDesk {
        var session = try context.session([.market, .node, .swap(nil)])
        // The screen says itself what it waits for.
        session.environment.progress = { _ in }
        var settings = try context.tradeSettings()
        try takerFee.apply(to: &settings)
        var reading = try context.readSettings()
        try takerFee.apply(to: &reading.takerFees)
        return LiveDesk(
            context: context,
            session: session,
            journal: try context.journal(session.network),
            readSettings: reading,
            settings: settings,
            account: try await context.reader(session.network) == nil
                ? nil : try await context.account(session.network)
        )
    }

    /// The pair of the command, else that of the settings, else the first one of the relay's or, without
    /// a relay, of the pools.
    private func pair(_ context: CommandContext, _ session: Session) async throws -> String {
        if let pair { return pair }
        if let pair = try context.settings().text(["trade", "pair"]) { return pair }
        context.console.progress("reading the pairs")
        let state = try await PairsModel(session: session).load()
        guard let first = state.rows.first?.pair else {
            throw ArgumentError.noPair
        }
        return first.addresses.text
    }

    /// nil while the node does not answer: the screen waits for it.
    private func known(_ pair: String, _ session: Session) async throws -> Pair? {
        do throws(DexError) {
            return try await TokenResolver(session: session).pair(pair)
        } catch {
            guard error.kind == .unreachable else { throw error }
            return nil
        }
    }

    private func state(_ desk: LiveDesk, _ pair: String) -> LiveState {
        let network = desk.session.network
        let environment = desk.session.environment
        var state = LiveState(
            network: network.name,
            account: desk.account?.address,
            accountName: desk.account?.name,
            canSign: desk.account?.key != nil,
            pairText: pair,
            freshness: LiveFreshness(network, elapsed: environment.elapsed()),
            now: environment.now()
        )
        state.servers =
            network.rpc.prefix(1).map { "node \(PlainText.origin(of: $0))" }
            + network.relayNames.map { "relay \($0)" }
        return state
    }
}
