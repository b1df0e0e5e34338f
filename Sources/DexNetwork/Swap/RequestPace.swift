import Synchronization

/// Keeps requests below a number in any stretch of time, over all of the process.
package final class RequestPace: Sendable {
    /// 0x counts about five requests in a second, over all endpoints of a key; four leave room.
    package static let swaps = RequestPace(PaceRule(maximum: 4, milliseconds: 1_000))

    private let rule: Mutex<PaceRule>

    package init(_ rule: PaceRule) {
        self.rule = Mutex(rule)
    }

    /// Returns when one more request may begin.
    ///
    /// - Throws: `CancellationError`; its turn is then lost.
    func turn(_ clock: NetworkClock) async throws {
        let wait = rule.withLock { $0.take(at: clock.elapsed()) }
        if wait > 0 { try await clock.sleep(wait) }
    }
}

/// The times at which requests may begin: at most `maximum` in any `milliseconds`.
///
/// Example: with 4 in 1,000 ms, of six requests at 0 four begin at 0 and two at 1,000.
package struct PaceRule: Hashable, Sendable {
    private let maximum: Int
    private let milliseconds: UInt64
    /// The begins of the latest requests, at most `maximum`, none before the one in front of it.
    private var begins: [UInt64] = []

    package init(maximum: Int, milliseconds: UInt64) {
        self.maximum = max(1, maximum)
        self.milliseconds = milliseconds
    }

    /// Reserves the next turn; returns the milliseconds until then.
    ///
    /// - Parameter now: milliseconds since a fixed moment.
    package mutating func take(at now: UInt64) -> UInt64 {
        var begin = max(now, begins.last ?? 0)
        if begins.count >= maximum {
            let (free, isVast) = begins.removeFirst().addingReportingOverflow(milliseconds)
            begin = max(begin, isVast ? .max : free)
        }
        begins.append(begin)
        return begin - now
    }
}
