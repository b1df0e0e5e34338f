import ArgumentParser
import DexCore
import DexTerminal

struct MarketBuyCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "market-buy",
        abstract: "Buy an amount of BASE from the asks, best first."
    )

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Argument(help: "How much of BASE to buy.")
    var amount: String

    @Option(
        help: ArgumentHelp(
            "The most to pay beyond the quote, in percent (default 1).",
            valueName: "pct"
        )
    )
    var slippage: String?

    @Option(
        help: ArgumentHelp("The most that any order may cost, in QUOTE per BASE.", valueName: "p")
    )
    var maxPrice: String?

    @OptionGroup(title: "Trading") var market: MarketOptions
    @OptionGroup(title: "Trading") var takerFee: TakerFeeOption
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        if slippage != nil, maxPrice != nil {
            throw ValidationError("--slippage and --max-price exclude each other.")
        }
    }

    var question: String { "Buy?" }
    var groups: [any SettingsOptions] { [trade, moving, sending, fees, market, takerFee] }
    var view: OperationView<MarketOrderModel> { .market }

    var needs: [CommandContext.Need] { [.relay, .node] }

    func apply(to settings: inout TradeSettings) throws {
        try applyGroups(to: &settings)
        if let slippage { settings.slippage = try TradeSettings.basisPoints(slippage) }
    }

    func request(_ context: CommandContext) throws -> MarketRequest {
        MarketRequest(side: .buy, pair: pair, amount: amount, limitPrice: maxPrice)
    }
}

struct MarketSellCommand: OperationCommand {
    static let configuration = CommandConfiguration(
        commandName: "market-sell",
        abstract: "Sell an amount of BASE into the bids, best first."
    )

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Argument(help: "How much of BASE to sell.")
    var amount: String

    @Option(
        help: ArgumentHelp(
            "The least to get below the quote, in percent (default 1).",
            valueName: "pct"
        )
    )
    var slippage: String?

    @Option(
        help: ArgumentHelp("The least that any order must pay, in QUOTE per BASE.", valueName: "p")
    )
    var minPrice: String?

    @OptionGroup(title: "Trading") var market: MarketOptions
    @OptionGroup(title: "Trading") var takerFee: TakerFeeOption
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        if slippage != nil, minPrice != nil {
            throw ValidationError("--slippage and --min-price exclude each other.")
        }
    }

    var question: String { "Sell?" }
    var groups: [any SettingsOptions] { [trade, moving, sending, fees, market, takerFee] }
    var view: OperationView<MarketOrderModel> { .market }

    var needs: [CommandContext.Need] { [.relay, .node] }

    func apply(to settings: inout TradeSettings) throws {
        try applyGroups(to: &settings)
        if let slippage { settings.slippage = try TradeSettings.basisPoints(slippage) }
    }

    func request(_ context: CommandContext) throws -> MarketRequest {
        MarketRequest(side: .sell, pair: pair, amount: amount, limitPrice: minPrice)
    }
}

/// Options of both market orders.
struct MarketOptions: SettingsOptions, Sendable {
    @Flag(help: "Allow a slippage above 5%.")
    var allowHighSlippage = false

    @Flag(help: "Allow a price impact above 20%.")
    var allowHighImpact = false

    func apply(to settings: inout TradeSettings) {
        settings.allowsHighSlippage = allowHighSlippage
        settings.allowsHighImpact = allowHighImpact
    }
}
