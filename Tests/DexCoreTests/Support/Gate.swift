import Synchronization

/// Sleeps that end only when the test opens them, or their task is cancelled.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var milliseconds: UInt64 = 0
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    var milliseconds: UInt64 { state.withLock(\.milliseconds) }

    func pass(_ milliseconds: UInt64) { state.withLock { $0.milliseconds += milliseconds } }

    func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    func wait() async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.isOpen { return .success(()) }
                    state.waiters[id] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
