import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON
import ZeroEx

/// The command `dex orders`.
struct OrdersCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "List orders on the relay and in the journal."
    )

    @Option(help: ArgumentHelp("Only orders of this pair.", valueName: "base/quote"))
    var pair: String?

    @Flag(help: "Only your own orders.")
    var mine = false

    @Option(help: ArgumentHelp("Only orders of this maker.", valueName: "address"))
    var maker: String?

    @Flag(help: "Only orders that can still be filled.")
    var open = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if mine, maker != nil { throw ValidationError("--mine and --maker exclude each other.") }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.relay, .node])
        var owner: Address?
        if mine { owner = try context.account(session.network).address }
        if let maker { owner = try Address(maker) }
        let model = OrdersModel(
            session: session,
            journal: try context.journal(session.network),
            settings: try context.readSettings()
        )
        context.console.progress("reading orders")
        let state = try await model.load(pairText: pair, maker: owner, onlyOpen: open)
        return CommandReport(data: ReadJSON.orders(state)) { OrdersView(state).lines($0) }
    }
}

/// The command `dex order`.
struct OrderCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "order",
        abstract: "Show one order of the relay or the journal."
    )

    @Argument(help: "The order's hash.")
    var hash: String

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let order = try OrderHash(hex: hash)
        let session = try context.session([.node])
        let model = OrdersModel(
            session: session,
            journal: try context.journal(session.network),
            settings: try context.readSettings()
        )
        context.console.progress("reading the order")
        let found = try await model.order(hash: order)
        var data = ReadJSON.order(found.row).objectValue ?? JSONObject()
        data["block"] = JSONForms.integer(found.block.number)
        return CommandReport(data: .object(data)) { screen in
            OrderView(found.row, block: found.block.number).lines(screen)
        }
    }
}
