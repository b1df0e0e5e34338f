import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

struct TradesCommand: ListingCommand {
    static var answer: Answer? { Answer(MarketJSON.trades) }
    static var rows: Fields<MarketJSON.Trade> { MarketJSON.trade }
    static let configuration = CommandConfiguration(
        commandName: "trades",
        abstract: "Show what was traded of a pair, the latest first.",
        discussion: """
            The fills of the exchange and the swaps of Uniswap's pools of the pair, whoever traded, \
            with the taker's side and the source; a node is enough. Of other venues only the \
            swaps of your own accounts. Blocks that were read once are kept, so the next call \
            reads only the new ones.

            Examples: dex trades ZRX/WETH; dex trades ZRX/WETH --since 7d --csv
            """
    )
    static let examples: Examples = [
        "The last 20 trades of a pair": "dex trades ZRX/WETH",
        "Those of a week, for a spreadsheet": "dex trades ZRX/WETH --since 7d --csv",
    ]
    static let pairPlace: PairPlace? = .first

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Option(
        help: .of(
            "time",
            "Only trades from then on: a day, a time, or how long ago, such as 2026-11-01 or 7d "
                + "(default: 24h)."
        )
    )
    var since: String?

    @OptionGroup var ofSide: SideOption
    @OptionGroup var list: ListOptions<TradesCommand>
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let first = try since.map { try PastTime.seconds($0, now: session.environment.now()) }
        let model = TradesModel(session: session, journal: try context.journal(session.network))
        context.console.progress("reading the trades of \(pair)")
        var state = try await model.load(pairText: pair, since: first)
        // A script wants all of them, a screen the latest.
        let selection = list.selection(limit: options.isJSON || list.csv ? nil : 20)
        state.rows = state.rows.of(ofSide.side)
        let pair = state.pair
        let left = selection.apply(to: &state.rows) { MarketJSON.Trade(trade: $0, pair: pair) }
        return report(
            context,
            MarketJSON.trades,
            state,
            left: left
        ) { [state] in
            TradesView(state).lines($0)
        }
    }
}
