import ArgumentParser
import DexCore
import DexTerminal
import Ethereum

struct ActivityCommand: ListingCommand {
    static var answer: Answer? { Answer(ActivityJSON.activity) }
    static var rows: Fields<ActivityJSON.Row> { ActivityJSON.row }
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "Show what an account sent, received, wrapped, approved, traded and cancelled.",
        discussion: """
            Its own transactions and those of others, the latest first, with what gas took. Blocks \
            that were read once are kept, so the next call reads only the new ones. Transfers of \
            nothing and tokens outside the token map are hidden: anybody can make such events.
            """
    )
    static let examples: Examples = [
        "The last 20 rows": "dex activity",
        "Those of a week, for a spreadsheet": "dex activity --since 7d --csv",
        "Of any account": "dex activity -w 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
    ]

    @Option(
        help: .of(
            "time",
            "Only what happened from then on: a day, a time, or how long ago, such as 2026-11-01 "
                + "or 7d (default: 30d)."
        )
    )
    var since: String?

    @Option(help: .of("cursor", "Only what is behind this place of an earlier list."))
    var before: String?

    @Flag(help: "Show transfers of nothing, and of tokens outside the token map.")
    var allTokens = false

    @OptionGroup var list: ListOptions<ActivityCommand>
    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let cursor = try before.map { try ActivityCursor($0) }
        let session = try context.session([.node])
        let first = try since.map { try PastTime.seconds($0, now: session.environment.now()) }
        let account = try await context.account(session.network).address
        let names = try context.knownAddresses(session.network)
        let model = ActivityModel(
            session: session,
            journal: try context.journal(session.network),
            names: names
        )
        context.console.progress("reading the activity of \(account)")
        var state = try await model.load(
            account,
            since: first,
            before: cursor,
            showsAll: allTokens
        )
        // A script wants all of them, a screen the latest.
        let selection = list.selection(limit: options.isJSON || list.csv ? nil : 20)
        let coin = state.coin
        let left = state.select(
            selection.of { ActivityJSON.Row(row: $0, coin: coin) },
            isInOrder: (list.sort?.key.name ?? "time") == "time" && !list.reverse
        )
        let shown = ShownList(
            network: session.network.name,
            kind: .transactions,
            hashes: state.rows.compactMap(\.transaction?.word)
        )
        let next = state.next.map { command(before: $0) }
        return report(
            context,
            ActivityJSON.activity,
            state,
            left: next == nil ? left : 0,
            warnings: state.warnings,
            shown: shown
        ) { [state] screen in
            ActivityView(state).lines(screen.naming(names))
                + (next.map { screen.sentences("More rows: \($0)", .dim) } ?? [])
        }
    }

    /// The command that shows what is behind the last row.
    private func command(before cursor: ActivityCursor) -> String {
        var words = ["dex activity --before \(cursor)"]
        if let since { words.append("--since \(since)") }
        if let limit = list.limit { words.append("--limit \(limit)") }
        if allTokens { words.append("--all-tokens") }
        if let wallet = options.wallet { words.append("--wallet \(wallet)") }
        if let network = options.network { words.append("--network \(network)") }
        return words.joined(separator: " ")
    }
}
