package import DexSigning
import DexStore
import Ethereum
package import StrictJSON

/// Carries plans out: the only code that leads to a signature.
///
/// `run` takes a confirmed plan of any verb through the same steps: the right key, the rules, a state
/// that is fresh, earlier transactions settled, an intent in the journal, the plan's own work, and the
/// outcome in the journal.
package struct PlanRunner: Sendable {
    private let context: OperationContext

    /// - Parameter context: that of the verb that makes the plans.
    package init(_ context: OperationContext) { self.context = context }

    private var session: Session { context.session }

    /// Why nothing would be signed on the state that was read last; nil if it is fresh enough.
    package var staleStop: DexError? {
        do throws(DexError) {
            try session.checkFreshness(context.settings)
            return nil
        } catch {
            return error
        }
    }

    /// A plan with what is proven of the state that it rests on, while nothing of it is signed; the
    /// same plan where no proofs are asked for.
    ///
    /// It takes up to two round trips beside those of the proofs.
    ///
    /// - Throws: `DexError`, as `StateProver` and `FundingProver`.
    package func proven<Content>(
        _ plan: Plan<Content>
    ) async throws(DexError) -> Plan<Content> {
        var plan = plan
        plan.proof =
            if let prove = plan.prove {
                try await prove(context)
            } else {
                try await PlanProver(session: session)
                    .prove(plan.signatures.map(\.content), of: plan.content.account)
            }
        return plan
    }

    /// Checks that everything planned would be signed: the rules of policy.toml, and the limits of
    /// an unlocked key.
    ///
    /// An approval whose trade is forbidden would be sent for nothing. Each signature is checked
    /// again when it is made.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check<Content>(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) throws(DexError) {
        try plan.signatures.check(signer)
    }

    /// Executes what was planned and confirmed, and never more.
    ///
    /// - Throws: `DexError`, exit 5, if the key is another account's; exit 6 by the policy, or on a
    ///   state that is old; as `InFlight.settle`; and the plan's own error, with what was sent before
    ///   it.
    package func run<Content>(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) async throws(DexError) -> Content.Outcome {
        if let outcome = plan.settled { return outcome }
        let (log, sender) = try await begin(plan, signer: signer)
        do {
            return try await log.closing(sender.intent) { () async throws(DexError) in
                try await plan.perform(sender)
            }
        } catch {
            throw error.after(sender.log.all)
        }
    }

    /// Opens the intent of a confirmed plan: everything that precedes its first signature.
    private func begin<Content>(
        _ plan: Plan<Content>,
        signer: AuthorizedSigner
    ) async throws(DexError) -> (IntentLog, TransactionSender) {
        let account = plan.content.account
        guard signer.address == account else {
            throw SendError.otherKey(plan: account, signer: signer.address)
        }
        try check(plan, signer: signer)
        try session.checkFreshness(context.settings)
        if let conflicts = plan.conflicts {
            try await InFlight(session: session, journal: context.journal, conflicts: conflicts)
                .settle(account: account)
        }
        let log = IntentLog(session: session, journal: context.journal)
        let intent = try log.open(
            plan.command,
            account: account,
            bounds: plan.bounds,
            tag: context.settings.tag,
            claim: plan.firedGuard.map { .guardian($0.id) } ?? context.plan.map { .plan($0) }
        )
        let sender = TransactionSender(
            session: session,
            journal: context.journal,
            settings: context.settings,
            signer: signer,
            intent: intent,
            steps: plan.signatures.count(where: \.isTransaction),
            firedGuard: plan.firedGuard?.number
        )
        return (log, sender)
    }

    // MARK: Signing what is not sent

    /// Checks that a plan is one transaction.
    ///
    /// A later one can be simulated only once the first is mined, and signing it unseen would sign
    /// what nobody checked.
    ///
    /// - Throws: `DexError`, exit 6: `several-transactions`, with the command that signs the first;
    ///   `not-one-transaction`.
    package func checkHoldable<Content>(_ plan: Plan<Content>) throws(DexError) {
        switch plan.signatures.count(where: \.isTransaction) {
        case 0: throw SignedFileError.notOneTransaction
        case 1: return
        default: throw plan.signatures.approvalFirst(session)
        }
    }

    /// Signs the one transaction of a confirmed plan, and does not send it.
    ///
    /// It passes the checks of `run`. The journal has the file's text once this returns.
    ///
    /// - Parameter shown: what the user confirmed, for the file.
    /// - Throws: as `run`; exit 6 as `checkHoldable`.
    package func hold<Content>(
        _ plan: Plan<Content>,
        shown: JSONValue,
        signer: AuthorizedSigner
    ) async throws(DexError) -> SignedFile {
        try checkHoldable(plan)
        let (log, sender) = try await begin(plan, signer: signer)
        return try await log.closing(sender.intent) { () async throws(DexError) in
            guard let hold = plan.hold else { throw SignedFileError.notOneTransaction }
            let request = try await hold(sender)
            let file = try await sender.hold(request) { signed throws(DexError) in
                try SignedFile(
                    signed,
                    purpose: request.purpose.rawValue,
                    network: session.network,
                    madeAt: session.environment.now(),
                    validUntil: request.validUntil,
                    plan: shown
                )
            }
            return HeldOutcome(file: file)
        }.file
    }
}

/// A signed file as the end of its command, which did what was asked.
private struct HeldOutcome: OperationOutcome {
    let file: SignedFile
    var transactions: [SentTransaction] { [] }
    var warnings: [String] { [] }
    var error: DexError? { nil }
}
