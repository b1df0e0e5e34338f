import DexSigning
import DexStore
import Ethereum

/// What surrounds everything that is signed for a plan: the right key, the policy asked, earlier
/// transactions settled, and an intent in the journal that tells how it ended.
struct SigningRun {
    let session: Session
    let journal: Journal
    let settings: TradeSettings
    let signer: AuthorizedSigner
    /// For the journal: `market-buy`.
    let command: String
    /// How transactions in flight matter; nil where nothing is sent, or only in place of one.
    let conflicts: InFlight.ConflictPolicy?

    var log: IntentLog { IntentLog(session: session, journal: journal) }

    /// Runs the body with a sender for the new intent.
    ///
    /// - Parameters:
    ///   - account: whom the plan is for.
    ///   - plan: the plan as JSON, for the journal.
    ///   - allowed: holds all that will be signed against the policy.
    ///   - exit: how a result ends the command.
    /// - Throws: `DexError`, exit 5, where the key is another account's; exit 6 by the policy; as
    ///   `InFlight.settle`; and what the body throws, with what was sent before it.
    func run<Value>(
        account: Address,
        plan: String,
        allowed: (PolicyCheck) throws(DexError) -> Void,
        exit: (Value) -> ExitCode,
        _ body: (TransactionSender) async throws(DexError) -> Value
    ) async throws(DexError) -> Value {
        guard signer.address == account else { throw Self.wrongAccount(account, signer.address) }
        try allowed(PolicyCheck(signer: signer, session: session))
        if let conflicts {
            try await InFlight(session: session, journal: journal, conflicts: conflicts)
                .settle(account: account)
        }
        let intent = try log.open(command, account: account, plan)
        let sender = TransactionSender(
            session: session,
            journal: journal,
            settings: settings,
            signer: signer,
            intent: intent
        )
        do {
            return try await log.closing(intent, exit: exit) { () async throws(DexError) in
                try await body(sender)
            }
        } catch {
            throw error.after(sender.log.all)
        }
    }

    private static func wrongAccount(_ plan: Address, _ signer: Address) -> DexError {
        DexError(SendError.otherKey(plan: plan, signer: signer))
    }
}
