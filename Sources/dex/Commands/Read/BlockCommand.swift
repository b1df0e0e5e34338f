import ArgumentParser
import DexCore
import DexTerminal
import Ethereum

struct BlockCommand: DexCommand {
    static var answer: Answer? { Answer(BlockJSON.block) }
    static let configuration = CommandConfiguration(
        commandName: "block",
        abstract: "Show a block and its transactions.",
        discussion: """
            It shows who called what, and whether it succeeded. A call is shown by its function: \
            those of tokens and of the exchange by name, others by their selector.

            Examples: dex block latest; dex block 1200
            """
    )
    static let examples: Examples = [
        "The latest block and its transactions": "dex block latest",
        "A block by its number": "dex block 0",
    ]

    @Argument(help: "Its number, latest, or its hash.")
    var block = "latest"

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let reference = try BlockReference(block)
        let session = try context.session([.node])
        let known = try context.knownAddresses(session.network)
        context.console.progress("reading block \(block)")
        let state = try await BlockModel(ChainScope(session, known: known)).load(reference)
        let shown = ShownList(
            network: session.network.name,
            kind: .transactions,
            hashes: state.rows.map(\.hash.word)
        )
        var report = context.report(BlockJSON.block(state), warnings: [], list: shown) {
            BlockView(state).lines($0)
        }
        report.isPaged = true
        return report
    }
}
