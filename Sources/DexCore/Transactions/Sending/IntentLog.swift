import DexStore
import Ethereum

/// Opens and closes intents in the journal around what is done for them.
struct IntentLog {
    let session: Session
    let journal: Journal

    func open(
        _ command: String,
        account: Address,
        bounds: FillBounds?
    ) throws(DexError) -> Int64 {
        do {
            return try journal.open(
                JournalIntent(
                    chainID: session.network.chainID,
                    account: account,
                    command: command,
                    plan: bounds?.record,
                    created: session.environment.now()
                )
            )
        } catch {
            throw DexError(error)
        }
    }

    /// Runs and records how it ended.
    ///
    /// It is recorded once the user was told, for a command that is killed before has ended without
    /// a word. A journal that cannot record the end does not change what happened.
    func closing<Outcome: OperationOutcome>(
        _ intent: Int64,
        _ body: () async throws(DexError) -> Outcome
    ) async throws(DexError) -> Outcome {
        do {
            let outcome = try await body()
            close(intent, outcome.exit)
            return outcome
        } catch {
            // A request that the user broke off fails as if the node were away.
            let isBrokenOff = Task.isCancelled && error.exit == .unreachable
            let told = isBrokenOff ? DexError.interrupted : error
            close(intent, told.exit)
            throw told
        }
    }

    private func close(_ intent: Int64, _ exit: ExitCode) {
        session.onceReported(.closed(intent: intent, exit: exit.rawValue), in: journal)
    }
}
