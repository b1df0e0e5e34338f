import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import ZeroEx

struct CancelCommand: OperationCommand {
    typealias Model = CancelModel

    static var answer: Answer? { .cancel }
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel own orders on chain."
    )
    static let examples: Examples = [
        "Cancel two orders": "dex cancel 0x7d3a9f01 0xb20c55e8",
        "Cancel all of a pair": "dex cancel --pair ZRX/WETH",
        "Cancel everything that is open": "dex cancel --all",
    ]
    static let isWithdrawal = true

    @Argument(help: .hash(of: "each order"))
    var hashes: [String] = []

    @Option(help: .of("base/quote", "All own open orders of this pair."))
    var pair: String?

    @Flag(help: "All own open orders.")
    var all = false

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        let ways = (hashes.isEmpty ? 0 : 1) + (pair == nil ? 0 : 1) + (all ? 1 : 0)
        if ways != 1 {
            throw ValidationError("Name the orders by their hashes, by --pair PAIR, or by --all.")
        }
    }

    var groups: [any SettingsOptions] { [pending, sending, holding] }

    func request(_ context: CommandContext) async throws -> CancelRequest {
        if let pair { return .pair(pair) }
        if all { return .all }
        let references = try hashes.map { try HashReference($0) }
        let session = try context.session(needs)
        let resolver = try context.hashes(session)
        var whole: [OrderHash] = []
        for reference in references {
            let hash = try await resolver.ownOrder(reference) {
                try await context.account(session.network).address
            }
            whole.append(hash)
        }
        return .hashes(whole)
    }
}
