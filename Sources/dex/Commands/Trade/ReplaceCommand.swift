import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import ZeroEx

struct ReplaceCommand: OperationCommand {
    typealias Model = ReplaceOrderModel

    static var answer: Answer? { .replace }
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Cancel an own order on chain and place another in its stead.",
        discussion: """
            What is not named stays as the order has it: the amount is what is left of it. The new \
            order is signed once the cancel is mined, and only if nothing was filled meanwhile. In \
            between neither order stands. With --no-send only the cancel is signed.
            """
    )
    static let examples: Examples = [
        "Move an order to another price": "dex replace 0x7d3a9f01 --price 0.00077",
        "Halve it as well": "dex replace 0x7d3a9f01 --price 0.00077 --amount 25",
    ]

    @Argument(help: "The order's hash, its first 4 or more digits, or @N of the list shown last.")
    var hash: String

    @Option(help: .of("p", "QUOTE per BASE, or relative to the book: mid-0.1%, bid+1, ask."))
    var price: String

    @Option(help: .of("a", "How much of BASE: 1.5 or 1k."))
    var amount: String?

    @Option(help: .of("time", "How long it stands, such as 30m or 7d, or until when (UTC)."))
    var expires: String?

    @OptionGroup var order: LimitOptions
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var label: TagOption
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [order, trade, moving, pending, sending, label, holding] }
    var needs: [CommandContext.Need] { [.relay, .node] }

    func request(_ context: CommandContext) async throws -> ReplaceOrderRequest {
        let session = try context.session(needs)
        let reference = try HashReference(hash)
        let order = try await context.hashes(session).ownOrder(reference) {
            try await context.account(session.network).address
        }
        return ReplaceOrderRequest(
            order: order,
            price: price,
            amount: amount,
            expiry: try expires.map { try OrderExpiry($0) }
        )
    }
}
