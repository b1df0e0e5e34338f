import DexStore
import Ethereum
import ZeroEx

/// Delivers noted events to each sink in order, until the sink accepts them.
///
/// A message is marked after its sink accepts it: if the process ends in between, it is sent again
/// with the same id.
struct NotificationDispatcher {
    let session: Session
    let journal: Journal
    let subject: WatchTarget
    let notices: WatchNotices
    let sinks: [any WatchSink]
    let tell: @Sendable (WatchStatus) -> Void
    /// Sinks that did not accept their last message.
    private(set) var failing: Set<String> = []

    /// The maximum number of messages for a sink between two checks of the chain.
    private static let batch = 50
    /// Seconds from the first failure to the second attempt; they double each time.
    private static let firstWait: UInt64 = 1
    private static let longestWait: UInt64 = 300
    /// Seconds after which a message is given up.
    static let patience: UInt64 = 86_400
    /// The number of attempts of `deliverAll`.
    private static let tries = 3

    /// Delivers due messages to each sink, up to a limit.
    ///
    /// - Returns: false if no reader is left.
    mutating func deliverDue() async throws(DexError) -> Bool {
        for sink in sinks {
            let due = try pending(sink)
            for message in due {
                // Later messages wait too: the order is kept.
                guard message.nextTry <= session.environment.now() else { break }
                switch try await deliver(message, to: sink) {
                case .closed: return false
                case .later: break
                case .delivered, .refused: continue
                }
                break
            }
            if Task.isCancelled { return true }
        }
        return true
    }

    /// Delivers everything to each sink now, with a few attempts.
    ///
    /// - Returns: the sinks that did not accept everything.
    mutating func deliverAll() async throws(DexError) -> [String] {
        var left: [String] = []
        for sink in sinks {
            var tries = 0
            delivering: while let message = try pending(sink).first {
                switch try await deliver(message, to: sink) {
                case .closed: return left
                case .delivered, .refused: continue
                case .later:
                    tries += 1
                    guard tries < Self.tries, !Task.isCancelled else {
                        left.append(sink.name)
                        break delivering
                    }
                    do {
                        try await session.environment.sleep(1_000 * Self.wait(after: tries))
                    } catch {
                        left.append(sink.name)
                        break delivering
                    }
                }
            }
        }
        return left
    }

    private static func wait(after failures: Int) -> UInt64 {
        min(firstWait << UInt64(min(max(failures, 1) - 1, 16)), longestWait)
    }

    private func pending(_ sink: any WatchSink) throws(DexError) -> [WatchMessage] {
        try journaled(
            try journal.pendingMessages(subject, sink: sink.name, limit: Self.batch)
        )
    }

    private mutating func deliver(
        _ message: WatchMessage,
        to sink: any WatchSink
    ) async throws(DexError) -> WatchDelivery {
        let notice = await notices.notice(message)
        // Interrupted while names were asked for: the next process tells it with them.
        if Task.isCancelled { return .later("It was interrupted.") }
        var outcome = await sink.deliver(notice)
        let now = session.environment.now()
        let state: WatchDeliveryState
        switch outcome {
        case .closed: return outcome
        case .delivered:
            state = .delivered
            if failing.remove(sink.name) != nil { tell(.deliveredAgain(sink: sink.name)) }
        case .refused(let reason):
            state = .failed
            tell(.givenUp(sink: sink.name, message: message.id, reason: reason))
        case .later(let reason, let after):
            // Interrupted by Ctrl-C: that is not a failure of the sink.
            if Task.isCancelled { return outcome }
            if now >= message.noted.addingSaturating(Self.patience) {
                state = .failed
                outcome = .refused(reason)
                tell(.givenUp(sink: sink.name, message: message.id, reason: reason))
            } else {
                let wait = Self.wait(after: Int(clamping: message.attempts) + 1)
                state = .pending(nextTry: now.addingSaturating(max(wait, min(after ?? 0, 3_600))))
                if failing.insert(sink.name).inserted {
                    tell(.undelivered(sink: sink.name, reason: reason))
                }
            }
        }
        try journaled(try journal.settle(message, sink: sink.name, as: state))
        return outcome
    }
}
