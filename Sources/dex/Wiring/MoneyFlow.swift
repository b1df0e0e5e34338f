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
            throw DexError(
                .declined,
                code: "declined",
                message: "Declined: nothing was signed."
            )
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
enum OutcomeError {
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
            DexError(
                exit,
                code: "not-posted",
                message: "The order is signed, but the relay does not have it."
            )
        case .unreachable:
            DexError(
                exit,
                code: "order-unconfirmed",
                message: "The relay took the order, but does not give it back by its hash, so it "
                    + "may stand there or not.",
                hint: "The same command again posts this order where it is missing, and no other.",
                retryable: true
            )
        case .reverted:
            DexError(
                exit,
                code: "reverted",
                message: "The transaction was mined and reverted; only gas was spent."
                    + (reason.map { " \($0)" } ?? "")
            )
        case .notMinedYet: notFinal(exit, hash, block: block)
        case .replacedOrDropped:
            DexError(
                exit,
                code: "replaced-or-dropped",
                message: "The transaction was replaced by another or dropped by the node.",
                hint: "See what happened: dex status \(hash)"
            )
        case .filledLess:
            DexError(
                exit,
                code: "filled-less",
                message: "The transaction was mined, but brought less than was confirmed."
            )
        default:
            DexError(exit, code: "failed", message: "The command ended with code \(exit.rawValue).")
        }
    }

    private static func notFinal(_ exit: ExitCode, _ hash: String, block: UInt64?) -> DexError {
        let hint = "Follow it: dex status \(hash) --wait"
        guard let block else {
            return DexError(
                exit,
                code: "not-mined-yet",
                message: "The transaction was sent and is not mined yet.",
                hint: hint
            )
        }
        return DexError(
            exit,
            code: "not-confirmed-yet",
            message: "The transaction is in block \(block), but does not have the confirmations "
                + "that were asked for yet.",
            hint: hint
        )
    }
}
