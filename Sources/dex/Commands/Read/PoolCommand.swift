import ArgumentParser
import DexCore
import DexTerminal

struct PoolCommand: DexCommand {
    static var answer: Answer? { Answer(PoolJSON.pools) }
    static let configuration = CommandConfiguration(
        commandName: "pool",
        abstract: "List the Uniswap pools of a pair: depth, liquidity, volume, oracle, address.",
        discussion: """
            Pools are computed from the chain's table and confirmed by the factory; only a node is \
            asked. The depth is what a pool pays out until its price has moved by 1 %, the deepest \
            pool first. The volume is that of the last 24 hours. The oracle's reach is the longest \
            mean price that a v3 pool answers; a v2 pair keeps none.
            """
    )
    static let examples: Examples = [
        "The pools of a pair, the deepest first": "dex pool WETH/USDC --network base",
        "Their addresses, for a script": "dex pool WETH/USDC --network base --json",
    ]
    static let pairPlace: PairPlace? = .first

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        context.console.progress("reading the pools of \(pair)")
        let state = try await PoolListModel(
            session: session,
            journal: try context.journal(session.network)
        ).load(pairText: pair)
        return context.report(PoolJSON.pools(state), warnings: state.warnings) {
            PoolListView(state).lines($0)
        }
    }
}
