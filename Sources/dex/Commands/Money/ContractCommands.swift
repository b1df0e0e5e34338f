import ArgumentParser
import DexCore
import DexTerminal

/// A contract's function and its arguments.
struct ContractArguments: ParsableArguments, Sendable {
    @Argument(help: .of("address", "The contract: an address, or a token's symbol."))
    var contract: String

    @Argument(help: "The function with its types: \"balanceOf(address)(uint256)\".")
    var function: String

    @Argument(help: .of("arg", "One for each argument: 5, 0x…, true, text, [1,2], (1,2)."))
    var arguments: [String] = []

    @Option(help: .of("ether", "Ether that goes along."))
    var value: String = "0"

    var request: ContractRequest {
        ContractRequest(
            contract: contract,
            function: function,
            arguments: arguments,
            value: value
        )
    }

    static let discussion = """
        The function is written as tools do, what it returns in parentheses of its own, or as a \
        line of Solidity: "function balanceOf(address owner) view returns (uint256)". Numbers are \
        whole and in base units. Put -- before arguments that begin with a minus.
        """
}

struct CallCommand: DexCommand {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Ask any contract anything; nothing is sent.",
        discussion: ContractArguments.discussion
    )

    @OptionGroup var contract: ContractArguments

    @Option(help: .of("n", "Ask at this block (default: the latest)."))
    var block: UInt64?

    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let caller = try context.reader(session.network)
        context.console.progress("asking the contract")
        let state = try await ContractReadModel(session: session)
            .load(contract.request, caller: caller, block: block)
        return CommandReport(data: MoneyJSON.read(state)) { ContractReadView(state).lines($0) }
    }
}

struct TransactCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "transact",
        abstract: "Call a function of any contract in a transaction.",
        discussion: ContractArguments.discussion
    )

    @OptionGroup var contract: ContractArguments
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }
    var view: OperationView<TransactModel> { .transact }

    func request(_ context: CommandContext) throws -> ContractRequest {
        contract.request
    }
}
