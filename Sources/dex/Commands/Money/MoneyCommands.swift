import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

/// The command `dex send`.
struct SendCommand: MovingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send ether or a token to an address.",
        discussion: """
            TO is an address with its checksum; names (ENS) are not looked up. It is never sent \
            to the zero address, to a token's contract or to the exchange's. What arrived is told \
            by the token's events.
            """
    )

    @Argument(help: "ETH, a symbol or a token's address.")
    var token: String

    @Argument(help: "How much, in human units.")
    var amount: String

    @Argument(help: "The address that gets it.")
    var to: String

    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        try await context.transfer(
            .send(asset: token, amount: amount, to: to),
            by: self,
            question: "Send?"
        )
    }
}

/// The command `dex wrap`.
struct WrapCommand: MovingCommand {
    static let configuration = CommandConfiguration(
        commandName: "wrap",
        abstract: "Turn ether into wrapped ether (WETH), which can be traded."
    )

    @Argument(help: "How much ether.")
    var amount: String

    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        try await context.transfer(.wrap(amount), by: self, question: "Wrap?")
    }
}

/// The command `dex unwrap`.
struct UnwrapCommand: MovingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unwrap",
        abstract: "Turn wrapped ether (WETH) back into ether."
    )

    @Argument(help: "How much wrapped ether.")
    var amount: String

    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Trading") var moving: MovingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        try await context.transfer(.unwrap(amount), by: self, question: "Unwrap?")
    }
}

extension CommandContext {
    fileprivate func transfer(
        _ request: TransferRequest,
        by command: some MovingCommand,
        question: String
    ) async throws -> CommandReport {
        let trading = try trading([.node]) { try command.applyMoving(to: &$0) }
        let model = TransferModel(
            session: trading.session,
            journal: trading.journal,
            settings: trading.settings
        )
        console.progress("reading the chain")
        let planned = try await model.plan(request, account: trading.account.address)
        let plan = planned.plan
        let report = PlanReport(
            data: MoneyJSON.plan(plan),
            warnings: plan.warnings,
            question: question,
            stop: plan.stop
        ) { TransferPlanView(plan).lines($0) }
        return try await confirmed(report, by: trading.account) { signer in
            try model.check(planned, signer: signer)
        } perform: { signer in
            let outcome = try await model.execute(planned, signer: signer)
            return done(
                exit: outcome.exit,
                data: MoneyJSON.outcome(outcome),
                warnings: plan.warnings + outcome.warnings,
                transactions: outcome.transactions,
                less: DexError(OutcomeError.movedLess)
            ) { TransferOutcomeView(outcome).lines($0) }
        }
    }
}
