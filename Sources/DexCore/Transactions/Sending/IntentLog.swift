import DexStore
import Ethereum

/// Opens and closes intents in the journal around what is done for them.
struct IntentLog {
    let session: Session
    let journal: Journal

    func open(
        _ command: String,
        account: Address,
        _ plan: String
    ) throws(DexError) -> Int64 {
        do {
            return try journal.open(
                JournalIntent(
                    chainID: session.network.chainID,
                    account: account,
                    command: command,
                    plan: plan,
                    created: session.environment.now()
                )
            )
        } catch {
            throw DexError(error)
        }
    }

    func add(_ plan: String, to intent: Int64) throws(DexError) {
        do {
            try journal.add(plan: plan, to: intent, at: session.environment.now())
        } catch {
            throw DexError(error)
        }
    }

    /// Runs and records how it ended.
    ///
    /// It is recorded once that is reported, for a command that is killed before has ended without
    /// a word.
    func closing<Value>(
        _ intent: Int64,
        exit: (Value) -> ExitCode,
        _ body: () async throws(DexError) -> Value
    ) async throws(DexError) -> Value {
        do {
            let value = try await body()
            close(intent, exit(value))
            return value
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
