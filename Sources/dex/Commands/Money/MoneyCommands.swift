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
    var view: OperationView<TransferPlan> { .transfer }

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

    @Argument(help: "How much of the coin: 1.5, 50% or max; the fee is kept.")
    var amount: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }
    var view: OperationView<TransferPlan> { .transfer }

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

    @Argument(help: "How much of the wrapped token: 1.5, 50% or max.")
    var amount: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }
    var view: OperationView<TransferPlan> { .transfer }

    func request(_ context: CommandContext) throws -> TransferRequest {
        .unwrap(amount)
    }
}
