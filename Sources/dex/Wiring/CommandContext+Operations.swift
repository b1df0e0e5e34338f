import DexCore
import DexTerminal
import Ethereum
import StrictJSON

extension CommandContext {
    /// Plans an operation, shows the plan, asks, and carries it out.
    ///
    /// - Parameters:
    ///   - file: for a transaction that is signed and not sent; nil if it is sent.
    ///   - onSent: gets the hash of each transaction that may be in flight.
    ///   - kept: keeps and reports what was signed and not sent, of an order; nil of anything else.
    /// - Throws: `DexError`; `CancellationError` after a signal.
    func run<Work: DexCore.Operation>(
        _ operation: Work.Type,
        _ request: Work.Request,
        _ settings: TradeSettings,
        needs: [Need],
        holding file: NewFile? = nil,
        onSent: @escaping @Sendable (TransactionHash) -> Void = { _ in },
        kept: ((Work.Content.Outcome) throws -> CommandReport)? = nil
    ) async throws -> CommandReport where Work.Content: PlanView {
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
        console.progress(Work.progress(of: request))
        let made = try await model.plan(request, account: account.address)
        let plan = made.content
        if let outcome = made.settled { return report(of: outcome, plan) }
        if file != nil { try runner.checkHoldable(made) }
        let question = plan.question
        // With --yes it is proven right before the signature alone.
        let planned =
            options.saysYes && !options.isDryRun ? made : try await runner.proven(made)
        let shown = PlanReport(
            data: plan.json,
            warnings: withStaleness(plan.warnings),
            question: file == nil && kept == nil ? question : question.withoutSending,
            stop: plan.stop ?? runner.staleStop,
            proof: planned.proof
        ) { screen in
            staleness(screen) + plan.lines(screen, proof: planned.proof)
                + (asker?.lines(screen) ?? [])
        }
        return try await confirmed(shown, by: account) { signer in
            try runner.check(planned, signer: signer)
        } perform: { signer in
            guard let file else {
                let outcome = try await runner.run(planned, signer: signer)
                let kept = try kept.map { try $0(outcome) }
                warn(
                    ofOutcome: outcome.allWarnings,
                    beyond: plan.warnings,
                    error: outcome.error
                )
                return self.report(of: outcome, plan, kept)
            }
            let data = plan.json
            let held = try await runner.hold(planned, shown: data["plan"] ?? [:], signer: signer)
            try file.write(held)
            return CommandReport(
                data: BroadcastJSON.held(held, path: file.path, in: data),
                warnings: options.isJSON ? plan.warnings : []
            ) { HeldView(held, path: file.path).lines($0) }
        }
    }

    /// - Parameter shown: the outcome as it is shown; nil shows it as outcomes are.
    private func report<Content: PlanView>(
        of outcome: Content.Outcome,
        _ plan: Content,
        _ shown: CommandReport? = nil
    ) -> CommandReport {
        var report = CommandReport(
            data: shown?.data ?? outcome.json,
            warnings: options.isJSON ? plan.warnings + outcome.allWarnings : [],
            error: outcome.error
        ) { shown?.lines($0) ?? outcome.lines($0) }
        report.proof = outcome.proof
        return report
    }
}
