import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

struct TradesCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "trades",
        abstract: "Show what was traded of a pair, the latest first.",
        discussion: """
            The fills of all makers and takers, from the exchange's events, with the taker's side. \
            Blocks that were read once are kept, so the next call reads only the new ones.

            Examples: dex trades ZRX/WETH; dex trades ZRX/WETH --since 7d --csv
            """
    )

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

    @Option(help: .of("n", "Rows (default: 20 on screen, all with --json and --csv)."))
    var limit: Int?

    @Flag(help: "Print the trades as CSV (RFC 4180).")
    var csv = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
        if csv, options.isJSON { throw ValidationError("--csv and --json exclude each other.") }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let first = try since.map { try PastTime.seconds($0, now: session.environment.now()) }
        let model = TradesModel(session: session, journal: try context.journal(session.network))
        context.console.progress("reading the trades of \(pair)")
        let state = try await model.load(
            pairText: pair,
            since: first,
            limit: limit ?? (options.isJSON || csv ? nil : 20)
        )
        guard !csv else {
            // Printing adds the last line's end.
            let lines = TradesCSV.lines(state)
            return CommandReport(data: .null) { _ in lines }
        }
        return context.report(MarketJSON.trades(state), warnings: []) {
            TradesView(state).lines($0)
        }
    }
}
