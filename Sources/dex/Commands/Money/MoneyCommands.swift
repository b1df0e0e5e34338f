import ArgumentParser
import DexCore
import DexTerminal

struct SendCommand: OperationCommand {
    typealias Model = TransferModel

    static var answer: Answer? { .transfer }
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send the network's coin or a token to an address.",
        discussion: """
            TO is an address with its checksum, or a name: of dex address list, of a wallet or \
            of a signer. Names of ENS are not looked up. It is never sent \
            to the zero address, to a token's contract or to the exchange's. What arrived is told \
            by the token's events.
            """
    )
    static let examples: Examples = [
        "Send 1 WETH to a name of the address book": "dex send WETH 1 ledger",
        "Plan a payment in the coin, and sign nothing":
            "dex send ETH 0.1 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E -n",
        "Sign it for dex broadcast, and send nothing":
            "dex send WETH 1 ledger --no-send --out tx.json",
    ]

    @Argument(help: "The coin, such as ETH; a token's symbol or address.")
    var token: String

    @Argument(help: "How much: 1.5, 1k, 50% of the balance, or max.")
    var amount: String

    @Argument(help: "The address that gets it, or its name.")
    var to: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }

    func request(_ context: CommandContext) throws -> TransferRequest {
        if KnownAddresses.isName(to) { try context.refuseAlterableAddressBook() }
        let network = try context.network(try context.settings())
        return .send(
            asset: token,
            amount: amount,
            to: to,
            known: try context.knownAddresses(network)
        )
    }
}

struct WrapCommand: OperationCommand {
    typealias Model = TransferModel

    static var answer: Answer? { .transfer }
    static let configuration = CommandConfiguration(
        commandName: "wrap",
        abstract: "Turn the network's coin into its wrapped token, which can be traded."
    )
    static let examples: Examples = [
        "Make 0.5 of the coin tradable": "dex wrap 0.5",
        "Spend at most 0.001 on gas": "dex wrap 0.5 --max-gas-cost 0.001",
    ]

    @Argument(help: "How much of the coin: 1.5, 50% or max; the fee is kept.")
    var amount: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }

    func request(_ context: CommandContext) throws -> TransferRequest {
        .wrap(amount)
    }
}

struct UnwrapCommand: OperationCommand {
    typealias Model = TransferModel

    static var answer: Answer? { .transfer }
    static let configuration = CommandConfiguration(
        commandName: "unwrap",
        abstract: "Turn the wrapped token back into the network's coin."
    )
    static let examples: Examples = [
        "Turn 0.5 of the wrapped token back": "dex unwrap 0.5",
        "The same, without a question": "dex unwrap 0.5 -y",
    ]

    @Argument(help: "How much of the wrapped token: 1.5, 50% or max.")
    var amount: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }

    func request(_ context: CommandContext) throws -> TransferRequest {
        .unwrap(amount)
    }
}
