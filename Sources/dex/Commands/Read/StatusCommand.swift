import ArgumentParser
import DexCore
import DexTerminal

struct StatusCommand: ToolCommand {
    static var answer: Answer? { .status }
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of a transaction or an order.",
        discussion: """
            A transaction is known by its receipt, an order by its filled and cancelled amounts. \
            --wait looks again until the transaction is confirmed or the order is no longer open.
            """
    )
    static let examples: Examples = [
        "See how a transaction or an order stands": "dex status 0x7d3a9f01",
        "Wait until 3 blocks hold a transaction": "dex status 0x7d3a9f01 --wait --confirmations 3",
    ]
    static let completions: [String: CompletionSource] = ["hash": .hashes]
    static let tool = LookTool(
        "status",
        "Status",
        "What became of a transaction or an order.",
        [ToolParameter("hash", .hash(isWhole: false))]
    ) { ([], $0.text("hash")) }

    @Argument(help: .hash(of: "a transaction or an order"))
    var hash: String

    @Flag(help: "Wait until it is settled, at most --timeout seconds (default 180).")
    var wait = false

    @Option(help: .of("n", "Blocks that must hold a transaction (default 1)."))
    var confirmations: UInt64?

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let reference = try HashReference(hash)
        let session = try context.session([.node])
        let hash = try await context.hashes(session).any(reference)
        let settings = try context.tradeSettings()
        let model = StatusModel(try context.reading(session))
        let depth = max(1, confirmations ?? settings.confirmations)
        context.console.progress("looking for \(hash)")
        let state: StatusState
        if wait {
            context.liftBudget()
            // The awaited transaction was sent.
            context.signingMark.pass()
            let limit = options.timeout.map { UInt64($0) } ?? settings.receiptTimeout
            state = try await model.wait(hash, confirmations: depth, timeout: limit)
        } else {
            state = try await model.load(hash, confirmations: depth)
        }
        let notes =
            switch state {
            case .transaction(let status): status.notes
            case .order(let status): status.warnings
            }
        return context.report(ReadJSON.status(state), warnings: notes, error: state.error) {
            StatusView(state).lines($0)
        }
    }
}
