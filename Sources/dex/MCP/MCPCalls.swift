import StrictJSON
import Synchronization

/// The calls that run now, by their ids.
final class MCPCalls: Sendable {
    /// More are refused.
    static let maximum = 8

    private struct Call {
        var task: Task<Void, Never>?
        /// The client wants no answer any more.
        var isWithdrawn = false
    }

    private struct State {
        var calls: [JSONValue: Call] = [:]
        /// Calls that run, and those whose answers the client has not read yet.
        var places = 0
    }

    private let state = Mutex(State())
    /// Gets an element whenever a place is free.
    private let ends = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    enum Admission {
        case admitted
        case busy
        case idInUse
    }

    /// Makes a place for a call, which it has until `free`.
    func enter(_ id: JSONValue) -> Admission {
        state.withLock { state in
            guard state.calls[id] == nil else { return .idInUse }
            guard state.places < Self.maximum else { return .busy }
            state.calls[id] = Call()
            state.places += 1
            return .admitted
        }
    }

    /// The task of a call, so that it can be cancelled.
    func set(_ task: Task<Void, Never>, of id: JSONValue) {
        let isLate = state.withLock { state in
            state.calls[id]?.task = task
            return state.calls[id]?.isWithdrawn ?? false
        }
        if isLate { task.cancel() }
    }

    /// The call is over, and another may have its id; false if its answer is not wanted.
    func leave(_ id: JSONValue) -> Bool {
        state.withLock { $0.calls.removeValue(forKey: id) }?.isWithdrawn == false
    }

    /// The answer is written, or there is none: another call may have its place.
    ///
    /// Not sooner: what a client does not read would take more and more memory.
    func free() {
        state.withLock { $0.places -= 1 }
        ends.continuation.yield()
    }

    /// Cancels a call without an answer; nothing happens if none with this id runs.
    func withdraw(_ id: JSONValue) {
        let task = state.withLock { state in
            state.calls[id]?.isWithdrawn = true
            return state.calls[id]?.task
        }
        task?.cancel()
    }

    /// Cancels all, and waits until they are over, at most so long.
    func end(within limit: Duration) async {
        let ids = state.withLock { Array($0.calls.keys) }
        for id in ids { withdraw(id) }
        guard !isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in self.ends.stream where self.isEmpty { return }
            }
            group.addTask {
                // It is cancelled once all are over.
                try? await Task.sleep(for: limit)
            }
            await group.next()
            group.cancelAll()
        }
    }

    private var isEmpty: Bool { state.withLock { $0.places == 0 } }
}
