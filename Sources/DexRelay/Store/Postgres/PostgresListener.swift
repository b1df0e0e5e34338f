import PostgresClient
import Synchronization

/// Hears of other instances' commits on a connection of its own, and reconnects when it breaks.
///
/// A notification only wakes; the number of the last change is asked for beside it.
final class PostgresListener: Sendable {
    private let address: PostgresAddress
    private let pool: PostgresPool
    private let interval: Duration
    private let state = Mutex(State())

    private struct State {
        var streams: [AsyncStream<StoreWakeUp>.Continuation] = []
        var operatorStreams: [AsyncStream<Void>.Continuation] = []
        var task: Task<Void, Never>?
        var connection: PostgresConnection?
        var isStopped = false
    }

    /// - Parameter interval: how often it asks for the last number, whatever it hears.
    init(_ address: PostgresAddress, pool: PostgresPool, interval: Duration) {
        self.address = address
        self.pool = pool
        self.interval = interval
    }

    /// Whether a notification that one connection sends reaches another.
    ///
    /// A pooler in transaction mode gives the listener's connection to the server to others, and
    /// notifications do not reach the listener.
    ///
    /// - Parameter patience: the longest that each answer of the server may take.
    static func test(
        _ address: PostgresAddress,
        sender: PostgresConnection,
        patience: Duration
    ) async throws(PostgresFailure) -> Bool {
        let listener = try await PostgresConnection.open(
            address,
            preparesStatements: false,
            within: patience
        )
        let token = String(UInt64.random(in: .min ... .max), radix: 16)
        do throws(PostgresFailure) {
            try await listener.interruptible { listener throws(PostgresFailure) in
                try listener.run(script: "LISTEN dex_relay", within: patience)
            }
            try await sender.interruptible { sender throws(PostgresFailure) in
                _ = try sender.query(
                    PostgresStatement("SELECT pg_notify('dex_relay', $1::text)"),
                    [.text(token)],
                    within: patience
                )
            }
            let isHeard = try await listener.interruptible { listener throws(PostgresFailure) in
                let end = ContinuousClock.now.advanced(by: .seconds(1))
                while case let left = ContinuousClock.now.duration(to: end), left > .zero {
                    if try listener.notification(within: left) == token { return true }
                }
                return false
            }
            await listener.close()
            return isHeard
        } catch {
            await listener.close()
            throw error
        }
    }

    func start() {
        state.withLock { state in
            guard state.task == nil, !state.isStopped else { return }
            state.task = Task { [weak self] in
                var attempt = 0
                var isFirst = true
                while !Task.isCancelled {
                    guard let wait = await self?.follow(&attempt, &isFirst) else { return }
                    // Only fails if it is cancelled, which ends the loop.
                    try? await Task.sleep(for: wait)
                }
            }
        }
    }

    /// Ends all streams.
    func stop() {
        let stopped = state.withLock { state in
            state.isStopped = true
            defer { (state.streams, state.operatorStreams) = ([], []) }
            return state
        }
        stopped.task?.cancel()
        stopped.connection?.interrupt()
        for stream in stopped.streams { stream.finish() }
        for stream in stopped.operatorStreams { stream.finish() }
    }

    /// Each reader gets what happens from now on; waiting wake-ups are joined.
    func wakeUps() -> AsyncStream<StoreWakeUp> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StoreWakeUp.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { state in
            if state.isStopped { continuation.finish() } else { state.streams.append(continuation) }
        }
        // What was committed before the reader came.
        continuation.yield(.changed)
        return stream
    }

    /// An element at once, and whenever the operator may have changed something.
    func operatorWakeUps() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { state in
            if state.isStopped {
                continuation.finish()
            } else {
                state.operatorStreams.append(continuation)
            }
        }
        continuation.yield()
        return stream
    }

    private func yieldToOperatorStreams() {
        for stream in state.withLock({ $0.operatorStreams }) { stream.yield() }
    }

    private func yield(_ wakeUp: StoreWakeUp) {
        let streams = state.withLock { $0.streams }
        for stream in streams {
            // A comparison of everything is not replaced by less.
            if case .dropped(.reconnected) = stream.yield(wakeUp), wakeUp != .reconnected {
                stream.yield(.reconnected)
            }
        }
    }

    /// Follows one connection until it breaks.
    ///
    /// - Returns: how long to wait before the next one.
    private func follow(_ attempt: inout Int, _ isFirst: inout Bool) async -> Duration {
        let connection: PostgresConnection
        do throws(PostgresFailure) {
            connection = try await PostgresConnection.open(
                address,
                preparesStatements: false,
                within: PostgresPool.patience(attempt)
            )
        } catch {
            if !Task.isCancelled { await pool.noteUnreachable() }
            defer { attempt += 1 }
            return PostgresPool.pause(attempt)
        }
        let isStopped = state.withLock { state in
            state.connection = connection
            return state.isStopped
        }
        if isStopped { connection.interrupt() }
        do throws(PostgresFailure) {
            try await listen(on: connection, isFirst: isFirst) {
                attempt = 0
                isFirst = false
            }
        } catch {
            // It broke; whether the server can be reached shows at the next attempt, at once.
        }
        state.withLock { $0.connection = nil }
        await connection.close()
        defer { attempt += 1 }
        return PostgresPool.pause(attempt)
    }

    private func listen(
        on connection: PostgresConnection,
        isFirst: Bool,
        _ began: () -> Void
    ) async throws(PostgresFailure) {
        var last = try await connection.interruptible { connection throws(PostgresFailure) in
            try connection.run(script: "LISTEN dex_relay", within: .seconds(5))
            return try connection.marks(within: .seconds(5))
        }
        began()
        await pool.noteReachable()
        yield(isFirst ? .changed : .reconnected)
        yieldToOperatorStreams()
        let interval = interval
        while !Task.isCancelled {
            let known = last
            let news = try await connection.interruptible {
                connection throws(PostgresFailure) -> (notification: String?, marks: StoreMarks) in
                if let text = try connection.notification(within: interval) { return (text, known) }
                return (nil, try connection.marks(within: .seconds(2)))
            }
            if news.notification == "operator" || news.marks.revision != last.revision {
                yieldToOperatorStreams()
            } else if news.notification != nil || news.marks.number != last.number {
                yield(.changed)
            }
            last.revision = news.marks.revision
            last.number = news.marks.number
        }
    }
}
