import StrictJSON
import Synchronization

/// The calls that run now, by their ids.
final class MCPCalls: Sendable {
    /// More are refused.
    static let most = 8

    private struct Call {
        var task: Task<Void, Never>?
        /// The client wants no answer any more.
        var isWithdrawn = false
    }

    private let calls = Mutex<[JSONValue: Call]>([:])
    /// Gets an element whenever a call ends.
    private let ends = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    enum Admission {
        case admitted
        case busy
        case idInUse
    }

    /// Makes room for a call; it has none until `leave`.
    func enter(_ id: JSONValue) -> Admission {
        calls.withLock { calls in
            guard calls[id] == nil else { return .idInUse }
            guard calls.count < Self.most else { return .busy }
            calls[id] = Call()
            return .admitted
        }
    }

    /// The task of a call, so that it can be cancelled.
    func set(_ task: Task<Void, Never>, of id: JSONValue) {
        let isLate = calls.withLock { calls in
            calls[id]?.task = task
            return calls[id]?.isWithdrawn ?? false
        }
        if isLate { task.cancel() }
    }

    /// The call is over; false if its answer is not wanted.
    func leave(_ id: JSONValue) -> Bool {
        let call = calls.withLock { $0.removeValue(forKey: id) }
        ends.continuation.yield()
        return call?.isWithdrawn == false
    }

    /// Cancels a call without an answer; nothing happens if none with this id runs.
    func withdraw(_ id: JSONValue) {
        let task = calls.withLock { calls in
            calls[id]?.isWithdrawn = true
            return calls[id]?.task
        }
        task?.cancel()
    }

    /// Cancels all, and waits until they are over, at most so long.
    func end(within limit: Duration) async {
        let ids = calls.withLock { Array($0.keys) }
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

    private var isEmpty: Bool { calls.withLock { $0.isEmpty } }
}
