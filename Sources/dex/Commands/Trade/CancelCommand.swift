import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import ZeroEx

struct CancelCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel own orders on chain."
    )

    @Argument(help: "The hashes of the orders.")
    var hashes: [String] = []

    @Option(help: .of("base/quote", "All own open orders of this pair."))
    var pair: String?

    @Flag(help: "All own open orders.")
    var all = false

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        let ways = (hashes.isEmpty ? 0 : 1) + (pair == nil ? 0 : 1) + (all ? 1 : 0)
        if ways != 1 {
            throw ValidationError("Name the orders by their hashes, by --pair PAIR, or by --all.")
        }
    }

    var groups: [any SettingsOptions] { [pending, sending] }
    var view: OperationView<CancelModel> { .cancel }

    func request(_ context: CommandContext) throws -> CancelRequest {
        if let pair { return .pair(pair) }
        return all ? .all : .hashes(try hashes.map { try OrderHash(hex: $0) })
    }
}
