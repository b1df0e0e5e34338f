import DexStore
import Ethereum

/// Opens and closes intents in the journal around their execution.
struct IntentLog {
    let session: Session
    let journal: Journal

    func open(
        _ command: String,
        account: Address,
        plan: String? = nil,
        tag: TradeTag? = nil,
        claim: IntentClaim? = nil
    ) throws(DexError) -> Int64 {
        try journaled(
            try journal.open(
                JournalIntent(
                    chainID: session.network.chainID,
                    account: account,
                    command: command,
                    plan: plan,
                    created: session.environment.now(),
                    tag: tag?.text
                ),
                claim: claim
            )
        )
    }

    /// Runs and records the outcome.
    ///
    /// It is recorded after the report to the user: a command that is killed before has reported
    /// nothing. A journal that cannot record it does not change the outcome.
    func closing<Outcome: EndedWork>(
        _ intent: Int64,
        _ body: () async throws(DexError) -> Outcome
    ) async throws(DexError) -> Outcome {
        do {
            let outcome = try await body()
            session.onceReported(closed: intent, by: outcome.error, in: journal)
            return outcome
        } catch {
            let error = error.unlessCancelled
            session.onceReported(closed: intent, by: error, in: journal)
            throw error
        }
    }
}

extension DexError {
    /// The interruption where the user cancelled: a request then fails like one to an unreachable node.
    var unlessCancelled: DexError {
        Task.isCancelled && kind == .unreachable ? .interrupted : self
    }
}
