import ArgumentParser
import DexCore
import DexSigning
import DexStore
import DexTerminal
import Ethereum
import StrictJSON

/// What a plan shows before anything is signed.
struct PlanReport: Sendable {
    let data: JSONValue
    let warnings: [String]
    let question: String
    /// Why it would send nothing, as things are; nil where it would.
    var stop: DexError?
    let lines: @Sendable (Screen) -> [String]
}

/// What a command plans and signs with.
struct TradingContext: Sendable {
    let session: Session
    let account: Account
    let journal: Journal
    let settings: TradeSettings
}

extension CommandContext {
    /// The settings of trades as options change them, the clients of the network, the account and
    /// the journal.
    ///
    /// - Throws: `DexError`, exit 2 to 5.
    func trading(
        _ needs: [Need],
        _ apply: (inout TradeSettings) throws -> Void
    ) throws -> TradingContext {
        var settings = try tradeSettings()
        try apply(&settings)
        let session = try session(needs)
        return TradingContext(
            session: session,
            account: try account(session.network),
            journal: try journal(session.network),
            settings: settings
        )
    }

    /// Shows a plan, asks, and only then signs: the same for everything that moves money.
    ///
    /// - A plan that a rule forbids ends with exit 6, whatever would come next.
    /// - `--dry-run` ends with the plan and exit 30.
    /// - `--yes` goes on without asking; the plan is told on stderr.
    /// - On a terminal it asks, default No; a No ends with exit 20. Where an earlier transaction
    ///   stops it anyway it does not ask, and ends with what stops it.
    /// - A wallet's password is asked for last: nobody types it to see a plan.
    /// - Without a terminal, or with `--json`, it ends with the plan and exit 25.
    ///
    /// - Parameter allowed: holds all that would be signed against the rules; no key is asked.
    func confirmed(
        _ plan: PlanReport,
        by account: Account,
        allowed: (AuthorizedSigner) throws -> Void,
        perform: (AuthorizedSigner) async throws -> CommandReport
    ) async throws -> CommandReport {
        if let refusal = try refusal(of: account, allowed) {
            // What was planned is shown, since the rule names only one thing of it.
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
        if let end = try agreed(plan) { return end }
        let signer = try signer(of: account)
        signingMark.pass()
        return try await perform(signer)
    }

    /// Shows a plan and asks, where nothing is signed for it; nil where it is to be done.
    func agreed(_ plan: PlanReport) throws -> CommandReport? {
        if options.isDryRun { return ended(plan, .dryRun, .dryRun) }
        if options.saysYes {
            console.note(lines: plan.lines(console.errorScreen) + [""])
            return nil
        }
        if options.isJSON { return ended(plan, .plan, .planOnly) }
        if let stop = plan.stop, console.shown(plan.lines) != nil { throw stop }
        switch console.confirm(plan.question, about: plan.lines) {
        case .yes: return nil
        case .noTerminal: return ended(plan, .plan, .planOnly)
        case .interrupted: throw CancellationError()
        case .no:
            throw DexError(DeclinedError.nothingSigned)
        }
    }

    /// Why this would not be signed; nil where it would.
    private func refusal(
        of account: Account,
        _ allowed: (AuthorizedSigner) throws -> Void
    ) throws -> DexError? {
        do {
            try allowed(try policyOnlySigner(of: account))
            return nil
        } catch {
            let failure = Failure.describe(error)
            guard failure.exit == .refused else { throw error }
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
                "Nothing was signed. " + (plan.stop?.hint ?? "Run it again with --yes to do this.")
            )
        }
        return CommandReport(
            exit: exit,
            status: status,
            data: plan.data,
            // The lines for people have the warnings in them.
            warnings: options.isJSON ? plan.warnings : [],
            lines: plan.lines
        )
    }

    /// The report of what transactions did; the last one is what it is about.
    ///
    /// - Parameter less: the error of exit 14, where nothing is to be filled.
    func done(
        exit: ExitCode,
        data: JSONValue,
        warnings: [String],
        transactions: [SentTransaction],
        less: DexError? = nil,
        lines: @escaping @Sendable (Screen) -> [String]
    ) -> CommandReport {
        done(
            exit: exit,
            data: data,
            warnings: warnings,
            hash: transactions.last?.hash,
            block: transactions.last?.block,
            reason: transactions.last?.reason,
            less: less,
            lines: lines
        )
    }

    /// The report of what was done; an exit code other than 0 comes with an error that names it.
    ///
    /// - Parameters:
    ///   - hash: the transaction that it is about.
    ///   - block: the one that it is in, if any.
    ///   - reason: why it reverted, as a sentence; nil where that is not known.
    ///   - less: the error of exit 14, where nothing is to be filled.
    func done(
        exit: ExitCode,
        data: JSONValue,
        warnings: [String],
        hash: TransactionHash?,
        block: UInt64?,
        reason: String? = nil,
        less: DexError? = nil,
        lines: @escaping @Sendable (Screen) -> [String]
    ) -> CommandReport {
        CommandReport(
            exit: exit,
            status: exit == .done ? .ok : .error,
            data: data,
            warnings: options.isJSON ? warnings : [],
            error: exit == .filledLess && less != nil
                ? less : OutcomeError.error(for: exit, hash, block: block, reason: reason),
            lines: lines
        )
    }
}

/// Why a command that sent something did not end with 0.
extension OutcomeError {
    /// - Parameters:
    ///   - hash: the transaction that it is about.
    ///   - block: the one that it is in, if any.
    ///   - reason: why it reverted, as a sentence; nil where that is not known.
    static func error(
        for exit: ExitCode,
        _ hash: TransactionHash?,
        block: UInt64?,
        reason: String?
    ) -> DexError? {
        let hash = hash?.hex ?? "HASH"
        return switch exit {
        case .done: nil
        case .relayRefused:
            DexError(OutcomeError.notPosted)
        case .unreachable:
            DexError(OutcomeError.orderUnconfirmed)
        case .reverted:
            DexError(OutcomeError.reverted(reason: reason))
        case .notMinedYet:
            DexError(
                block.map { OutcomeError.notConfirmedYet(hash, block: $0) }
                    ?? OutcomeError.notMinedYet(hash)
            )
        case .replacedOrDropped:
            DexError(OutcomeError.replacedOrDropped(hash))
        case .filledLess:
            DexError(OutcomeError.filledLess)
        default:
            DexError(OutcomeError.failed(exit))
        }
    }
}
