import Synchronization

/// What all answers to one read may take together: a list of a relay with all its pages, or many
/// questions to a node.
package struct AnswerLimits: Sendable, Hashable {
    /// Bytes of bodies after decompression, those of repeated requests included.
    package var bytes: Int
    /// Entries of a list, on all its pages.
    package var entries: Int
    /// From the first request to the last answer.
    package var milliseconds: Int

    /// Limits; the defaults hold two books of 50,000 orders, or 200,000 logs.
    ///
    /// - Parameter milliseconds: 300,000 at least leave a slow line the time for them.
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

/// What is left of one read's limits; every request of the read shares it.
package final class AnswerBudget: Sendable {
    private struct Taken: Sendable {
        var bytes = 0
        var entries = 0
    }

    private let limits: AnswerLimits
    private let clock: NetworkClock
    private let start: UInt64
    private let taken = Mutex(Taken())

    /// A whole budget, whose time begins now.
    init(_ limits: AnswerLimits, clock: NetworkClock) {
        self.limits = limits
        self.clock = clock
        start = clock.elapsed()
    }

    /// Takes decompressed bytes off; why the answer must end, where there are not as many.
    package func take(bytes: Int) -> HTTPError? {
        let isWithin = taken.withLock { taken in
            taken.bytes =
                taken.bytes.addingReportingOverflow(bytes).overflow
                ? .max : taken.bytes + bytes
            return taken.bytes <= limits.bytes
        }
        return isWithin ? nil : .tooLargeTogether(bytes: limits.bytes)
    }

    /// Takes entries of a list off; how many there may be, where there are not as many.
    func take(entries: Int) -> Int? {
        let isWithin = taken.withLock { taken in
            taken.entries =
                taken.entries.addingReportingOverflow(entries).overflow
                ? .max : taken.entries + entries
            return taken.entries <= limits.entries
        }
        return isWithin ? nil : limits.entries
    }

    /// The milliseconds that are left.
    ///
    /// - Throws: `HTTPError.tooSlowTogether` where none are.
    func timeLeft() throws(HTTPError) -> Int {
        let now = clock.elapsed()
        let used = Int(clamping: now - min(now, start))
        guard used < limits.milliseconds else {
            throw .tooSlowTogether(milliseconds: limits.milliseconds)
        }
        return limits.milliseconds - used
    }
}

/// What one answer may take at most.
package struct AnswerBounds: Sendable, Hashable {
    /// Bytes of the body, decompressed; nil is the transport's own bound.
    package var maximumBody: Int?
    /// Time to the whole answer; nil is the transport's own bound.
    package var milliseconds: Int?
    /// What the answer draws on while it comes.
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

/// A transport whose answers draw on one budget.
struct BudgetedTransport: HTTPTransport {
    let wrapped: any HTTPTransport
    let budget: AnswerBudget

    /// - Throws: `HTTPError`, also where the time or the bytes of the budget are used up.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let left = try budget.timeLeft()
        var request = request
        request.bounds.milliseconds = min(left, request.bounds.milliseconds ?? .max)
        request.bounds.budget = budget
        do throws(HTTPError) {
            return try await wrapped.send(request)
        } catch {
            // Cut short by the budget, and not by the bound of a single answer.
            if case .timedOut(let milliseconds) = error, milliseconds == left {
                _ = try budget.timeLeft()
            }
            throw error
        }
    }
}
