import Logging
import ServiceLifecycle

/// Work without end as a service that stops with its group.
struct LoopService: Service {
    let work: @Sendable () async -> Void

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await work()
        }
    }
}

/// Deletes what ended long ago from the store, once an hour.
struct PruneService: Service {
    let store: any OrderStore
    /// Seconds since 1970.
    let now: @Sendable () -> UInt64
    let sleep: @Sendable (Duration) async throws -> Void
    let logger: Logger

    /// Ended orders are kept for their makers' requests this long, in seconds: a week.
    static let secondsKept: UInt64 = 604_800

    func run() async throws {
        await cancelWhenGracefulShutdown {
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
}
