import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

struct HistoryCommand: DescribedCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show what you traded, as maker and taker, and what came of it.",
        discussion: """
            Trades with fees, gas and effective prices, and for each pair the profit \
            by average cost and by first in, first out. What others did with your orders is read \
            from the exchange's logs, from where the last reading stopped; `dex history rebuild` \
            reads everything anew. Without a subcommand it lists.
            """,
        subcommands: [ListCommand.self, Rebuild.self],
        defaultSubcommand: ListCommand.self
    )
    static let examples: Examples = [
        "Your trades, and what came of them": "dex history",
        "This month's, for a spreadsheet": "dex history list --since 30d --csv",
    ]

    struct ListCommand: ListingCommand, ToolCommand {
        static var answer: Answer? { Answer(HistoryJSON.history) }
        static var rows: Fields<HistoryJSON.Trade> { HistoryJSON.trade }
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Every trade, the latest first, and what came of each pair."
        )
        static let examples: Examples = [
            "Those since a day": "dex history list --since 2026-11-01",
            "Those with a tag of yours": "dex history list --tag rebalance",
            "For a spreadsheet": "dex history list --csv",
        ]
        static let tool = LookTool(
            "history",
            "History",
            "The account's trades, and the profit of each pair.",
            [.since, .limit]
        ) { ([$0.option("since"), $0.number("limit")], nil) }

        @Flag(help: "Also cancels.")
        var all = false

        @Option(
            help: .of(
                "time",
                "Only trades from then on: a day, a time, or how long ago, such as 2026-11-01, "
                    + "2026-11-01T12:30:00Z or 7d."
            )
        )
        var since: String?

        @Option(help: .of("text", "Only trades with this tag."))
        var tag: String?

        @Flag(help: "Ask no relay and no swap API what the held tokens are worth.")
        var noValue = false

        @OptionGroup var ofSide: SideOption
        @OptionGroup var list: ListOptions<ListCommand>
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            // CSV has the trades only.
            let isValued = !noValue && !list.csv
            let session = try context.session(isValued ? [.node, .swap(nil)] : [.node])
            let first = try since.map {
                try PastTime.seconds($0, now: session.environment.now())
            }
            let tag = try tag.map { try TradeTag($0) }
            let account = try await context.account(session.network).address
            let model = HistoryModel(
                session: session,
                journal: try context.journal(session.network)
            )
            context.console.progress("reading the history")
            var state = try await model.load(account, since: first)
            if isValued {
                let model = UnrealisedModel(
                    session: session,
                    settings: try context.readSettings()
                )
                if let failure = await model.add(to: &state.positions) {
                    state.warnings.append(failure)
                }
            }
            state.rows = state.rows.of(ofSide.side).reversed()
            if !all { state.rows.removeAll { $0.kind == .cancel } }
            if let tag { state.rows.removeAll { $0.tag != tag.text } }
            if tag != nil || ofSide.side != nil, !state.positions.isEmpty {
                state.warnings.append(
                    "The sums of each pair are those of all its trades, not of the trades shown alone."
                )
            }
            let coin = state.coin
            let left = list.selection().apply(to: &state.rows) {
                HistoryJSON.Trade(row: $0, coin: coin)
            }
            let names = try context.knownAddresses(session.network)
            let shown = ShownList(
                network: session.network.name,
                kind: .transactions,
                hashes: state.rows.map(\.transaction.word)
            )
            return report(
                context,
                HistoryJSON.history,
                state,
                left: left,
                warnings: state.warnings,
                shown: shown
            ) { [state, all] in
                HistoryView(state).lines($0.showingAll(all).naming(names))
            }
        }
    }

    struct Rebuild: DexCommand {
        static var answer: Answer? { Answer(HistoryJSON.rebuild) }
        static let configuration = CommandConfiguration(
            commandName: "rebuild",
            abstract: "Derive the history anew from the chain's logs.",
            discussion: """
                Reads the exchange's logs of all blocks from one on, the transfers of your tokens \
                by Uniswap's routers, the receipts of the transactions that moved something of \
                yours, and the times of their blocks, and puts the result in the place of what \
                the journal had of these blocks. Copies of the logs that other commands use are \
                forgotten, and activity that was kept is read again: use it if a node left \
                something out.
                """
        )
        static let examples: Examples = [
            "Read all of a chain": "dex history rebuild --from-block 0",
            "Read from the exchange's first block on mainnet":
                "dex history rebuild --from-block 4145578 --network mainnet",
        ]

        @Option(help: .of("n", "The first block."))
        var fromBlock: UInt64

        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let session = try context.session([.node])
            let account = try await context.account(session.network).address
            let keeper = TradeSync(
                session: session,
                journal: try context.journal(session.network)
            )
            context.console.progress("reading the logs from block \(fromBlock) on")
            let rebuild = try await keeper.rebuild(account, from: fromBlock)
            return CommandReport(data: HistoryJSON.rebuild(rebuild)) {
                RebuildView(rebuild).lines($0)
            }
        }
    }
}
