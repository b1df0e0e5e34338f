package import DexSigning
package import DexStore
package import Ethereum
package import StrictJSON

/// An operation that moves money, in fixed steps.
///
/// A request is planned. The plan is checked against the rules and confirmed. It is signed and
/// sent, and its actual result is reported.
package protocol Operation: Sendable {
    /// The request, as the user wrote it.
    associatedtype Request: Sendable
    associatedtype Planned: PlannedOperation
    associatedtype Outcome: OperationOutcome

    var context: OperationContext { get }

    init(_ context: OperationContext)

    /// The only account that can sign for a request, by the journal; nil if any may.
    ///
    /// - Throws: `DexError` if the journal is unreadable, or lacks a required entry.
    func signer(of request: Request) throws(DexError) -> Address?

    /// The plan as of now, simulated if possible; nothing is signed or sent.
    ///
    /// - Throws: `DexError`: exit 2 for an invalid request; 6 if it is not allowed; 10 if it would
    ///   fail.
    func plan(_ request: Request, account: Address) async throws(DexError) -> Planned

    /// The outcome of a plan with nothing to do; nil if there is something to sign.
    func settled(_ planned: Planned) -> Outcome?

    /// The signatures of a plan, and their context.
    func signing(_ planned: Planned) -> SigningRun

    /// What is proven of the state that a plan rests on, while nothing of it is signed; nil where no
    /// proofs are asked for, or where the plan has them already.
    ///
    /// It takes up to two round trips beside those of the proofs.
    ///
    /// - Throws: `DexError`, as `StateProver` and `FundingProver`.
    func proof(of planned: Planned) async throws(DexError) -> StateProof?

    /// Signs and sends the confirmed plan, never more, and returns the result.
    ///
    /// - Throws: `DexError` if nothing was done; the sender's log keeps transactions sent before.
    func perform(
        _ planned: Planned,
        sender: TransactionSender
    ) async throws(DexError) -> Outcome

    /// The one transaction of the confirmed plan, checked again, to be signed and not sent.
    ///
    /// - Throws: `DexError` as before a signature; exit 6, `not-one-transaction`, for a plan that is
    ///   something else.
    func ready(
        _ planned: Planned,
        sender: TransactionSender
    ) async throws(DexError) -> TransactionSender.Request
}

/// What every operation works with.
package struct OperationContext: Sendable {
    let session: Session
    let journal: Journal
    let settings: TradeSettings
    /// The plan of `dex mcp` that it carries out, which its intent takes; nil without one.
    let plan: PlanID?

    package init(
        session: Session,
        journal: Journal,
        settings: TradeSettings,
        plan: PlanID? = nil
    ) {
        self.session = session
        self.journal = journal
        self.settings = settings
        self.plan = plan
    }
}

/// What is shown of an operation, with what it needs to be carried out.
package protocol PlannedOperation: Sendable {
    associatedtype Plan: OperationPlan

    var plan: Plan { get }
}

/// A plan as shown and confirmed.
package protocol OperationPlan: Sendable {
    var account: Address { get }
    var warnings: [String] { get }
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    var stop: DexError? { get }
}

extension OperationPlan {
    package var stop: DexError? { nil }
}

extension Operation {
    package init(session: Session, journal: Journal, settings: TradeSettings) {
        self.init(OperationContext(session: session, journal: journal, settings: settings))
    }

    var session: Session { context.session }
    var journal: Journal { context.journal }
    var settings: TradeSettings { context.settings }

    /// Why nothing would be signed on the state that was read last; nil if it is fresh enough.
    package var staleStop: DexError? {
        do throws(DexError) {
            try session.checkFreshness(settings)
            return nil
        } catch {
            return error
        }
    }

    package func signer(of request: Request) throws(DexError) -> Address? { nil }

    package func settled(_ planned: Planned) -> Outcome? { nil }

    package func proof(of planned: Planned) async throws(DexError) -> StateProof? {
        let signatures = signing(planned).signatures.map(\.content)
        return try await PlanProver(session: session).prove(signatures, of: planned.plan.account)
    }

    /// Checks that everything planned would be signed: the rules of policy.toml, and the limits of
    /// an unlocked key.
    ///
    /// An approval whose trade is forbidden would be sent for nothing. Each signature is checked
    /// again when it is made.
    ///
    /// - Throws: `DexError`, exit 6.
    package func check(_ planned: Planned, signer: AuthorizedSigner) throws(DexError) {
        for signature in signing(planned).signatures { try signature.check(signer) }
    }

    /// Executes what was planned and confirmed, and never more.
    ///
    /// It requires the right key and a state that is not old, checks the policy, settles earlier
    /// transactions, and opens an intent in the journal that records the outcome.
    ///
    /// - Throws: `DexError`, exit 5, if the key is another account's; exit 6 by the policy, or on a
    ///   state that is old; as
    ///   `InFlight.settle`; and the operation's own error, with what was sent before it.
    package func execute(
        _ planned: Planned,
        signer: AuthorizedSigner
    ) async throws(DexError) -> Outcome {
        if let outcome = settled(planned) { return outcome }
        let (log, sender) = try await begin(planned, signer: signer)
        do {
            return try await log.closing(sender.intent) { () async throws(DexError) in
                try await perform(planned, sender: sender)
            }
        } catch {
            throw error.after(sender.log.all)
        }
    }

    /// Opens the intent of a confirmed plan: everything that precedes its first signature.
    private func begin(
        _ planned: Planned,
        signer: AuthorizedSigner
    ) async throws(DexError) -> (IntentLog, TransactionSender) {
        let account = planned.plan.account
        guard signer.address == account else {
            throw DexError(SendError.otherKey(plan: account, signer: signer.address))
        }
        try check(planned, signer: signer)
        try session.checkFreshness(settings)
        let signing = signing(planned)
        if let conflicts = signing.conflicts {
            try await InFlight(session: session, journal: journal, conflicts: conflicts)
                .settle(account: account)
        }
        let log = IntentLog(session: session, journal: journal)
        let intent = try log.open(
            signing.command,
            account: account,
            bounds: signing.bounds,
            tag: settings.tag,
            claim: signing.firedGuard.map { .guardian($0.id) } ?? context.plan.map { .plan($0) }
        )
        let sender = TransactionSender(
            session: session,
            journal: journal,
            settings: settings,
            signer: signer,
            intent: intent,
            steps: signing.signatures.count(where: \.isTransaction),
            firedGuard: signing.firedGuard?.number
        )
        return (log, sender)
    }
}

/// Signing what is not sent.
extension Operation {
    package func ready(
        _ planned: Planned,
        sender: TransactionSender
    ) async throws(DexError) -> TransactionSender.Request {
        throw DexError(SignedFileError.notOneTransaction)
    }

    /// Checks that a plan is one transaction.
    ///
    /// A later one can be simulated only once the first is mined, and signing it unseen would sign
    /// what nobody checked.
    ///
    /// - Throws: `DexError`, exit 6: `several-transactions`, with the command that signs the first;
    ///   `not-one-transaction`.
    package func checkHoldable(_ planned: Planned) throws(DexError) {
        let signatures = signing(planned).signatures
        switch signatures.count(where: \.isTransaction) {
        case 0: throw DexError(SignedFileError.notOneTransaction)
        case 1: return
        default: throw approvalFirst(signatures)
        }
    }

    /// The error of a plan that needs an approval before what it signs into a file.
    func approvalFirst(_ signatures: [PlannedSignature]) -> DexError {
        guard let command = signatures.lazy.compactMap({ $0.ownCommand(session) }).first else {
            return DexError(SignedFileError.notOneTransaction)
        }
        return DexError(
            SignedFileError.severalTransactions(first: command.summary, command: command.words)
        )
    }

    /// Signs the one transaction of a confirmed plan, and does not send it.
    ///
    /// It passes the checks of `execute`. The journal has the file's text once this returns.
    ///
    /// - Parameter plan: what the user confirmed, for the file.
    /// - Throws: as `execute`; exit 6 as `checkHoldable`.
    package func hold(
        _ planned: Planned,
        plan: JSONValue,
        signer: AuthorizedSigner
    ) async throws(DexError) -> SignedFile {
        try checkHoldable(planned)
        let (log, sender) = try await begin(planned, signer: signer)
        return try await log.closing(sender.intent) { () async throws(DexError) in
            let request = try await ready(planned, sender: sender)
            let file = try await sender.hold(request) { signed throws(DexError) in
                try SignedFile(
                    signed,
                    purpose: request.purpose.rawValue,
                    network: session.network,
                    madeAt: session.environment.now(),
                    validUntil: request.validUntil,
                    plan: plan
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
