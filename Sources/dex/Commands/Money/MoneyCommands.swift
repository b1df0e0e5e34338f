import ArgumentParser
import DexCore
import DexTerminal

struct SendCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send ether or a token to an address.",
        discussion: """
            TO is an address with its checksum, or a name: of dex address list, of a wallet or \
            of a signer. Names of ENS are not looked up. It is never sent \
            to the zero address, to a token's contract or to the exchange's. What arrived is told \
            by the token's events.
            """
    )

    @Argument(help: "ETH, a symbol or a token's address.")
    var token: String

    @Argument(help: "How much, in human units.")
    var amount: String

    @Argument(help: "The address that gets it, or its name.")
    var to: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }
    var view: OperationView<TransferModel> { .transfer }

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
    static let configuration = CommandConfiguration(
        commandName: "wrap",
        abstract: "Turn ether into wrapped ether (WETH), which can be traded."
    )

    @Argument(help: "How much ether.")
    var amount: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }
    var view: OperationView<TransferModel> { .transfer }

    func request(_ context: CommandContext) throws -> TransferRequest {
        .wrap(amount)
    }
}

struct UnwrapCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "unwrap",
        abstract: "Turn wrapped ether (WETH) back into ether."
    )

    @Argument(help: "How much wrapped ether.")
    var amount: String

    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    var groups: [any SettingsOptions] { [moving, pending, sending, holding] }
    var view: OperationView<TransferModel> { .transfer }

    func request(_ context: CommandContext) throws -> TransferRequest {
        .unwrap(amount)
    }
}
