package import HTTPServing
import Logging

/// A relay's server, and what it does beside its answers.
package struct RelayApplication: Sendable {
    let server: HTTPServer
    /// Each ends once its task is cancelled.
    let work: [@Sendable () async -> Void]
    let onRunning: @Sendable (Int) async -> Void

    /// Serves until the task is cancelled or the stop is made; while requests are still answered, the
    /// order watcher goes on.
    ///
    /// - Throws: `IOError` if the address cannot be bound.
    package func run(until stop: ServerStop? = nil) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for work in work { group.addTask { await work() } }
            defer { group.cancelAll() }
            try await server.run(until: stop, onRunning: onRunning)
        }
    }
}

/// Deletes what ended long ago from the store, once an hour.
struct StorePruning: Sendable {
    let store: any OrderStore
    /// Seconds since 1970.
    let now: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger

    /// Ended orders are kept for their makers' requests this long, in seconds: a week.
    static let secondsKept: UInt64 = 604_800

    @Sendable
    func run() async {
        while !Task.isCancelled {
            let (before, isEarly) = now().subtractingReportingOverflow(Self.secondsKept)
            do throws(OrderStoreError) {
                try await store.prune(before: isEarly ? 0 : before)
            } catch {
                logger.warning("Ended orders stay in the store for another hour: \(error)")
            }
            try? await sleep(.seconds(3_600))  // cancelled: the loop ends
        }
    }
}
