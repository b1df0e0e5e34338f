import DexCore
import DexSigning
import DexTerminal
import StrictJSON

/// The parts of a plan shown before a signature.
struct PlanReport: Sendable {
    let data: JSONValue
    let warnings: [String]
    let question: PlanQuestion
    /// What has not happened where the user does not agree.
    var declined = DeclinedError.nothingSigned
    /// Why it would send nothing now; nil if it would.
    var stop: DexError?
    /// What is proven of the state that it rests on; its lines have it, too.
    var proof: StateProof?
    let lines: @Sendable (Screen) -> [String]
}

extension CommandContext {
    /// Shows a plan, asks, and only then signs: for all commands that move money.
    ///
    /// - A plan that a rule forbids ends with exit 6, before any other step.
    /// - `--dry-run` ends with the plan and exit 30.
    /// - `--yes` continues without asking; the plan is printed on stderr.
    /// - On a terminal it asks, default No; a No ends with exit 20. If an earlier transaction
    ///   stops it anyway it does not ask, and ends with that error.
    /// - A wallet's password is asked for last: it is not needed to see a plan.
    /// - Without a terminal, or with `--json`, it ends with the plan and exit 25.
    ///
    /// - Parameter allowed: checks all signatures against the rules without a key.
    func confirmed(
        _ plan: PlanReport,
        by account: Account,
        allowed: (AuthorizedSigner) throws -> Void,
        perform: (AuthorizedSigner) async throws -> CommandReport
    ) async throws -> CommandReport {
        if let refusal = try refusal(of: account, allowed) {
            // The plan is shown, since the rule names only one part of it.
            if options.saysYes, !options.isDryRun {
                console.note(lines: plan.lines(console.errorScreen) + [""])
                throw refusal
            }
            var report = ended(plan, .error, refusal.exit)
            report.error = refusal
            return report
        }
        if options.isDryRun { return ended(plan, .dryRun, .dryRun) }
        guard account.key != nil else { throw account.noKey }
        if let end = try await agreed(plan) { return end }
        let signer = try await signer(of: account)
        try checkAsker()
        signingMark.pass()
        return try await perform(signer)
    }

    /// Shows a plan without signatures and asks; nil to continue.
    func agreed(_ plan: PlanReport) async throws -> CommandReport? {
        if options.isDryRun { return ended(plan, .dryRun, .dryRun) }
        if options.saysYes {
            console.note(lines: plan.lines(console.errorScreen) + [""])
            return nil
        }
        if options.isJSON { return ended(plan, .plan, .planOnly) }
        if let stop = plan.stop, console.shown(plan.lines) != nil { throw stop }
        switch await console.confirm(plan.question, about: plan.lines) {
        case .yes: return nil
        case .noTerminal: return ended(plan, .plan, .planOnly)
        case .interrupted: throw CancellationError()
        case .no:
            throw DexError(plan.declined)
        }
    }

    /// - Throws: `DexError`, if the application that asked has gone.
    func checkAsker() throws(DexError) {
        if let asker, !asker.isWaiting() { throw ProviderError.withdrawn }
    }

    /// Why this would not be signed; nil if it would.
    private func refusal(
        of account: Account,
        _ allowed: (AuthorizedSigner) throws -> Void
    ) throws -> DexError? {
        do {
            try allowed(try policyOnlySigner(of: account))
            return nil
        } catch {
            let failure = Failure.describe(error)
            guard failure.kind == .refused else { throw error }
            return failure
        }
    }

    private func ended(
        _ plan: PlanReport,
        _ status: JSONEnvelope.Status,
        _ exit: ExitCode
    ) -> CommandReport {
        if exit == .planOnly {
            console.note(
                "Nothing was \(plan.declined.rawValue). "
                    + (plan.stop?.hint ?? "Run it again with --yes to do this.")
            )
        }
        var report = CommandReport(
            exit: exit,
            status: status,
            data: plan.data,
            // The text output already contains the warnings.
            warnings: options.isJSON ? plan.warnings : [],
            lines: plan.lines
        )
        report.isMarked = true
        report.proof = plan.proof
        return report
    }
}
