import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import ZeroEx

struct FillCommand: OperationCommand {
    typealias Model = FillModel

    static var answer: Answer? { .trade }
    static let configuration = CommandConfiguration(
        commandName: "fill",
        abstract: "Fill one order, by its hash or handed over signed.",
        discussion: """
            ORDER is the hash of an order that the relay or the journal has, a file with a signed \
            order, or - for standard input. A file may also hold an RFQ order of 0x v4 whose \
            txOrigin the account is. The first digits of a hash, or @N for row N of the list shown \
            last, will do too, but not with --yes.
            """
    )
    static let examples: Examples = [
        "Fill an order of the relay as far as you can pay": "dex fill 0x7d3a9f01",
        "Take 10 of its BASE": "dex fill 0x7d3a9f01 10",
        "Fill a signed order that someone handed you": "dex fill order.json",
    ]

    @Argument(help: "A hash, its first 4 or more digits, @N, a file, or -.")
    var order: String

    @Argument(help: "How much of BASE, 50% or max; without it all that can be filled and paid.")
    var amount: String?

    @Flag(help: "Fill although the price is more than 20 % worse than the best orders'.")
    var allowHighImpact = false

    @Flag(help: "Allow a price that can be compared with nothing.")
    var allowUncheckedPrice = false

    @OptionGroup(title: "Trading") var takerFee: TakerFeeOption
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var label: TagOption
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] {
        [trade, moving, pending, sending, takerFee, label, holding]
    }

    func apply(to settings: inout TradeSettings) throws {
        try applyGroups(to: &settings)
        settings.allowsHighImpact = allowHighImpact
        settings.allowsUncheckedPrice = allowUncheckedPrice
    }

    func request(_ context: CommandContext) async throws -> FillRequest {
        FillRequest(source: try await source(context), amount: amount)
    }

    private func source(_ context: CommandContext) async throws -> FillRequest.Source {
        if order.lowercased().hasPrefix("0x") || HashReference.isRow(order) {
            return .hash(try await hash(context))
        }
        guard let bytes = try context.content(of: order, limit: 1 << 20) else {
            throw ArgumentError.noSuchOrder(order)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ArgumentError.orderNotText(file: order)
        }
        return .signed(text)
    }

    /// A relay can make an order whose hash starts like another one's, so a user has to see the
    /// whole hash in the plan.
    private func hash(_ context: CommandContext) async throws -> OrderHash {
        let reference = try HashReference(order)
        if case .whole(let word) = reference { return OrderHash(word) }
        let hash = try await context.hashes(try context.session(needs)).order(reference)
        guard !options.saysYes || options.isDryRun else {
            throw HashError.wholeHashNeeded(hash)
        }
        return hash
    }
}
