import Synchronization

/// The time and memory limits of one command's requests, until something is to be signed.
///
/// The time of concurrent requests counts once.
package final class RequestBudget: Sendable {
    private struct State {
        var running = 0
        /// The start of the earliest request of those that run.
        var began: UInt64 = 0
        /// Milliseconds of earlier requests.
        var spent: UInt64 = 0
        var isLifted = false
    }

    private let state = Mutex(State())
    /// Milliseconds of a monotonic clock.
    private let clock: @Sendable () -> UInt64
    /// The memory of the process in bytes.
    private let memory: @Sendable () -> UInt64

    package init(
        clock: @escaping @Sendable () -> UInt64,
        memory: @escaping @Sendable () -> UInt64
    ) {
        self.clock = clock
        self.memory = memory
    }

    /// Removes the limits: something is to be signed and followed, or the command runs until it is
    /// ended.
    package func lift() {
        state.withLock { $0.isLifted = true }
    }

    /// Why one more request is too much; if nil, call `end()` after the request.
    fileprivate func begin(_ limits: RequestLimits) -> String? {
        let now = clock()
        let held = memory()
        return state.withLock { state in
            let open = state.running > 0 ? now - min(now, state.began) : 0
            let (spent, isTooMuch) = state.spent.addingReportingOverflow(open)
            if !state.isLifted {
                if isTooMuch || spent >= limits.milliseconds {
                    return "the requests of this command took \(limits.milliseconds / 1_000) s, "
                        + "which is all that they may take; --timeout allows more"
                }
                if held >= limits.bytes {
                    return "this command holds \(held >> 20) MiB of memory, and takes no more "
                        + "answers beyond \(limits.bytes >> 20) MiB"
                }
            }
            if state.running == 0 { state.began = now }
            state.running += 1
            return nil
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

/// The limits of one command's requests together.
package struct RequestLimits: Sendable {
    package var milliseconds: UInt64
    /// The process's memory at the start of a request.
    package var bytes: UInt64

    package init(milliseconds: UInt64, bytes: UInt64) {
        self.milliseconds = milliseconds
        self.bytes = bytes
    }
}

/// Sends requests within the command's budget.
package struct CommandTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let budget: RequestBudget
    private let limits: RequestLimits

    package init(_ transport: any HTTPTransport, _ budget: RequestBudget, _ limits: RequestLimits) {
        self.transport = transport
        self.budget = budget
        self.limits = limits
    }

    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if let reason = budget.begin(limits) { throw .other(reason) }
        defer { budget.end() }
        return try await transport.send(request)
    }
}
