import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// The command `dex market-buy`.
struct MarketBuyCommand: MarketCommand {
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

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let request = MarketRequest(side: .buy, pair: pair, amount: amount, limitPrice: maxPrice)
        return try await market.execute(request, slippage: slippage, by: self, context)
    }
}

/// The command `dex market-sell`.
struct MarketSellCommand: MarketCommand {
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

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let request = MarketRequest(side: .sell, pair: pair, amount: amount, limitPrice: minPrice)
        return try await market.execute(request, slippage: slippage, by: self, context)
    }
}

/// A market order.
protocol MarketCommand: TradingCommand {
    var takerFee: TakerFeeOption { get }
}

/// What both market orders share.
struct MarketOptions: ParsableArguments, Sendable {
    @Flag(help: "Allow a slippage above 5%.")
    var allowHighSlippage = false

    @Flag(help: "Allow a price impact above 20%.")
    var allowHighImpact = false

    func execute(
        _ request: MarketRequest,
        slippage: String?,
        by command: some MarketCommand,
        _ context: CommandContext
    ) async throws -> CommandReport {
        let trading = try context.trading([.relay, .node]) { settings in
            try command.applyTrading(to: &settings)
            if let slippage { settings.slippage = try TradeSettings.basisPoints(slippage) }
            settings.allowsHighSlippage = allowHighSlippage
            settings.allowsHighImpact = allowHighImpact
            try command.takerFee.apply(to: &settings.takerFees)
        }
        let model = MarketOrderModel(
            session: trading.session,
            journal: trading.journal,
            settings: trading.settings
        )
        context.console.progress("reading the book of \(request.pair)")
        let planned = try await model.plan(request, account: trading.account.address)
        let plan = planned.plan
        let report = PlanReport(
            data: TradeJSON.plan(plan),
            warnings: plan.warnings,
            question: request.side == .buy ? "Buy?" : "Sell?",
            stop: plan.stop
        ) { TradePlanView(plan).lines($0) }
        return try await context.confirmed(report, by: trading.account) { signer in
            try model.check(planned, signer: signer)
        } perform: { signer in
            let outcome = try await model.execute(planned, signer: signer)
            return context.done(
                exit: outcome.exit,
                data: TradeJSON.outcome(outcome),
                warnings: plan.warnings + outcome.warnings,
                transactions: outcome.transactions
            ) { TradeOutcomeView(outcome).lines($0) }
        }
    }
}
