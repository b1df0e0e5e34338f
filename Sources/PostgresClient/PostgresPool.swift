import Synchronization

/// A few connections to one database, opened when they are needed.
///
/// While the server cannot be reached, every call fails at once, and one task tries to connect.
package actor PostgresPool {
    private let address: PostgresAddress
    private let preparesStatements: Bool
    private let maximum: Int
    /// Reports that the server was lost (with the reason) or is there again (nil).
    private let report: @Sendable (PostgresFailure?) -> Void
    private var idle: [PostgresConnection] = []
    /// All connections: idle, in use, and being opened.
    private var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var closing: [CheckedContinuation<Void, Never>] = []
    /// Why the server cannot be reached; nil if it can, as far as is known.
    private var failure: PostgresFailure?
    private var reconnecting: Task<Void, Never>?
    private var isClosed = false
    private let reachable = Atomic(true)

    package init(
        _ address: PostgresAddress,
        preparesStatements: Bool,
        maximum: Int = 4,
        report: @escaping @Sendable (PostgresFailure?) -> Void
    ) {
        self.address = address
        self.preparesStatements = preparesStatements
        self.maximum = max(1, maximum)
        self.report = report
    }

    package nonisolated var isReachable: Bool { reachable.load(ordering: .relaxed) }

    /// Does work on a connection.
    ///
    /// If the connection turns out to be broken, the work is done once more on a new one; so it must
    /// throw only while nothing is written.
    /// - Parameter endsWithTask: the work is broken off if the task is cancelled.
    package func use<Value: Sendable>(
        endsWithTask: Bool = true,
        _ work: @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(PostgresFailure) -> Value {
        var isSecond = false
        while true {
            let connection = try await take()
            do throws(PostgresFailure) {
                let value =
                    endsWithTask
                    ? try await connection.interruptible(work) : try await connection.perform(work)
                await giveBack(connection, after: nil)
                return value
            } catch {
                await giveBack(connection, after: error)
                guard case .unreachable = error, !isSecond else { throw error }
                isSecond = true
            }
        }
    }

    /// Takes a connection for several calls; `giveBack` must follow.
    package func take() async throws(PostgresFailure) -> PostgresConnection {
        while true {
            if isClosed { throw .interrupted }
            if let failure { throw failure }
            if let connection = idle.popLast() {
                if connection.isUsable { return connection }
                count -= 1
            } else if count < maximum {
                count += 1
                do throws(PostgresFailure) {
                    return try await open(within: Self.patience(0))
                } catch {
                    count -= 1
                    if error == .interrupted { wakeOne() } else { goDown(error) }
                    wakeClosing()
                    throw error
                }
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }
    }

    /// - Parameter failure: what the work on it threw.
    package func giveBack(_ connection: PostgresConnection, after failure: PostgresFailure?) async {
        if connection.isUsable, !isClosed {
            idle.append(connection)
        } else {
            count -= 1
            // Probably the others broke for the same reason.
            if failure != .interrupted { dropIdle() }
            if failure == .timedOut { goDown(.timedOut) }
            wakeClosing()
        }
        wakeOne()
    }

    /// The server was just reached by other means.
    package func noteReachable() {
        guard failure != nil, !isClosed else { return }
        reconnecting?.cancel()
        reconnecting = nil
        goUp()
    }

    /// The server was just not reached by other means.
    package func noteUnreachable(_ failure: PostgresFailure) {
        guard !isClosed else { return }
        dropIdle()
        goDown(failure)
    }

    /// Waits for the work that is being done, and closes all connections.
    package func close() async {
        guard !isClosed else { return }
        isClosed = true
        reconnecting?.cancel()
        dropIdle()
        wakeAll()
        if count > 0 { await withCheckedContinuation { closing.append($0) } }
    }

    // MARK: Connecting

    private func open(within time: Duration) async throws(PostgresFailure) -> PostgresConnection {
        try await PostgresConnection.open(
            address,
            preparesStatements: preparesStatements,
            within: time
        )
    }

    private func goDown(_ reason: PostgresFailure) {
        let isNew = failure == nil
        failure = reason
        wakeAll()
        guard isNew, !isClosed else { return }
        reachable.store(false, ordering: .relaxed)
        report(reason)
        reconnecting = Task { await reconnect() }
    }

    private func goUp() {
        failure = nil
        reachable.store(true, ordering: .relaxed)
        report(nil)
        wakeAll()
    }

    private func reconnect() async {
        var attempt = 0
        while !Task.isCancelled {
            do throws(PostgresFailure) {
                let connection = try await open(within: Self.patience(attempt))
                guard !Task.isCancelled, !isClosed, failure != nil else {
                    await connection.close()
                    return
                }
                count += 1
                idle.append(connection)
                reconnecting = nil
                goUp()
                return
            } catch {
                // The server was reached by other means meanwhile: a failure noted now would stay,
                // since no task tries to connect any more.
                if error == .interrupted || isClosed || Task.isCancelled { return }
                failure = error
            }
            // Only fails if it is cancelled, which ends the loop.
            try? await Task.sleep(for: Self.pause(attempt))
            attempt += 1
        }
    }

    /// How long to try to connect: most servers answer at once, a slow one gets its time too.
    package static func patience(_ attempt: Int) -> Duration {
        [.seconds(1), .seconds(2), .seconds(5)][attempt % 3]
    }

    /// How long to wait before the next attempt.
    package static func pause(_ attempt: Int) -> Duration {
        [.milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(500)][
            min(attempt, 3)
        ]
    }

    // MARK: Waiting callers

    private func dropIdle() {
        count -= idle.count
        let dropped = idle
        idle = []
        wakeClosing()
        guard !dropped.isEmpty else { return }
        Task { for connection in dropped { await connection.close() } }
    }

    private func wakeOne() {
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }

    private func wakeAll() {
        for waiter in waiting { waiter.resume() }
        waiting = []
    }

    private func wakeClosing() {
        guard isClosed, count == 0 else { return }
        for waiter in closing { waiter.resume() }
        closing = []
    }
}
