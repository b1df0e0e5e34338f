import Synchronization

/// The limits of all answers to one read: all pages of a relay's list, or many questions to a node.
package struct AnswerLimits: Sendable, Hashable {
    /// Bytes of bodies after decompression, including retried requests.
    package var bytes: Int
    /// Entries of a list, over all its pages.
    package var entries: Int
    /// Time from the first request to the last answer.
    package var milliseconds: Int

    /// Limits; the defaults allow two books of 50,000 orders, or 200,000 logs.
    ///
    /// - Parameter milliseconds: at least 300,000, which is enough for them on a slow line.
    package init(
        bytes: Int = 160 << 20,
        entries: Int = 150_000,
        milliseconds: Int = 300_000
    ) {
        self.bytes = max(1, bytes)
        self.entries = max(1, entries)
        self.milliseconds = max(1, milliseconds)
    }
}

/// The remaining limits of one read; all its requests share them.
package final class AnswerBudget: Sendable {
    private struct Taken: Sendable {
        var bytes = 0
        var entries = 0
    }

    private let limits: AnswerLimits
    private let clock: NetworkClock
    private let start: UInt64
    private let taken = Mutex(Taken())

    /// A full budget, whose time begins now.
    init(_ limits: AnswerLimits, clock: NetworkClock) {
        self.limits = limits
        self.clock = clock
        start = clock.elapsed()
    }

    /// Counts decompressed bytes; returns why the answer must end if they exceed the limit.
    package func take(bytes: Int) -> HTTPError? {
        let isWithin = taken.withLock { Self.add(bytes, to: &$0.bytes, upTo: limits.bytes) }
        return isWithin ? nil : .tooLargeTogether(bytes: limits.bytes)
    }

    /// Counts entries of a list; returns the limit if they exceed it.
    func take(entries: Int) -> Int? {
        let isWithin = taken.withLock { Self.add(entries, to: &$0.entries, upTo: limits.entries) }
        return isWithin ? nil : limits.entries
    }

    private static func add(_ more: Int, to count: inout Int, upTo limit: Int) -> Bool {
        let (sum, overflow) = count.addingReportingOverflow(more)
        count = overflow ? .max : sum
        return count <= limit
    }

    /// The remaining milliseconds.
    ///
    /// - Throws: `HTTPError.tooSlowTogether` if there are none.
    func timeLeft() throws(HTTPError) -> Int {
        let now = clock.elapsed()
        let used = Int(clamping: now - min(now, start))
        guard used < limits.milliseconds else {
            throw .tooSlowTogether(milliseconds: limits.milliseconds)
        }
        return limits.milliseconds - used
    }
}

/// The limits of one answer.
package struct AnswerBounds: Sendable, Hashable {
    /// Bytes of the decompressed body; nil uses the transport's own limit.
    package var maximumBody: Int?
    /// Time to the complete answer; nil uses the transport's own limit.
    package var milliseconds: Int?
    /// The budget that counts the answer as it arrives.
    package var budget: AnswerBudget?

    package init() {}

    package static func == (left: AnswerBounds, right: AnswerBounds) -> Bool {
        left.maximumBody == right.maximumBody && left.milliseconds == right.milliseconds
            && left.budget === right.budget
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(maximumBody)
        hasher.combine(milliseconds)
        hasher.combine(budget.map { ObjectIdentifier($0) })
    }
}

/// A transport whose answers share one budget.
struct BudgetedTransport: HTTPTransport {
    let wrapped: any HTTPTransport
    let budget: AnswerBudget

    /// - Throws: `HTTPError`, also if the time or the bytes of the budget are used up.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let left = try budget.timeLeft()
        var request = request
        request.bounds.milliseconds = min(left, request.bounds.milliseconds ?? .max)
        request.bounds.budget = budget
        do throws(HTTPError) {
            return try await wrapped.send(request)
        } catch {
            // Ended by the budget, not by the limit of a single answer.
            if case .timedOut(let milliseconds) = error, milliseconds == left {
                _ = try budget.timeLeft()
            }
            throw error
        }
    }
}
