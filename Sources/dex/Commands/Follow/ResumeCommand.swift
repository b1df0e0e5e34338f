import ArgumentParser
import DexCore
import DexTerminal
import Ethereum
import StrictJSON

struct ResumeCommand: DexCommand {
    static var answer: Answer? { Answer(LifeJSON.resume) }
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Check interrupted commands and resend what never went out.",
        discussion: """
            After a crash, a lost connection or an interruption: what was signed and never got to \
            a node or a relay is sent again after a question, the very same bytes. Nothing is \
            signed. Everything of the network is looked at, whatever account it is of.
            """
    )
    static let examples: Examples = [
        "See what an interrupted command left": "dex resume",
        "Finish it without a question": "dex resume -y",
    ]

    @Option(help: .of("n", "Blocks that must hold a transaction (default 1)."))
    var confirmations: UInt64?

    @OptionGroup var options: GlobalOptions

    func execute(_ context: CommandContext) async throws -> CommandReport {
        var settings = try context.tradeSettings()
        if let confirmations { settings.confirmations = max(1, confirmations) }
        // It follows transactions in flight.
        context.liftBudget()
        let session = try context.session([.node])
        let model = ResumeModel(
            session: session,
            journal: try context.journal(session.network),
            settings: settings
        )
        context.console.progress("reading the journal")
        let planned = try await model.plan()
        let state = planned.state
        let report = PlanReport(
            data: LifeJSON.resume(state),
            warnings: [],
            question: PlanQuestion(
                "Send \(planned.actions == 1 ? "it" : "these \(planned.actions)") again?"
            )
        ) { ResumeView(state, isPlan: true).lines($0) }
        // Mined transactions are recorded without a question, as by `dex status`.
        if options.isDryRun || planned.actions > 0, let end = try await context.agreed(report) {
            return end
        }
        context.signingMark.pass()
        let done = try await model.execute(planned)
        return CommandReport(
            data: LifeJSON.resume(done),
            error: done.error
        ) { ResumeView(done, isPlan: false).lines($0) }
    }
}
