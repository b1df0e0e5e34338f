import DexCore
import DexTerminal
import Ethereum
import StrictJSON

extension CommandContext {
    /// Plans an operation, shows the plan, asks, and carries it out.
    ///
    /// - Parameters:
    ///   - file: for a transaction that is signed and not sent; nil if it is sent.
    ///   - keep: gets what was done before it is reported.
    ///   - onSent: gets the hash of each transaction that may be in flight.
    /// - Throws: `DexError`; `CancellationError` after a signal.
    func run<Work: DexCore.Operation>(
        _ operation: Work.Type,
        _ request: Work.Request,
        _ view: OperationView<Work.Content>,
        _ settings: TradeSettings,
        needs: [Need],
        holding file: NewFile? = nil,
        keep: (Work.Content.Outcome) throws -> Void = { _ in },
        onSent: @escaping @Sendable (TransactionHash) -> Void = { _ in }
    ) async throws -> CommandReport {
        try file?.check()
        var session = try session(needs)
        session.environment.onSent = onSent
        let operations = OperationContext(
            session: session,
            journal: try journal(session.network),
            settings: settings
        )
        let (model, runner) = (Work(operations), PlanRunner(operations))
        let account =
            if let signer = try model.signer(of: request) {
                try await account(session.network, of: signer)
            } else {
                try await account(session.network)
            }
        console.progress(view.progress)
        let made = try await model.plan(request, account: account.address)
        let plan = made.content
        if let outcome = made.settled { return report(outcome, of: plan, view) }
        if file != nil { try runner.checkHoldable(made) }
        let question = view.question(plan)
        // With --yes it is proven right before the signature alone.
        let planned =
            options.saysYes && !options.isDryRun ? made : try await runner.proven(made)
        let shown = PlanReport(
            data: view.planJSON(plan),
            warnings: withStaleness(plan.warnings),
            question: file == nil ? question : question.withoutSending,
            stop: plan.stop ?? runner.staleStop,
            proof: planned.proof
        ) { screen in
            staleness(screen) + view.lines(of: planned, screen) + (asker?.lines(screen) ?? [])
        }
        return try await confirmed(shown, by: account) { signer in
            try runner.check(planned, signer: signer)
        } perform: { signer in
            guard let file else {
                let outcome = try await runner.run(planned, signer: signer)
                try keep(outcome)
                warn(
                    ofOutcome: outcome.allWarnings,
                    beyond: plan.warnings,
                    error: outcome.error
                )
                return self.report(outcome, of: plan, view)
            }
            let data = view.planJSON(plan)
            let held = try await runner.hold(planned, shown: data["plan"] ?? [:], signer: signer)
            try file.write(held)
            return CommandReport(
                data: BroadcastJSON.held(held, path: file.path, in: data),
                warnings: options.isJSON ? plan.warnings : []
            ) { HeldView(held, path: file.path).lines($0) }
        }
    }

    private func report<Content>(
        _ outcome: Content.Outcome,
        of plan: Content,
        _ view: OperationView<Content>
    ) -> CommandReport {
        var report = CommandReport(
            data: view.outcomeJSON(outcome),
            warnings: options.isJSON ? plan.warnings + outcome.allWarnings : [],
            error: outcome.error
        ) { view.outcomeLines(outcome, $0) }
        report.proof = outcome.proof
        return report
    }
}
