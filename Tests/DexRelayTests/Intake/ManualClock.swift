import DexTestSupport
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private struct Sleeper {
        let end: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Duration.zero
        var lastID = 0
        var sleepers: [Int: Sleeper] = [:]
    }

    private let state = Mutex(State())

    var milliseconds: UInt64 {
        state.withLock { UInt64(clamping: $0.now / .milliseconds(1) as Double) }
    }

    /// Waits until the clock was moved so far, or throws once it is cancelled.
    @Sendable func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[id] = Sleeper(
                        end: state.now + duration,
                        continuation: continuation
                    )
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns once so many wait for this clock, for exactly so long if it is given.
    func waitForSleepers(_ count: Int, of duration: Duration? = nil) async throws {
        try await until("\(count) that wait for the clock") {
            let sleeping = state.withLock { state in
                state.sleepers.values.count {
                    duration == nil || $0.end - state.now == duration
                }
            }
            return sleeping >= count
        }
    }
}

extension UInt64 {
    fileprivate init(clamping number: Double) {
        self = number < 0 ? 0 : UInt64(number)
    }
}

/// Holds whoever comes until a test opens it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var arrivals = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var arrivals: Int { state.withLock { $0.arrivals } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once so many have come.
    func waitForArrivals(_ count: Int) async throws {
        try await until("\(count) at the gate") { arrivals >= count }
    }
}

/// Values that tasks collect.
final class Collected<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func append(_ value: Value) {
        list.withLock { $0.append(value) }
    }
}
