import ArgumentParser
import DexCore
import DexTerminal
import Ethereum

/// A contract's function and its arguments.
struct ContractArguments: ParsableArguments, Sendable {
    @Argument(help: .of("address", "The contract: an address, or a token's symbol."))
    var contract: String

    @Argument(
        help: "The function with its types, \"balanceOf(address)(uint256)\"; with --abi its name."
    )
    var function: String

    @Argument(help: .of("arg", "One for each argument: 5, 0x…, true, text, [1,2], (1,2)."))
    var arguments: [String] = []

    @Option(help: .of("amount", "How much of the coin goes along."))
    var value: String = "0"

    @Option(help: .of("file", "The contract's ABI: JSON of a compiler, or a build artifact."))
    var abi: String?

    /// - Throws: `DexError`: exit 2, `no-file`, `bad-abi`; exit 3 for a file that cannot be read.
    func request(_ context: CommandContext) throws -> ContractRequest {
        ContractRequest(
            contract: contract,
            function: function,
            arguments: arguments,
            value: value,
            abi: try abi.map { path in
                guard let bytes = try context.content(of: path, limit: ContractABI.longestFile)
                else { throw ArgumentError.noFile(path) }
                return try ContractABI(bytes, path: path)
            }
        )
    }

    static let discussion = """
        The function is written as tools do, what it returns in parentheses of its own, or as a \
        line of Solidity: "function balanceOf(address owner) view returns (uint256)". Numbers are \
        whole and in base units. Put -- before arguments that begin with a minus. With --abi the \
        name of a function is enough, its results have their names, and so has a revert.
        """
}

struct CallCommand: DexCommand {
    static var answer: Answer? { Answer(MoneyJSON.read) }
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: "Ask any contract anything; nothing is sent.",
        discussion: ContractArguments.discussion
    )
    static let examples: Examples = [
        "An allowance, in base units":
            "dex call ZRX 'allowance(address,address)(uint256)' 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
        "A supply at an earlier block": "dex call ZRX 'totalSupply()(uint256)' --block 0",
        "By name, with the ABI of the compiler":
            "dex call --abi Token.json ZRX balanceOf 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
    ]
    static let takesNegativeNumbers = true

    @OptionGroup var contract: ContractArguments

    @Option(help: .of("n", "Ask at this block (default: the latest)."))
    var block: UInt64?

    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let session = try context.session([.node])
        let caller = try await context.reader(session.network)
        context.console.progress("asking the contract")
        let state = try await ContractReadModel(session: session)
            .load(try contract.request(context), caller: caller, block: block)
        return CommandReport(data: MoneyJSON.read(state)) { ContractReadView(state).lines($0) }
    }
}

struct TransactCommand: OperationCommand {
    typealias Model = TransactModel

    static var answer: Answer? { .transact }
    static let configuration = CommandConfiguration(
        commandName: "transact",
        abstract: "Call a function of any contract in a transaction.",
        discussion: ContractArguments.discussion
            + " --value takes 50% or max too: of the coin less the highest network fee."
    )
    static let examples: Examples = [
        "Approve 100 base units of ZRX":
            "dex transact ZRX 'approve(address,uint256)' 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E 100",
        "Send the coin to a contract, as a plan only":
            "dex transact WETH 'deposit()' --value 0.1 -n",
    ]
    static let takesNegativeNumbers = true

    @OptionGroup var contract: ContractArguments
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }

    func request(_ context: CommandContext) throws -> ContractRequest {
        try contract.request(context)
    }
}
