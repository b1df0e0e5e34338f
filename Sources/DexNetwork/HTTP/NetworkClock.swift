import CProcess
import Glibc

/// The time and the way to wait, injected so that no test waits.
package struct NetworkClock: Sendable {
    /// Seconds since 1970.
    package var now: @Sendable () -> UInt64
    /// Milliseconds since a fixed moment, never decreasing.
    package var elapsed: @Sendable () -> UInt64 = { steadyMilliseconds }
    /// Suspends for a number of milliseconds; throws `CancellationError` when cancelled.
    package var sleep: @Sendable (_ milliseconds: UInt64) async throws -> Void

    package static let system = NetworkClock(
        now: { UInt64(max(0, time(nil))) },
        sleep: { milliseconds in
            try await Task.sleep(for: .milliseconds(Int64(clamping: milliseconds)))
        }
    )
}

/// The system's monotonic clock.
package var steadyMilliseconds: UInt64 {
    dex_clock_milliseconds(CLOCK_MONOTONIC)
}
