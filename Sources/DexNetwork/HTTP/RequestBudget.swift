import Synchronization

/// The time that the requests of one command may take together, until something is to be signed.
///
/// Requests that run at once count once.
package final class RequestBudget: Sendable {
    private struct State {
        var running = 0
        /// When the first of those that run began.
        var began: UInt64 = 0
        /// Milliseconds of those that ended.
        var spent: UInt64 = 0
        var isLifted = false
    }

    private let state = Mutex(State())
    /// Milliseconds of a clock that never goes back.
    private let clock: @Sendable () -> UInt64

    package init(clock: @escaping @Sendable () -> UInt64) {
        self.clock = clock
    }

    /// Bounds nothing from now on: something is to be signed and followed, or the command goes on
    /// until it is ended.
    package func lift() {
        state.withLock { $0.isLifted = true }
    }

    /// False where so many milliseconds are used up; else `end()` has to follow.
    fileprivate func begin(limit: UInt64) -> Bool {
        let now = clock()
        return state.withLock { state in
            let open = state.running > 0 ? now - min(now, state.began) : 0
            let (spent, isTooMuch) = state.spent.addingReportingOverflow(open)
            guard state.isLifted || (!isTooMuch && spent < limit) else { return false }
            if state.running == 0 { state.began = now }
            state.running += 1
            return true
        }
    }

    fileprivate func end() {
        let now = clock()
        state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return }
            let (sum, isTooMuch) = state.spent.addingReportingOverflow(now - min(now, state.began))
            state.spent = isTooMuch ? .max : sum
        }
    }
}

/// Sends requests while the budget of their command lasts.
package struct CommandTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let budget: RequestBudget
    private let milliseconds: UInt64

    /// - Parameter milliseconds: what all requests may take together.
    package init(_ transport: any HTTPTransport, _ budget: RequestBudget, milliseconds: UInt64) {
        self.transport = transport
        self.budget = budget
        self.milliseconds = milliseconds
    }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard budget.begin(limit: milliseconds) else {
            throw .other(
                "the requests of this command took \(milliseconds / 1_000) s, which is all that "
                    + "they may take; --timeout allows more"
            )
        }
        defer { budget.end() }
        return try await transport.send(request)
    }
}
