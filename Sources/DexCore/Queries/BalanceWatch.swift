import Ethereum

/// `dex balance --watch`: the balances, and then those of each new block that changed them.
package struct BalanceWatch: Sendable {
    private let session: Session

    package init(session: Session) {
        self.session = session
    }

    /// Reads and shows again and again, until its task is cancelled.
    ///
    /// A transient failure is reported as progress and retried; any other ends the watch, and so
    /// does any failure of the first reading.
    ///
    /// - Parameters:
    ///   - everyBlock: also shows those of a block that changed nothing, for its number.
    ///   - load: reads the balances.
    ///   - show: shows them; false ends the watch.
    package func run(
        everyBlock: Bool = false,
        load: () async throws(DexError) -> BalanceState,
        show: (BalanceState) async -> Bool
    ) async throws(DexError) {
        var shown: BalanceState?
        // By its hash: another block of the same number is a new one.
        var seen = try await ChainHead.read(session).hash
        while true {
            var hasFailed = false
            do throws(DexError) {
                let state = try await load()
                if everyBlock || shown?.isSame(as: state) != true {
                    shown = state
                    if await !show(state) { return }
                }
            } catch {
                if Task.isCancelled { return }
                guard shown != nil, error.retryable else { throw error }
                session.environment.progress(error.message)
                hasFailed = true
            }
            repeat {
                guard await session.environment.hasSlept(session.network.watchInterval) else {
                    return
                }
                // What could not be read is read again without waiting for another block.
            } while try await !isNew(&seen) && !hasFailed
        }
    }

    /// The node has another latest block than before.
    private func isNew(_ seen: inout BlockHash) async throws(DexError) -> Bool {
        do throws(DexError) {
            let latest = try await ChainHead.read(session).hash
            defer { seen = latest }
            return latest != seen
        } catch {
            guard error.retryable || Task.isCancelled else { throw error }
            session.environment.progress(error.message)
            return false
        }
    }
}
