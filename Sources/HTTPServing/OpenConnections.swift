import NIOCore
import Synchronization

/// The connections of a server, and what is done for their requests: a stop waits for both.
final class OpenConnections: Sendable {
    /// Ends a connection without waiting for its client.
    struct CutEvent: Sendable {}

    private enum Stage: Int {
        case serving
        /// Each connection ends with its last answer.
        case stopping
        /// Nothing waits for a client any more.
        case cutting
    }

    private struct State {
        var stage = Stage.serving
        var listener: (any Channel)?
        var isListening = false
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// What cancels each task, by its number; nil until it is known.
        var tasks: [UInt64: (@Sendable () -> Void)?] = [:]
        var lastTask: UInt64 = 0
        var waiting: CheckedContinuation<Void, Never>?

        /// Whoever waits for the end, once there is nothing left.
        mutating func ended() -> CheckedContinuation<Void, Never>? {
            guard !isListening, channels.isEmpty, tasks.isEmpty else { return nil }
            defer { waiting = nil }
            return waiting
        }
    }

    private let state = Mutex(State())

    var isStopping: Bool { state.withLock { $0.stage != .serving } }

    /// The server listens now.
    func listen(at listener: any Channel) {
        let isLate = state.withLock { state in
            state.listener = listener
            state.isListening = true
            return state.stage != .serving
        }
        listener.closeFuture.whenComplete { [self] _ in
            end { state in
                state.isListening = false
                state.listener = nil
            }
        }
        if isLate { listener.close(promise: nil) }
    }

    /// Counts a connection until it is closed.
    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let stage = state.withLock { state in
            state.channels[id] = channel
            return state.stage
        }
        channel.closeFuture.whenComplete { [self] _ in end { $0.channels[id] = nil } }
        if stage != .serving { Self.tell(channel, stage) }
    }

    /// Counts a task until it has ended, and returns its number.
    func taskBegan() -> UInt64 {
        state.withLock { state in
            state.lastTask += 1
            state.tasks[state.lastTask] = .some(nil)
            return state.lastTask
        }
    }

    /// What cancels a task: also one whose client has left, which no connection knows any more.
    func task(_ number: UInt64, cancel: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            guard state.tasks[number] != nil else { return false }
            state.tasks[number] = cancel
            return state.stage == .cutting
        }
        if isLate { cancel() }
    }

    func taskEnded(_ number: UInt64) {
        end { $0.tasks[number] = nil }
    }

    /// Takes no more connections, and ends each that waits for a request, others with their answers.
    func stop() {
        raise(to: .stopping)
    }

    /// The same, and tasks are cancelled; nothing waits for a client.
    func cut() {
        raise(to: .cutting)
    }

    /// Returns when the server has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                state.waiting = continuation
                return state.ended()
            }?.resume()
        }
    }

    private func raise(to stage: Stage) {
        let (listener, channels, cancels) = state.withLock { state in
            guard stage.rawValue > state.stage.rawValue else {
                return (nil as (any Channel)?, [] as [any Channel], [] as [@Sendable () -> Void])
            }
            state.stage = stage
            let cancels = stage == .cutting ? state.tasks.values.compactMap(\.self) : []
            return (state.listener, Array(state.channels.values), cancels)
        }
        listener?.close(promise: nil)
        for channel in channels { Self.tell(channel, stage) }
        for cancel in cancels { cancel() }
    }

    private static func tell(_ channel: any Channel, _ stage: Stage) {
        channel.eventLoop.execute {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
            if stage == .cutting { channel.pipeline.fireUserInboundEventTriggered(CutEvent()) }
        }
    }

    private func end(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            return state.ended()
        }?.resume()
    }
}
