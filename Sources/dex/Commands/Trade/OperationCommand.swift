import ArgumentParser
import DexCore
import DexTerminal
import StrictJSON

/// A command that moves money: its arguments, its operation, and its view.
///
/// All such commands share the steps between.
protocol OperationCommand: DexCommand {
    associatedtype Model: Operation

    /// The required services.
    var needs: [CommandContext.Need] { get }
    /// The groups of options that change the settings of trades.
    var groups: [any SettingsOptions] { get }
    var view: OperationView<Model> { get }

    func request(_ context: CommandContext) async throws -> Model.Request

    /// Changes the settings of trades by the command's options.
    func apply(to settings: inout TradeSettings) throws
}

extension OperationCommand {
    var needs: [CommandContext.Need] { [.node] }

    func apply(to settings: inout TradeSettings) throws {
        try applyGroups(to: &settings)
    }

    func applyGroups(to settings: inout TradeSettings) throws {
        for group in groups { try group.apply(to: &settings) }
    }

    func execute(_ context: CommandContext) async throws -> CommandReport {
        // What is typed wrong is said before anything is asked.
        let settings = try settings(context)
        return try await run(Model.self, try await request(context), view, settings, context)
    }

    /// The settings of trades, with the command's options.
    func settings(_ context: CommandContext) throws -> TradeSettings {
        var settings = try context.tradeSettings()
        try apply(to: &settings)
        return settings
    }

    /// Plans a request, asks, and carries it out.
    func run<Work: DexCore.Operation>(
        _ operation: Work.Type,
        _ request: Work.Request,
        _ view: OperationView<Work>,
        _ settings: TradeSettings,
        _ context: CommandContext
    ) async throws -> CommandReport {
        let file = heldFile
        try file?.check()
        let session = try context.session(needs)
        let model = Work(
            session: session,
            journal: try context.journal(session.network),
            settings: settings
        )
        let account =
            if let signer = try model.signer(of: request) {
                try context.account(session.network, of: signer)
            } else {
                try context.account(session.network)
            }
        context.console.progress(view.progress(request))
        let planned = try await model.plan(request, account: account.address)
        let plan = planned.plan
        if let outcome = model.settled(planned) {
            return report(outcome, of: plan, view)
        }
        if file != nil { try model.checkHoldable(planned) }
        let question = view.question(plan)
        let report = PlanReport(
            data: view.planJSON(plan),
            warnings: plan.warnings,
            question: file == nil ? question : question.withoutSending,
            stop: plan.stop
        ) { view.planLines(plan, $0) }
        return try await context.confirmed(report, by: account) { signer in
            try model.check(planned, signer: signer)
        } perform: { signer in
            guard let file else {
                return self.report(try await model.execute(planned, signer: signer), of: plan, view)
            }
            let data = view.planJSON(plan)
            let held = try await model.hold(planned, plan: data["plan"] ?? [:], signer: signer)
            try file.write(held)
            return CommandReport(
                data: BroadcastJSON.held(held, path: file.path, in: data),
                warnings: options.isJSON ? plan.warnings : []
            ) { HeldView(held, path: file.path).lines($0) }
        }
    }

    /// The file for what is signed and not sent; nil if it is sent.
    private var heldFile: NewFile? {
        groups.lazy.compactMap { $0 as? HoldingOptions }.first?.file
    }

    private func report<Work: DexCore.Operation>(
        _ outcome: Work.Outcome,
        of plan: Work.Planned.Plan,
        _ view: OperationView<Work>
    ) -> CommandReport {
        CommandReport(
            data: view.outcomeJSON(outcome),
            warnings: options.isJSON ? plan.warnings + outcome.allWarnings : [],
            error: outcome.error
        ) { view.outcomeLines(outcome, $0) }
    }
}
