import ArgumentParser
import DexCore
import DexStore
import DexTerminal
import Ethereum
import StrictJSON

struct BalanceCommand: ListingCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance",
        abstract: "Show ether, tokens, and what the transfer contract may move.",
        discussion: """
            Without TOKEN it shows every known token that the account holds or has approved, and \
            what it is all worth in ether by the middle of the relay's books. What was bought here \
            is shown with its profit until now. --wallet takes any address.
            """,
        aliases: ["bal"]
    )

    @Argument(help: "Symbols or addresses.")
    var tokens: [String] = []

    @Option(
        name: .customLong("in"),
        help: .of("unit", "Show the value in this: ETH, a symbol or address.")
    )
    var unit: String?

    @Flag(help: "Ask no relay and no swap API for its value.")
    var noValue = false

    @OptionGroup var list: ListOptions<BalanceSort>
    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try checkForm()
        if noValue, unit != nil {
            throw ValidationError("--in and --no-value exclude each other.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let wish: BalanceModel.Unit =
            unit.map { .named($0) } ?? (noValue || !tokens.isEmpty ? .none : .ether)
        let session = try context.session(wish == .none ? [.node] : [.node, .swap(nil)])
        let account = try context.account(session.network)
        let settings = try context.readSettings()
        context.console.progress("reading balances")
        var state = try await BalanceModel(session: session, settings: settings)
            .load(owner: account.address, tokens: tokens, unit: wish)
        if wish != .none {
            await OpenPositionsModel(
                session: session,
                journal: try context.journal(session.network),
                settings: settings
            ).add(to: &state)
        }
        let worth = state.worth
        let left = list.selection().apply(to: &state.rows) { row in
            (row.amount, row.amount.raw == .zero ? nil : worth?.tokens[row.amount.token.address])
        }
        let warnings = [state.worth?.failure].compactMap { $0 } + state.warnings
        return report(
            context,
            ReadJSON.balance(state),
            csv: CSV.rows(ListColumns.balances, of: "balances"),
            left: left,
            warnings: warnings
        ) { [state] in
            BalanceView(state).lines($0)
        }
    }
}

struct StatusCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the status of a transaction or an order.",
        discussion: """
            A transaction is known by its receipt, an order by its filled and cancelled amounts. \
            --wait looks again until the transaction is confirmed or the order is no longer open.
            """
    )

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
        let notes: [String] =
            if case .transaction(let status) = state { status.notes } else { [] }
        return context.report(ReadJSON.status(state), warnings: notes, error: state.error) {
            StatusView(state).lines($0)
        }
    }
}
