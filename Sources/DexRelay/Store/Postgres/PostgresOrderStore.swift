package import Ethereum
package import Logging
import PostgresClient
import Synchronization
package import ZeroEx

/// A relay's orders in PostgreSQL, for any number of instances.
///
/// Every change gets its number under one lock, so that numbers become visible in order. While the
/// server cannot be reached, every call fails at once with `.unavailable`.
package final class PostgresOrderStore: OrderStore {
    private let place: String
    private let address: PostgresAddress
    private let pool: PostgresPool
    private let listener: PostgresListener
    private let logger: Logger
    private let counts = Mutex(StoreStatistics())
    private let watchCandidate: PostgresWatchCandidate

    /// Connects, makes the tables if there are none, and begins to listen for changes.
    ///
    /// - Parameters:
    ///   - address: `postgres://USER@HOST:PORT/DATABASE`, without a password.
    ///   - password: without the end of its file's line; nil leaves it to libpq.
    ///   - patience: the longest that each answer of the server may take.
    /// - Throws: `OrderStoreError.unusable` if trying again cannot help, else `.unavailable`.
    package static func open(
        _ address: String,
        password: String?,
        patience: Duration = .seconds(5),
        logger: Logger
    ) async throws(OrderStoreError) -> PostgresOrderStore {
        var place = "PostgreSQL"
        do throws(PostgresFailure) {
            let address = try PostgresAddress(address, password: password)
            place = address.description
            let connection = try await PostgresConnection.open(
                address,
                preparesStatements: false,
                within: patience
            )
            try await connection.interruptible { connection throws(PostgresFailure) in
                try PostgresSchema.prepare(on: connection)
            }
            let hearsNotifications = try await PostgresListener.test(
                address,
                sender: connection,
                patience: patience
            )
            await connection.close()
            if !hearsNotifications {
                logger.warning(
                    """
                    \(place) does not pass notifications on, as a connection pooler in transaction \
                    mode. Changes of other instances are read every 500 ms. Connect to the server \
                    itself, or let the pooler give each client a session.
                    """
                )
            }
            return PostgresOrderStore(address, hearsNotifications, logger)
        } catch {
            throw Self.error(error, place)
        }
    }

    private init(_ address: PostgresAddress, _ hearsNotifications: Bool, _ logger: Logger) {
        let place = address.description
        self.place = place
        self.address = address
        self.logger = logger
        let pool = PostgresPool(address, preparesStatements: hearsNotifications) { failure in
            if let failure {
                logger.warning("\(place) cannot be reached: \(failure)")
            } else {
                logger.notice("\(place) is reached again")
            }
        }
        self.pool = pool
        listener = PostgresListener(
            address,
            pool: pool,
            interval: hearsNotifications ? .seconds(1) : .milliseconds(500)
        )
        watchCandidate = PostgresWatchCandidate(address, logger: logger)
        listener.start()
    }

    deinit {
        listener.stop()
    }

    private static func error(_ failure: PostgresFailure, _ place: String) -> OrderStoreError {
        switch failure {
        case .unusable(let reason): .unusable(place: place, reason: reason)
        default: .unavailable(reason: failure.description)
        }
    }

    // MARK: Orders

    package func commit(
        _ batch: OrderBatch,
        now: UInt64
    ) async throws(OrderStoreError) -> [OrderChange] {
        let outcome = try await timed(\.commits) { pool throws(PostgresFailure) in
            // To its end, even if the caller's task is cancelled meanwhile.
            try await pool.use(endsWithTask: false) { connection throws(PostgresFailure) in
                try connection.commit(batch, now: now)
            }
        }
        switch outcome {
        case .done(let changes): return changes
        case .unknown(let changes, let failure):
            return try await settle(changes, failure)
        case .superseded: throw .superseded
        }
    }

    /// Finds out what became of a commit whose connection broke.
    private func settle(
        _ changes: [OrderChange],
        _ failure: PostgresFailure
    ) async throws(OrderStoreError) -> [OrderChange] {
        let isWritten: Bool?
        do throws(PostgresFailure) {
            isWritten = try await pool.use(endsWithTask: false) {
                connection throws(PostgresFailure) in
                try connection.holds(changes)
            }
        } catch {
            throw .unknown(reason: failure.description)
        }
        switch isWritten {
        case true?: return changes
        case false?: throw .unavailable(reason: failure.description)
        case nil: throw .unknown(reason: failure.description)
        }
    }

    package func changes(
        after number: UInt64,
        limit: Int
    ) async throws(OrderStoreError) -> [OrderChange]? {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use { connection throws(PostgresFailure) in
                try connection.changes(after: number, limit: limit)
            }
        }
    }

    package func load(
        goneSince: UInt64,
        _ row: (ListedOrder) -> Void
    ) async throws(OrderStoreError) -> StoreHead {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            // A connection that turns out to be broken breaks before the first row.
            let (lease, head) = try await pool.begin { connection throws(PostgresFailure) in
                try connection.beginLoad()
            }
            let connection = lease.connection
            do throws(PostgresFailure) {
                let touched = head.position?.touched ?? []
                var last: UInt64? = 0
                while let after = last {
                    let part = try await connection.interruptible {
                        connection throws(PostgresFailure) in
                        try connection.nextOrders(
                            after: after,
                            goneSince: goneSince,
                            touched: touched
                        )
                    }
                    for order in part.orders { row(order) }
                    last = part.last
                }
                try await connection.interruptible { connection throws(PostgresFailure) in
                    try connection.endLoad()
                }
                await pool.giveBack(lease, after: nil)
                return head
            } catch {
                // Its transaction goes with it.
                await connection.close()
                await pool.giveBack(lease, after: error)
                throw error
            }
        }
    }

    package func watched() async throws(OrderStoreError) -> WatchedState {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use { connection throws(PostgresFailure) in try connection.watched() }
        }
    }

    package func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws(OrderStoreError) -> [ListedOrder] {
        try await timed(\.reads) { pool throws(PostgresFailure) in
            try await pool.use { connection throws(PostgresFailure) in
                try connection.unshown(of: maker, version)
            }
        }
    }

    package func prune(before: UInt64) async throws(OrderStoreError) {
        // In parts, so that commits of all instances go on between them.
        var isLeft = true
        while isLeft {
            isLeft = try await timed(\.commits) { pool throws(PostgresFailure) in
                try await pool.use { connection throws(PostgresFailure) in
                    try connection.pruneSome(before: before)
                }
            }
        }
    }

    // MARK: Other instances

    package func wakeUps() -> AsyncStream<StoreWakeUp> {
        listener.wakeUps()
    }

    package var moderation: (any SharedModeration)? { self }

    package var sharedKeys: (any SharedKeys)? { self }

    package func operatorWakeUps() -> AsyncStream<Void> {
        listener.operatorWakeUps()
    }

    package func takeWatch() async throws(OrderStoreError) -> (any WatchLease)? {
        do throws(PostgresFailure) {
            return try await watchCandidate.take { [pool] () async throws(PostgresFailure) in
                try await pool.use(endsWithTask: false) { connection throws(PostgresFailure) in
                    try connection.beginEpoch()
                }
            }
        } catch {
            throw Self.error(error, place)
        }
    }

    // MARK: The rest

    package var statistics: StoreStatistics {
        var statistics = counts.withLock { $0 }
        statistics.isReachable = pool.isReachable
        return statistics
    }

    package func close() async throws(OrderStoreError) {
        listener.stop()
        await watchCandidate.close()
        await pool.close()
    }

    func timed<Value>(
        _ histogram: WritableKeyPath<StoreStatistics, Histogram>,
        _ work: (PostgresPool) async throws(PostgresFailure) -> Value
    ) async throws(OrderStoreError) -> Value {
        let start = ContinuousClock.now
        do throws(PostgresFailure) {
            let value = try await work(pool)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            counts.withLock { $0[keyPath: histogram].add(seconds: seconds) }
            return value
        } catch {
            counts.withLock { $0.failures += 1 }
            throw Self.error(error, place)
        }
    }
}
