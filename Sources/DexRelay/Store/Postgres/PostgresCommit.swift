import Ethereum
import PostgresClient
import ZeroEx

/// What became of a commit whose COMMIT was sent.
enum CommitOutcome: Sendable {
    case done([OrderChange])
    /// The connection broke before the answer came.
    case unknown([OrderChange], PostgresFailure)
    /// Nothing was written: another watcher's lease has begun.
    case superseded
}

/// Writing a batch, under the lock of the numbers.
///
/// Whoever has the lock has also seen every earlier change, and the lock ends with the transaction:
/// so numbers become visible in order.
extension PostgresConnection {
    /// Writes a batch in one transaction.
    ///
    /// - Throws: `PostgresFailure`; then nothing was written.
    func commit(_ batch: OrderBatch, now: UInt64) throws(PostgresFailure) -> CommitOutcome {
        try lock()
        let changes: [OrderChange]
        do throws(PostgresFailure) {
            guard let written = try write(batch, now: now) else {
                try run(script: "ROLLBACK", within: Self.timeLimit)
                return .superseded
            }
            if written.isEmpty, batch.position == nil {
                try run(script: "ROLLBACK", within: Self.timeLimit)
                return .done([])
            }
            changes = written
        } catch {
            try rollBack(after: error)
            throw error
        }
        do throws(PostgresFailure) {
            try run(script: "COMMIT", within: Self.timeLimit)
        } catch {
            guard error.isFatal else { throw error }
            return .unknown(changes, error)
        }
        return .done(changes)
    }

    /// Finds out whether changes were written, after their commit's connection broke.
    ///
    /// - Returns: nil if that cannot be told, since they would be deleted already.
    func holds(_ changes: [OrderChange]) throws(PostgresFailure) -> Bool? {
        guard let first = changes.first, let last = changes.last else { return nil }
        // The lost transaction has ended if its lock can be had.
        try lock()
        let head: PostgresRows
        let found: [OrderChange]?
        do throws(PostgresFailure) {
            head = try query(
                PostgresStatement("SELECT number FROM dex_relay.head"),
                within: Self.timeLimit
            )
            found = try self.changes(after: first.number - 1, limit: changes.count)
            try run(script: "ROLLBACK", within: Self.timeLimit)
        } catch {
            try rollBack(after: error)
            throw error
        }
        guard head.count == 1, let found else { return nil }
        guard try head.natural(0, 0) >= last.number else { return false }
        return found.map(Trace.init) == changes.map(Trace.init)
    }

    /// What tells a change from any other; an order's body may be another's by now.
    private struct Trace: Equatable {
        let number, sequence, since: UInt64
        let hash: OrderHash
        let state: ListingState
        let standing: OrderStanding
        let previous: ListingState?

        init(_ change: OrderChange) {
            number = change.number
            sequence = change.pairSequence
            since = change.order.since
            hash = change.order.hash
            state = change.order.state
            standing = change.order.standing
            previous = change.previous
        }
    }

    /// Begins the next watcher's epoch, behind every commit that has the lock already.
    func beginEpoch() throws(PostgresFailure) -> UInt64 {
        try lock()
        do throws(PostgresFailure) {
            let rows = try query(Self.raiseEpoch, within: Self.timeLimit)
            guard rows.count == 1 else { throw .malformed }
            let epoch = try rows.natural(0, 0)
            try run(script: "COMMIT", within: Self.timeLimit)
            return epoch
        } catch {
            try rollBack(after: error)
            throw error
        }
    }

    /// Deletes at most 5,000 changes, and orders, that ended before a time.
    ///
    /// - Returns: false if nothing is left to delete.
    func pruneSome(before: UInt64) throws(PostgresFailure) -> Bool {
        try lock()
        do throws(PostgresFailure) {
            let before = PostgresValue.integer(Int64(clamping: before))
            let changes = try query(Self.pruneChanges, [before], within: Self.timeLimit)
            let orders = try query(Self.pruneOrders, [before], within: Self.timeLimit)
            try run(script: "COMMIT", within: Self.timeLimit)
            return changes.count > 0 || orders.count > 0
        } catch {
            try rollBack(after: error)
            throw error
        }
    }

    /// Begins a transaction and waits for the lock; if this process hangs, the server ends both.
    func lock() throws(PostgresFailure) {
        do throws(PostgresFailure) {
            try run(
                script: """
                    BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
                    SET LOCAL statement_timeout = '5s';
                    SET LOCAL idle_in_transaction_session_timeout = '5s';
                    SELECT set_config('synchronous_commit', 'on', true)
                        WHERE current_setting('synchronous_commit') = 'off';
                    SELECT pg_advisory_xact_lock(7234320727777045505)
                    """,
                within: Self.timeLimit
            )
        } catch {
            try rollBack(after: error)
            throw error
        }
    }

    func rollBack(after failure: PostgresFailure) throws(PostgresFailure) {
        if !failure.isFatal { try run(script: "ROLLBACK", within: Self.timeLimit) }
    }

    /// A second more than the server's own limit.
    static let timeLimit = Duration.seconds(6)

    // MARK: The statements of a commit

    /// - Returns: nil if the batch is of an earlier lease than the last one.
    private func write(
        _ batch: OrderBatch,
        now: UInt64
    ) throws(PostgresFailure) -> [OrderChange]? {
        let hashes = Set(batch.added.map(\.hash)).union(batch.updated.map(\.hash))
        let rows = try query(
            Self.readNamed,
            [.bytesArray(hashes.map(\.word.bytes))],
            within: Self.timeLimit
        )
        guard rows.count > 0 else {
            throw .refused(sqlState: "none", message: "the table dex_relay.head is empty")
        }
        if let epoch = batch.epoch, try rows.natural(0, 1) != epoch { return nil }
        var stored: [OrderHash: ListedOrder] = [:]
        for row in 0..<rows.count where try !rows.isNull(row, 2) {
            guard let order = try rows.order(row, from: 2) else { continue }
            stored[order.hash] = order
        }
        let plan = BatchPlan(batch, stored: stored, last: try rows.natural(0, 0), now: now)
        let changes = plan.changes.isEmpty ? [] : try write(plan, now: now)
        if let position = batch.position { try write(position) }
        return changes
    }

    private func write(_ plan: BatchPlan, now: UInt64) throws(PostgresFailure) -> [OrderChange] {
        let counts = Array(plan.counts)
        let last = try query(
            Self.countSequences,
            [
                .textArray(counts.map(\.key.version.rawValue)),
                .bytesArray(counts.map(\.key.pair.makerToken.bytes)),
                .bytesArray(counts.map(\.key.pair.takerToken.bytes)),
                .integerArray(counts.map { Int64(clamping: $0.value) }),
            ],
            within: Self.timeLimit
        ).sequences()
        var first = last
        for (market, count) in counts {
            guard let end = last[market], end >= UInt64(count) else { throw .malformed }
            first[market] = end - UInt64(count)
        }
        let changes = plan.numbered(from: first)
        let written = Array(plan.written.values)
        let updated = Array(plan.updated.values)
        _ = try query(
            Self.writeChanges,
            [
                .bytesArray(written.map(\.hash.word.bytes)),
                .textArray(written.map(\.version.rawValue)),
                .bytesArray(written.map(\.maker.bytes)),
                .bytesArray(written.map(\.direction.makerToken.bytes)),
                .bytesArray(written.map(\.direction.takerToken.bytes)),
                .bytesArray(written.map(\.body)),
                .integerArray(written.map { Int64(clamping: $0.receivedAt) }),
            ] + Self.standing(of: written)
                + [.bytesArray(updated.map(\.hash.word.bytes))] + Self.standing(of: updated)
                + [
                    .bytesArray(changes.map(\.order.hash.word.bytes)),
                    .integerArray(changes.map { Int64(clamping: $0.pairSequence) }),
                ] + Self.standing(of: changes.map(\.order))
                + [
                    .textArray(changes.map(\.previous?.rawValue)),
                    .integer(Int64(clamping: now)),
                    .integer(Int64(clamping: changes.last?.number ?? 0)),
                ],
            within: Self.timeLimit
        )
        return changes
    }

    /// The columns state, fillable, is_partly_filled, since, change, was_hidden.
    private static func standing(of orders: [ListedOrder]) -> [PostgresValue] {
        [
            .textArray(orders.map(\.state.rawValue)),
            .bytesArray(orders.map(\.standing.fillable.bigEndianBytes)),
            .booleanArray(orders.map(\.standing.isPartlyFilled)),
            .integerArray(orders.map { Int64(clamping: $0.since) }),
            .integerArray(orders.map { Int64(clamping: $0.change) }),
            .booleanArray(orders.map(\.wasHidden)),
        ]
    }

    private func write(_ position: WatchPosition) throws(PostgresFailure) {
        _ = try query(
            Self.writePosition,
            [
                .integerArray(position.steps.map { Int64(clamping: $0.number) }),
                .bytesArray(position.steps.map(\.hash.word.bytes)),
                .integerArray(position.steps.map { Int64(clamping: $0.time) }),
                .bytesArray(position.steps.map { $0.touched.flatMap(\.word.bytes) }),
                .integer(Int64(clamping: position.steps.count)),
            ],
            within: Self.timeLimit
        )
    }
}
