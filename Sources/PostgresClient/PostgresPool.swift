import Synchronization

/// A few connections to one database, opened when they are needed.
///
/// While the server cannot be reached, every call fails at once, and one task tries to connect. That
/// it cannot be reached is only believed of the pool's own connections: what others say is checked.
///
/// A connection that breaks says that those from before it broke are probably broken too: none of them
/// is lent again.
package actor PostgresPool {
    /// A connection that is lent, with the number of breaks before it was opened.
    package struct Lease: Sendable {
        package let connection: PostgresConnection
        fileprivate let breaks: Int
    }

    private let address: PostgresAddress
    private let preparesStatements: Bool
    private let maximum: Int
    /// Reports that the server was lost (with the reason) or is there again (nil).
    private let report: @Sendable (PostgresFailure?) -> Void
    /// None is from before the last break.
    private var idle: [Lease] = []
    /// How often a connection turned out to be broken.
    private var breaks = 0
    /// All connections: idle, in use, and being opened.
    private var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var closing: [CheckedContinuation<Void, Never>] = []
    /// Why the server cannot be reached; nil if it can, as far as is known.
    private var failure: PostgresFailure?
    private var reconnecting: Task<Void, Never>?
    private var checking: Task<Void, Never>?
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
    /// If the connection turns out to be broken, the work is done once more on one that is opened
    /// after that; so it must throw only while nothing is written.
    /// - Parameter endsWithTask: the work is broken off if the task is cancelled.
    package func use<Value: Sendable>(
        endsWithTask: Bool = true,
        _ work: @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(PostgresFailure) -> Value {
        var isSecond = false
        while true {
            let lease = try await take()
            let connection = lease.connection
            do throws(PostgresFailure) {
                let value =
                    endsWithTask
                    ? try await connection.interruptible(work) : try await connection.perform(work)
                // A cancellation after the work's end has rung its alarm, which never stops.
                let isCancelled = endsWithTask && Task.isCancelled
                if isCancelled { await connection.close() }
                giveBack(lease, after: isCancelled ? .interrupted : nil)
                return value
            } catch {
                giveBack(lease, after: error)
                guard case .unreachable = error, !isSecond else { throw error }
                isSecond = true
            }
        }
    }

    /// Does the first of several calls on a connection, as `use`, and lends the connection for the
    /// others; `giveBack` must follow.
    package func begin<Value: Sendable>(
        _ work: @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(PostgresFailure) -> (lease: Lease, value: Value) {
        var isSecond = false
        while true {
            let lease = try await take()
            do throws(PostgresFailure) {
                return (lease, try await lease.connection.interruptible(work))
            } catch {
                // What it began goes with it.
                await lease.connection.close()
                giveBack(lease, after: error)
                guard case .unreachable = error, !isSecond else { throw error }
                isSecond = true
            }
        }
    }

    /// Takes a connection for several calls; `giveBack` must follow.
    ///
    /// One more than the server allows, or that is cut while others stand, is no outage: whoever wants
    /// it waits for one of those, which say themselves when they break.
    package func take() async throws(PostgresFailure) -> Lease {
        while true {
            if isClosed { throw .interrupted }
            if let failure { throw failure }
            if let lease = idle.popLast() {
                if lease.connection.isUsable { return lease }
                count -= 1
            } else if count < maximum {
                count += 1
                do throws(PostgresFailure) {
                    return try await opened()
                } catch {
                    count -= 1
                    if isClosed {
                        wakeClosing()
                        throw .interrupted
                    }
                    if error.isBreak, count > 0, self.failure == nil {
                        if idle.isEmpty { await withCheckedContinuation { waiting.append($0) } }
                        continue
                    }
                    if error == .interrupted { wakeOne() } else { goDown(error) }
                    throw error
                }
            } else {
                await withCheckedContinuation { waiting.append($0) }
            }
        }
    }

    /// - Parameter failure: what the work on it threw.
    package func giveBack(_ lease: Lease, after failure: PostgresFailure?) {
        if lease.connection.isUsable, !isClosed, lease.breaks == breaks {
            idle.append(lease)
        } else {
            count -= 1
            Task { await lease.connection.close() }
            if failure?.isBreak ?? false, lease.breaks == breaks {
                // The others broke for the same reason, as far as is known.
                breaks += 1
                dropIdle()
            }
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

    /// The server was just not reached by other means, which may be their fault alone: one that was
    /// cut off while it connected, one connection more than the server allows, a slow network.
    ///
    /// Whether it is lost is asked on a connection of the pool; calls go on until that is known.
    package func noteUnreachable() {
        guard !isClosed, failure == nil, checking == nil else { return }
        checking = Task {
            await check()
            checking = nil
        }
    }

    private func check() async {
        if let lease = idle.popLast() {
            do throws(PostgresFailure) {
                try await lease.connection.interruptible { connection throws(PostgresFailure) in
                    try connection.run(script: "SELECT 1", within: Self.patience)
                }
                return giveBack(lease, after: nil)
            } catch {
                giveBack(lease, after: error)
            }
        } else if count > 0 {
            // All are at work, which says itself when it cannot go on.
            return
        }
        do throws(PostgresFailure) {
            // Opened where there is none; else it reports the server lost.
            giveBack(try await take(), after: nil)
        } catch {}
    }

    /// Waits for the work that is being done, and closes all connections.
    package func close() async {
        guard !isClosed else { return }
        isClosed = true
        reconnecting?.cancel()
        checking?.cancel()
        dropIdle()
        wakeAll()
        if count > 0 { await withCheckedContinuation { closing.append($0) } }
    }

    // MARK: Connecting

    /// Opens a connection for a caller.
    ///
    /// One that breaks while it is opened is opened once more: what cuts connections cuts those, too.
    private func opened() async throws(PostgresFailure) -> Lease {
        do throws(PostgresFailure) {
            return try await open(within: Self.patience)
        } catch {
            guard case .unreachable = error, !isClosed, !Task.isCancelled else { throw error }
            return try await open(within: Self.patience)
        }
    }

    private func open(within time: Duration) async throws(PostgresFailure) -> Lease {
        let breaks = breaks
        let connection = try await PostgresConnection.open(
            address,
            preparesStatements: preparesStatements,
            within: time
        )
        return Lease(connection: connection, breaks: breaks)
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
                let lease = try await open(within: Self.patience(attempt))
                guard !Task.isCancelled, !isClosed, failure != nil else {
                    await lease.connection.close()
                    return
                }
                guard lease.breaks == breaks else {
                    await lease.connection.close()
                    continue
                }
                count += 1
                idle.append(lease)
                reconnecting = nil
                goUp()
                return
            } catch {
                // Cancelled by `noteReachable`: what this attempt found out is older than that.
                if error == .interrupted || isClosed || Task.isCancelled { return }
                failure = error
            }
            // Only fails if it is cancelled, which ends the loop.
            try? await Task.sleep(for: Self.pause(attempt))
            attempt += 1
        }
    }

    /// How long a caller waits for a connection, and a check for an answer: as long as a statement
    /// may take at the server.
    package static let patience = Duration.seconds(5)

    /// How long to try to connect in the background: most servers answer at once, a slow one gets its
    /// time too, and one that is back is found soon.
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
        Task { for lease in dropped { await lease.connection.close() } }
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
