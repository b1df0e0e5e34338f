import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON
import ZeroEx

/// The command `dex cancel`.
struct CancelCommand: SendingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel own orders on chain."
    )

    @Argument(help: "The hashes of the orders.")
    var hashes: [String] = []

    @Option(help: ArgumentHelp("All own open orders of this pair.", valueName: "base/quote"))
    var pair: String?

    @Flag(help: "All own open orders.")
    var all = false

    @OptionGroup(title: "Trading") var fees: FeeOptions
    @OptionGroup(title: "Trading") var sending: SendingOptions
    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func validate() throws {
        let ways = (hashes.isEmpty ? 0 : 1) + (pair == nil ? 0 : 1) + (all ? 1 : 0)
        if ways != 1 {
            throw ValidationError("Name the orders by their hashes, by --pair PAIR, or by --all.")
        }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        let request: CancelRequest =
            if let pair {
                .pair(pair)
            } else if all {
                .all
            } else {
                .hashes(try hashes.map { try OrderHash(hex: $0) })
            }
        var settings = try context.tradeSettings()
        try applySending(to: &settings)
        let session = try context.session([.node])
        let model = CancelModel(
            session: session,
            journal: try context.journal(session.network),
            settings: settings
        )
        let account =
            if let maker = try model.maker(of: request) {
                try context.account(session.network, of: maker)
            } else {
                try context.account(session.network)
            }
        context.console.progress("reading own orders")
        let planned = try await model.plan(request, account: account.address)
        let plan = planned.plan
        let report = PlanReport(
            data: TradeJSON.cancelPlan(plan),
            warnings: plan.warnings,
            question: "Cancel?"
        ) { CancelPlanView(plan).lines($0) }
        return try await context.confirmed(report, by: account) { signer in
            try model.check(planned, signer: signer)
        } perform: { signer in
            let outcome = try await model.execute(planned, signer: signer)
            return context.done(
                exit: outcome.exit,
                data: TradeJSON.cancelOutcome(outcome),
                warnings: plan.warnings + outcome.warnings,
                transactions: outcome.transactions,
                less: DexError(OutcomeError.cancelledLess)
            ) { CancelOutcomeView(outcome).lines($0) }
        }
    }
}
