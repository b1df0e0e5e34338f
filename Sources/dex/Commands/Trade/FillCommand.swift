import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import PrivateFiles
import StrictJSON
import ZeroEx

/// The command `dex fill`.
struct FillCommand: TradingCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill",
        abstract: "Fill one order, by its hash or handed over signed.",
        discussion: """
            ORDER is the hash of an order that the relay or the journal has, a file with a signed \
            order, or - for standard input. A file may also hold an RFQ order of 0x v4 whose \
            txOrigin the account is.
            """
    )

    @Argument(help: "A hash, a file, or -.")
    var order: String

    @Argument(help: "How much of the pair's BASE; without it all that can be filled and paid.")
    var amount: String?

    @Flag(help: "Fill although the price is more than 20 % worse than the best orders'.")
    var allowHighImpact = false

    @OptionGroup(title: "Trading") var takerFee: TakerFeeOption
    @OptionGroup(title: "Trading") var trade: TradeOptions
    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let source = try self.source(context)
        let trading = try context.trading([.node]) { settings in
            try applyTrading(to: &settings)
            try takerFee.apply(to: &settings.takerFees)
            settings.allowsHighImpact = allowHighImpact
        }
        let model = FillModel(
            session: trading.session,
            journal: trading.journal,
            settings: trading.settings
        )
        context.console.progress("reading the order")
        let planned = try await model.plan(
            FillRequest(source: source, amount: amount),
            account: trading.account.address
        )
        let plan = planned.plan
        let report = PlanReport(
            data: TradeJSON.plan(plan),
            warnings: plan.warnings,
            question: "Fill?",
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

    private func source(_ context: CommandContext) throws -> FillRequest.Source {
        if order.hasPrefix("0x") { return .hash(try OrderHash(hex: order)) }
        guard let bytes = try context.content(of: order, limit: 1 << 20) else {
            throw DexError(ArgumentError.noSuchOrder(order))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DexError(ArgumentError.orderNotText(file: order))
        }
        return .signed(text)
    }
}
