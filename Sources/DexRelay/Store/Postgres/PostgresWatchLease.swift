import Logging
import PostgresClient

/// Tries to get the lease to watch the chain, on a connection that it keeps between attempts.
actor PostgresWatchCandidate {
    private let address: PostgresAddress
    private let logger: Logger
    private var connection: PostgresConnection?
    private var isTaking = false
    private var isClosed = false

    init(_ address: PostgresAddress, logger: Logger) {
        self.address = address
        self.logger = logger
    }

    /// - Parameter epoch: begins the lease's, once no other instance has one.
    /// - Returns: nil if another instance has the lease.
    func take(
        _ epoch: @Sendable () async throws(PostgresFailure) -> UInt64
    ) async throws(PostgresFailure) -> PostgresWatchLease? {
        if isClosed { throw .interrupted }
        guard !isTaking else { return nil }
        isTaking = true
        defer { isTaking = false }
        let isKept = connection?.isUsable ?? false
        var (candidate, isTaken) = (try await usable(), false)
        do throws(PostgresFailure) {
            isTaken = try await ask(candidate)
        } catch {
            // The one that was kept may have broken long ago.
            guard case .unreachable = error, isKept, !isClosed else { throw error }
            candidate = try await usable()
            isTaken = try await ask(candidate)
        }
        guard isTaken else { return nil }
        // The lease has it from now on.
        connection = nil
        let begun: UInt64
        do throws(PostgresFailure) {
            begun = try await epoch()
        } catch {
            await candidate.close()
            throw error
        }
        let lease = PostgresWatchLease(candidate, epoch: begun)
        guard !isClosed else {
            await lease.release()
            throw .interrupted
        }
        return lease
    }

    private func ask(_ candidate: PostgresConnection) async throws(PostgresFailure) -> Bool {
        do throws(PostgresFailure) {
            return try await candidate.interruptible { candidate throws(PostgresFailure) in
                try candidate.takeWatch()
            }
        } catch {
            await candidate.close()
            connection = nil
            throw error
        }
    }

    private func usable() async throws(PostgresFailure) -> PostgresConnection {
        if let connection, connection.isUsable { return connection }
        let opened = try await PostgresConnection.open(
            address,
            preparesStatements: false,
            within: .seconds(2)
        )
        connection = opened
        return opened
    }

    func close() async {
        isClosed = true
        connection?.interrupt()
        await connection?.close()
        connection = nil
    }
}

/// The lease to watch the chain: a lock of a transaction that stays open.
///
/// A session's lock would be lost among the sessions of a pooler; a transaction has its connection
/// for itself. It is spoken to every second, and the server ends it after three silent ones: so the
/// lock of an instance that died, hangs or is cut off is free within 5 s.
actor PostgresWatchLease: WatchLease {
    let epoch: UInt64
    private let connection: PostgresConnection
    private var heartbeat: Task<Void, Never>?

    init(_ connection: PostgresConnection, epoch: UInt64) {
        self.connection = connection
        self.epoch = epoch
        // Not the lease itself: a lease that nobody has any more ends.
        heartbeat = Task { [connection] in
            while !Task.isCancelled, await Self.isAlive(connection) {
                // Only fails if it is cancelled, which ends the loop.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    deinit {
        heartbeat?.cancel()
        connection.interrupt()
    }

    /// Asks the server each time: a hanging process finds its lease lost when it goes on.
    var isHeld: Bool {
        get async { await Self.isAlive(connection) }
    }

    func release() async {
        heartbeat?.cancel()
        await connection.perform { connection in connection.releaseWatch() }
    }

    private static func isAlive(_ connection: PostgresConnection) async -> Bool {
        guard connection.isUsable else { return false }
        return await connection.perform { connection in connection.keepWatch() }
    }
}

extension PostgresConnection {
    /// Tries to get the lock of the watch; false: another instance has it.
    fileprivate func takeWatch() throws(PostgresFailure) -> Bool {
        try run(
            script: """
                BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
                SET LOCAL statement_timeout = '2s';
                SET LOCAL idle_in_transaction_session_timeout = '3s'
                """,
            within: Self.watchLimit
        )
        let isTaken = try query(
            PostgresStatement("SELECT pg_try_advisory_xact_lock(7234320727777045506)"),
            within: Self.watchLimit
        ).boolean(0, 0)
        if !isTaken { try run(script: "ROLLBACK", within: Self.watchLimit) }
        return isTaken
    }

    /// Speaks to the server, which has the lock as long as it answers.
    fileprivate func keepWatch() -> Bool {
        do throws(PostgresFailure) {
            try run(script: "SELECT 1", within: Self.watchLimit)
            return true
        } catch {
            close()
            return false
        }
    }

    fileprivate func releaseWatch() {
        // Closing gives it up too; without an answer the server does so soon.
        try? run(script: "ROLLBACK", within: Self.watchLimit)
        close()
    }

    private static let watchLimit = Duration.seconds(2)
}
