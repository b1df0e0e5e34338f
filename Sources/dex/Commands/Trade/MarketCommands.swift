import ArgumentParser
import DexCore
import DexTerminal

/// The commands `dex market-buy` and `dex market-sell`.
struct MarketCommand<Words: MarketWords>: OperationCommand {
    typealias Model = MarketOrderModel

    static var answer: Answer? { .market }
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Words.name,
            abstract: Words.abstract,
            aliases: [Words.alias]
        )
    }
    static var examples: Examples { Words.examples }
    static var pairPlace: PairPlace? { .first }

    @Argument(help: "BASE/QUOTE: symbols or addresses.")
    var pair: String

    @Argument(help: Words.amount)
    var amount: String?

    @OptionGroup var spending: Words.Spending

    @Option(help: Words.slippage)
    var slippage: String?

    @Option(name: .customLong(Words.limitName), help: Words.limit)
    var limitPrice: String?

    @Option(help: "Where to trade: best, book (the relay's), swap (0x's API) or pools (Uniswap's).")
    var via: VenueChoice?

    @Flag(help: "At the swap API: let it take the token by a signed Permit2 message.")
    var permit2 = false

    @Flag(help: "Take the book's first orders and the rest elsewhere, where both are better.")
    var split = false

    @OptionGroup(title: "Trading") var market: MarketOptions
    @OptionGroup(title: "Trading") var takerFee: TakerFeeOption
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var label: TagOption
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var holding: HoldingOptions
    @OptionGroup(title: "Trading") var pending: PendingOption
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        switch (amount, spending.spend) {
        case (nil, nil): throw ValidationError(Words.missingAmount)
        case (_?, _?):
            throw ValidationError("Give an amount to buy or --spend, not both.")
        default: break
        }
        if slippage != nil, limitPrice != nil {
            throw ValidationError("--slippage and --\(Words.limitName) exclude each other.")
        }
        if permit2, let via, via == .book || via == .pools {
            throw ValidationError("--permit2 is for the swap API: leave --via \(via.rawValue) out.")
        }
        if split, via == .book {
            throw ValidationError("--split is the book and another venue: leave --via book out.")
        }
        if split, holding.noSend {
            throw ValidationError(
                "--split and --no-send exclude each other: the second part is planned once the "
                    + "first one is mined."
            )
        }
    }

    var groups: [any SettingsOptions] {
        [trade, moving, pending, sending, market, takerFee, label, holding]
    }

    var needs: [CommandContext.Need] {
        guard via != .book else { return [.relay, .node] }
        let venue = via ?? (permit2 ? .swap : split ? .best : nil)
        return [.node, .swap(venue)] + (split ? [.relay] : [])
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let (settings, request) = (try settings(context), try request(context))
        return split
            ? try await run(SplitTradeModel.self, request, settings, context)
            : try await run(Model.self, request, settings, context)
    }

    func apply(to settings: inout TradeSettings) throws {
        try applyGroups(to: &settings)
        if let slippage { settings.slippage = try TradeSettings.basisPoints(slippage) }
    }

    func request(_ context: CommandContext) throws -> MarketRequest {
        MarketRequest(
            side: Words.side,
            pair: pair,
            amount: spending.spend ?? amount ?? "",
            spends: spending.spend != nil,
            limitPrice: limitPrice,
            via: via,
            usesPermit: permit2
        )
    }
}

/// The way a side of the market is called on the command line.
protocol MarketWords: Sendable {
    static var side: TradeSide { get }
    static var name: String { get }
    /// The short form of the name.
    static var alias: String { get }
    static var abstract: String { get }
    static var examples: KeyValuePairs<String, String> { get }
    static var amount: ArgumentHelp { get }
    /// The options for what a purchase costs; none of a sale.
    associatedtype Spending: SpendingOptions
    /// The error without an amount.
    static var missingAmount: String { get }
    static var slippage: ArgumentHelp { get }
    static var limitName: String { get }
    static var limit: ArgumentHelp { get }
}

/// How much QUOTE a market order spends, where it can say so.
protocol SpendingOptions: ParsableArguments, Sendable {
    var spend: String? { get }
}

struct SpendOption: SpendingOptions {
    @Option(help: .of("quote", "How much of QUOTE to spend, instead of an amount: 1, 50% or max."))
    var spend: String?
}

struct NoSpendOption: SpendingOptions {
    var spend: String? { nil }
}

enum BuyWords: MarketWords {
    static let side = TradeSide.buy
    static let name = "market-buy"
    static let alias = "buy"
    static let abstract = "Buy an amount of BASE from the asks, best first."
    static let examples: KeyValuePairs<String, String> = [
        "Buy 100 ZRX at the best of the venues": "dex buy ZRX/WETH 100",
        "Pay at most 0.00076 WETH for one": "dex buy ZRX/WETH 100 --max-price 0.00076",
        "Plan it over the book and another venue, as alice":
            "dex buy ZRX/WETH 100 --split -n -w alice",
    ]
    typealias Spending = SpendOption
    static let amount: ArgumentHelp =
        "How much of BASE to buy: 1.5 or 1k; 50% or max spend that much of the QUOTE balance."
    static let missingAmount =
        "Say how much to buy: an amount of BASE, or --spend with an amount of QUOTE."
    static let slippage = ArgumentHelp.of(
        "pct",
        "The most to pay beyond the quote, in percent (default 1; 0.5 at pools)."
    )
    static let limitName = "max-price"
    static let limit = ArgumentHelp.of("p", "The most that any order may cost, in QUOTE per BASE.")
}

enum SellWords: MarketWords {
    static let side = TradeSide.sell
    static let name = "market-sell"
    static let alias = "sell"
    static let abstract = "Sell an amount of BASE into the bids, best first."
    static let examples: KeyValuePairs<String, String> = [
        "Sell 100 ZRX at the best of the venues": "dex sell ZRX/WETH 100",
        "Take half a percent less than quoted at most": "dex sell ZRX/WETH 100 --slippage 0.5",
        "Sell into the relay's bids, without a question": "dex sell ZRX/WETH 100 --via book -y",
    ]
    typealias Spending = NoSpendOption
    static let amount: ArgumentHelp =
        "How much of BASE to sell: 1.5, 1k, 50% of the balance, or max."
    static let missingAmount = "Say how much of BASE to sell: an amount, 50% or max."
    static let slippage = ArgumentHelp.of(
        "pct",
        "The least to get below the quote, in percent (default 1; 0.5 at pools)."
    )
    static let limitName = "min-price"
    static let limit = ArgumentHelp.of("p", "The least that any order must pay, in QUOTE per BASE.")
}

/// Options of both market orders.
struct MarketOptions: SettingsOptions, Sendable {
    @Flag(help: "Allow a slippage above 5%.")
    var allowHighSlippage = false

    @Flag(help: "Allow a price impact above 20%.")
    var allowHighImpact = false

    @Flag(help: "Allow a price that can be compared with nothing.")
    var allowUncheckedPrice = false

    func apply(to settings: inout TradeSettings) {
        settings.allowsHighSlippage = allowHighSlippage
        settings.allowsHighImpact = allowHighImpact
        settings.allowsUncheckedPrice = allowUncheckedPrice
    }
}

extension VenueChoice: ExpressibleByArgument {}
