import ArgumentParser
import DexCore
import DexTerminal
import PrivateFiles
import StrictJSON

struct ChartCommand: ToolCommand {
    static var answer: Answer? { .chart }
    static let configuration = CommandConfiguration(
        commandName: "chart",
        abstract: "Draw candles and volume of a pair, from trades on chain.",
        discussion: """
            The trades are the exchange's fills and the swaps of Uniswap's pools of the pair; a node \
            is enough. An interval without a trade is a gap: no price is invented for it. Blocks \
            that were read once are kept, so the next call reads only the new ones.

            Examples: dex chart ZRX/WETH; dex chart ZRX/WETH --interval 15m --svg zrx.svg
            """
    )
    static let examples: Examples = [
        "Candles of an hour": "dex chart ZRX/WETH",
        "Those of a day, as a picture too": "dex chart ZRX/WETH --interval 1d --svg zrx.svg",
        "What the terminal shows, as a picture": "dex chart ZRX/WETH --snapshot chart.svg",
    ]
    static let pairPlace: PairPlace? = .first
    static let tool = LookTool(
        "chart",
        "Chart",
        "Candles and volume of a pair, from trades on chain.",
        [
            .pair,
            .optional("interval", .text(maximum: 20), "Of a candle, 1m to 7d; 1h if left out"),
            .since,
        ]
    ) { given in
        ([given.option("interval"), given.option("since")], given.text("pair"))
    }

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Option(help: .of("time", "The length of a candle: minutes, hours or days, from 1m to 7d."))
    var interval = "1h"

    @Option(
        help: .of(
            "time",
            "The first candle: a day, a time, or how long ago, such as 2026-11-01 or 7d (default: "
                + "60 candles)."
        )
    )
    var since: String?

    @Option(help: .of("file", "Also write the chart as a picture; an earlier one is replaced."))
    var svg: String?

    @OptionGroup var picture: SnapshotOption
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try SnapshotOption.checkName(svg, "--svg")
        if picture.snapshot != nil, options.isJSON {
            throw ValidationError("--snapshot shows the terminal's text: it excludes --json.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let seconds = try CandleInterval.seconds(interval)
        let first = try since.map { try PastTime.seconds($0, now: session.environment.now()) }
        let model = ChartModel(session: session, journal: try context.journal(session.network))
        context.console.progress("reading the trades of \(pair)")
        let state = try await model.load(pairText: pair, interval: seconds, since: first)
        if let svg {
            let chart = ChartSVG(state, mark: context.freshness.stale?.mark)
            try PrivateFiles.replace(svg, with: Array(chart.text.utf8))
        }
        let path = svg
        let lines = try picture.written(context, title: "dex chart \(pair)") {
            ChartView(state).lines($0)
        }
        return context.report(MarketJSON.chart(state, svg: path), warnings: []) { screen in
            lines(screen) + (path.map { screen.sentences("The picture is in \($0).") } ?? [])
        }
    }
}
