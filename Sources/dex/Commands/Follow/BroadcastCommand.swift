import ArgumentParser
import DexCore
import DexSettings
import DexSigning
import DexTerminal
import StrictJSON

struct BroadcastCommand: DexCommand {
    static var answer: Answer? { .broadcast }
    static let configuration = CommandConfiguration(
        commandName: "broadcast",
        abstract: "Send what was signed with --no-send, here or elsewhere.",
        discussion: """
            It needs no key and no wallet. Of the file only the signed bytes count: what they do is \
            read from them, shown, and simulated. Refused are another chain, a used nonce, a gap \
            before its nonce, a fee below the base fee, and what would fail now. An order is posted \
            where a relay lacks it; refused are those that nobody could fill.
            """
    )
    static let examples: Examples = [
        "Show what a signed file does, and send nothing": "dex broadcast tx.json -n",
        "Send it": "dex broadcast tx.json",
        "From standard input, without a question": "dex broadcast - -y",
    ]

    @Argument(help: "The file, or - for standard input.")
    var file: String

    @Option(help: .of("n", "Blocks that must hold the transaction (default 1)."))
    var confirmations: UInt64?

    @OptionGroup(title: "Everywhere") var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        var settings = try context.tradeSettings()
        if let confirmations { settings.confirmations = max(1, confirmations) }
        guard let content = try context.content(of: file, limit: SignedFile.limit) else {
            throw ArgumentError.noFile(file)
        }
        if let order = OrderBroadcastModel.order(in: content) {
            return try await post(order, settings, context)
        }
        let session = try context.session([.node])
        let model = BroadcastModel(
            session: session,
            journal: try context.journal(session.network),
            settings: settings,
            scope: try SigningScope(session.network, tokens: session.tokens)
        )
        context.console.progress("checking the signed transaction")
        let planned = try await model.plan(content)
        if let outcome = planned.settled { return report(outcome) }
        let plan = planned.plan
        let shown = PlanReport(
            data: BroadcastJSON.plan(plan),
            warnings: plan.warnings,
            question: PlanQuestion(plan)
        ) { BroadcastPlanView(plan).lines($0) }
        if let end = try await context.agreed(shown) { return end }
        // It follows a transaction in flight.
        context.liftBudget()
        context.signingMark.pass()
        let outcome = try await model.execute(planned)
        context.warn(ofOutcome: outcome.allWarnings, beyond: plan.warnings, error: outcome.error)
        return report(outcome)
    }

    private func post(
        _ order: JSONValue,
        _ settings: TradeSettings,
        _ context: CommandContext
    ) async throws -> CommandReport {
        let session = try context.session([.relay, .node])
        let model = OrderBroadcastModel(
            session: session,
            journal: try context.journal(session.network),
            settings: settings
        )
        context.console.progress("checking the signed order")
        let plan = try await model.plan(order)
        if !plan.isPosted {
            let shown = PlanReport(
                data: BroadcastJSON.plan(plan),
                warnings: plan.warnings,
                question: PlanQuestion(plan)
            ) { OrderBroadcastPlanView(plan).lines($0) }
            if let end = try await context.agreed(shown) { return end }
            context.signingMark.pass()
        }
        let outcome = try await model.execute(plan)
        context.warn(ofOutcome: outcome.warnings, beyond: plan.warnings, error: outcome.error)
        return CommandReport(
            data: BroadcastJSON.outcome(outcome),
            warnings: options.isJSON ? outcome.plan.warnings + outcome.warnings : [],
            error: outcome.error
        ) { OrderBroadcastOutcomeView(outcome).lines($0) }
    }

    private func report(_ outcome: BroadcastOutcome) -> CommandReport {
        CommandReport(
            data: BroadcastJSON.outcome(outcome),
            warnings: options.isJSON ? outcome.plan.warnings + outcome.allWarnings : [],
            error: outcome.error
        ) { BroadcastOutcomeView(outcome).lines($0) }
    }
}
