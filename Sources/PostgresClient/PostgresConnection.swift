import Synchronization

/// A connection to PostgreSQL on a thread of its own.
///
/// What runs in one call of `perform` is not mixed with other callers' statements.
package actor PostgresConnection {
    private let thread: PostgresThread
    private let alarm: PostgresAlarm
    /// nil once it is closed.
    private var link: PostgresLink?
    private let usable = Atomic(false)
    private let preparesStatements: Bool
    private var prepared: Set<String> = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    private init(preparesStatements: Bool) throws(PostgresFailure) {
        alarm = try PostgresAlarm()
        thread = PostgresThread()
        self.preparesStatements = preparesStatements
    }

    /// Connects.
    ///
    /// libpq resolves the host's name without a deadline, so whoever waits is let go at its end;
    /// the thread ends when the resolver does.
    ///
    /// - Parameters:
    ///   - preparesStatements: false behind a pooler, which gives each transaction another
    ///     connection to the server.
    ///   - resolving: runs before libpq on its thread, and may block it as a resolver does.
    /// - Throws: `PostgresFailure`.
    package static func open(
        _ address: PostgresAddress,
        preparesStatements: Bool = true,
        within time: Duration,
        resolving: @escaping @Sendable () -> Void = {}
    ) async throws(PostgresFailure) -> PostgresConnection {
        let connection = try PostgresConnection(preparesStatements: preparesStatements)
        let deadline = ContinuousClock.now.advanced(by: time)
        // The first outcome; the others are dropped.
        let (outcomes, sender) = AsyncStream.makeStream(
            of: Result<Void, PostgresFailure>.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        let connecting = Task {
            do throws(PostgresFailure) {
                try await connection.perform { connection throws(PostgresFailure) in
                    resolving()
                    try connection.connect(to: address, by: deadline)
                }
                sender.yield(.success(()))
            } catch {
                sender.yield(.failure(error))
            }
        }
        let timer = Task {
            // Cancelled: somebody else was first.
            try? await ContinuousClock().sleep(until: deadline)
            sender.yield(.failure(.timedOut))
        }
        var iterator = outcomes.makeAsyncIterator()
        // nil: the caller was cancelled first.
        let result = await iterator.next() ?? .failure(.interrupted)
        timer.cancel()
        do throws(PostgresFailure) {
            try result.get()
        } catch {
            connection.interrupt()
            connecting.cancel()
            throw error
        }
        return connection
    }

    private func connect(
        to address: PostgresAddress,
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        guard ContinuousClock.now < deadline else { throw .timedOut }
        link = try PostgresLink(address, alarm, by: deadline)
        usable.store(true, ordering: .releasing)
    }

    /// Does work on the connection's thread.
    package func perform<Value: Sendable, Failure: Error>(
        _ work: @Sendable (isolated PostgresConnection) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try work(self)
    }

    /// The same; it ends, and the connection is closed, if the task is cancelled.
    package nonisolated func interruptible<Value: Sendable>(
        _ work: @Sendable (isolated PostgresConnection) throws(PostgresFailure) -> Value
    ) async throws(PostgresFailure) -> Value {
        let result: Result<Value, PostgresFailure> = await withTaskCancellationHandler {
            do throws(PostgresFailure) {
                return .success(try await perform(work))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            interrupt()
        }
        return try result.get()
    }

    /// Ends what it waits for; it cannot be used any more.
    package nonisolated func interrupt() {
        alarm.ring()
    }

    package func close() {
        usable.store(false, ordering: .releasing)
        link = nil
    }

    /// false once it is closed or broken.
    package nonisolated var isUsable: Bool { usable.load(ordering: .acquiring) }

    /// As in `server_version_num`: 150018 for 15.18.
    package var serverVersion: Int { link?.serverVersion ?? 0 }

    /// The number of the server's process.
    package var backend: Int { link?.backend ?? 0 }

    // MARK: Within `perform`

    /// Runs a statement.
    package func query(
        _ statement: PostgresStatement,
        _ values: [PostgresValue] = [],
        within time: Duration
    ) throws(PostgresFailure) -> PostgresRows {
        let deadline = ContinuousClock.now.advanced(by: time)
        return try using { link throws(PostgresFailure) in
            if preparesStatements, !prepared.contains(statement.name) {
                try link.prepare(statement, by: deadline)
                prepared.insert(statement.name)
            }
            return try link.run(statement, isPrepared: preparesStatements, values, by: deadline)
        }
    }

    /// Runs constant statements without parameters.
    package func run(script: StaticString, within time: Duration) throws(PostgresFailure) {
        let deadline = ContinuousClock.now.advanced(by: time)
        _ = try using { link throws(PostgresFailure) in
            try link.run(script: script.description, by: deadline)
        }
    }

    /// Waits for a notification of a channel that it listens to.
    ///
    /// - Returns: its payload, at most 63 bytes; nil if none came in time.
    package func notification(within time: Duration) throws(PostgresFailure) -> String? {
        let deadline = ContinuousClock.now.advanced(by: time)
        return try using { link throws(PostgresFailure) in
            try link.notification(by: deadline)
        }
    }

    private func using<Value>(
        _ work: (PostgresLink) throws(PostgresFailure) -> Value
    ) throws(PostgresFailure) -> Value {
        guard let link else { throw .unreachable("the connection is closed") }
        do throws(PostgresFailure) {
            return try work(link)
        } catch {
            if error.isFatal { close() }
            throw error
        }
    }
}
