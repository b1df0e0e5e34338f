import Ethereum
import PostgresClient
import ZeroEx

/// What grows with every change that instances wait for.
struct StoreMarks: Hashable, Sendable {
    /// The number of the last change.
    var number: UInt64
    /// Grows with what the operator changes.
    var revision: UInt64
}

/// Reading a relay's orders and their changes.
extension PostgresConnection {
    /// What the listener compares.
    func marks(within time: Duration) throws(PostgresFailure) -> StoreMarks {
        let rows = try query(
            PostgresStatement(
                "SELECT number, (SELECT revision FROM dex_relay.operator) FROM dex_relay.head"
            ),
            within: time
        )
        guard rows.count == 1 else { throw .malformed }
        return StoreMarks(number: try rows.natural(0, 0), revision: try rows.natural(0, 1))
    }

    /// The number of the last change.
    func headNumber(within time: Duration) throws(PostgresFailure) -> UInt64 {
        let head = try query(
            PostgresStatement("SELECT number FROM dex_relay.head"),
            within: time
        )
        guard head.count == 1 else { throw .malformed }
        return try head.natural(0, 0)
    }

    /// nil: changes after that number are deleted, or the store is older than the number, as after
    /// an administrator restored a copy.
    func changes(
        after number: UInt64,
        limit: Int
    ) throws(PostgresFailure) -> [OrderChange]? {
        let after = Int64(clamping: number)
        let rows = try query(
            Self.readChanges,
            [.integer(after), .integer(Int64(clamping: limit))],
            within: Self.timeLimit
        )
        guard rows.count > 0 else { throw .malformed }
        let (last, pruned) = (try rows.integer(0, 0), try rows.integer(0, 1))
        guard pruned <= after, after <= last else { return nil }
        var changes: [OrderChange] = []
        for row in 0..<rows.count where try !rows.isNull(row, 2) {
            guard let order = try rows.order(row, from: 2) else { continue }
            changes.append(
                OrderChange(
                    number: order.change,
                    pairSequence: try rows.natural(row, 15),
                    order: order,
                    previous: try rows.stateIfAny(row, 16)
                )
            )
        }
        return changes
    }

    /// One statement, so that all of it is read at one moment.
    private static let readChanges = PostgresStatement(
        """
        SELECT head.number, head.pruned, n.*
        FROM dex_relay.head LEFT JOIN LATERAL (
            SELECT o.hash, o.protocol, o.maker, o.maker_token, o.taker_token, o.body,
                o.received_at, c.state, c.fillable, c.is_partly_filled, c.since, c.number,
                c.was_hidden, c.pair_sequence, c.previous
            FROM (
                SELECT * FROM dex_relay.changes WHERE number > $1::bigint
                ORDER BY number LIMIT $2::bigint
            ) AS c
            JOIN dex_relay.orders o ON o.hash = c.hash
        ) AS n ON true
        ORDER BY n.number
        """
    )

    /// Begins to read everything at one moment; `nextOrders` and `endLoad` follow.
    func beginLoad() throws(PostgresFailure) -> StoreHead {
        try run(
            script: """
                BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
                SET LOCAL statement_timeout = '30s';
                SET LOCAL idle_in_transaction_session_timeout = '60s'
                """,
            within: Self.loadLimit
        )
        let number = try headNumber(within: Self.loadLimit)
        let sequences = try query(
            PostgresStatement(
                "SELECT protocol, token_a, token_b, sequence FROM dex_relay.sequences"
            ),
            within: Self.loadLimit
        ).sequences()
        return StoreHead(number: number, sequences: sequences, position: try position())
    }

    /// The next orders of a load, in the order of their last change; empty at the end.
    ///
    /// - Parameter touched: are given whenever they ended.
    func nextOrders(
        after change: UInt64,
        goneSince: UInt64,
        touched: Set<OrderHash>
    ) throws(PostgresFailure) -> (orders: [ListedOrder], last: UInt64?) {
        let rows = try query(
            Self.readOrders,
            [
                .integer(Int64(clamping: change)), .integer(Int64(clamping: goneSince)),
                .bytesArray(touched.map(\.word.bytes)),
            ],
            within: Self.loadLimit
        )
        guard rows.count > 0 else { return ([], nil) }
        return (try rows.orders(), try rows.natural(rows.count - 1, 11))
    }

    func endLoad() throws(PostgresFailure) {
        try run(script: "COMMIT", within: Self.loadLimit)
    }

    private static let readOrders = PostgresStatement(
        """
        SELECT \(PostgresRows.orderColumns) FROM dex_relay.orders o
        WHERE o.change > $1::bigint AND (
            o.state NOT IN ('filled', 'cancelled', 'expired', 'removed') OR o.since >= $2::bigint
            OR o.hash IN (SELECT unnest($3::bytea[]))
        )
        ORDER BY o.change LIMIT 2000
        """
    )

    private static let loadLimit = Duration.seconds(31)

    private func position() throws(PostgresFailure) -> WatchPosition? {
        let rows = try query(
            PostgresStatement(
                "SELECT number, hash, time, touched FROM dex_relay.position ORDER BY ordinal"
            ),
            within: Self.loadLimit
        )
        var steps: [WatchPosition.Step] = []
        for row in 0..<rows.count {
            let touched = try rows.bytes(row, 3)
            let starts = stride(from: 0, to: touched.count, by: 32)
            steps.append(
                WatchPosition.Step(
                    number: try rows.natural(row, 0),
                    hash: BlockHash(try rows.word(row, 1)),
                    time: try rows.natural(row, 2),
                    touched: starts.compactMap { start in
                        Bytes32(bytes: touched.dropFirst(start).prefix(32)).map { OrderHash($0) }
                    }
                )
            )
        }
        return steps.isEmpty ? nil : WatchPosition(steps: steps)
    }

    /// The watcher's position, and the ended orders that it names; those are never deleted.
    func watched() throws(PostgresFailure) -> WatchedState {
        let position = try position()
        let rows = try query(
            Self.readEnded,
            [.bytesArray((position?.touched ?? []).map(\.word.bytes))],
            within: Self.loadLimit
        )
        return WatchedState(position: position, ended: try rows.orders())
    }

    private static let readEnded = PostgresStatement(
        """
        SELECT \(PostgresRows.orderColumns) FROM dex_relay.orders o
        WHERE o.hash = ANY ($1::bytea[])
            AND o.state IN ('filled', 'cancelled', 'expired', 'removed')
        """
    )

    func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) throws(PostgresFailure) -> [ListedOrder] {
        try query(
            Self.readUnshown,
            [.text(version.rawValue), .bytes(maker.bytes)],
            within: Self.timeLimit
        ).orders()
    }

    private static let readUnshown = PostgresStatement(
        """
        SELECT \(PostgresRows.orderColumns) FROM dex_relay.orders o
        WHERE o.protocol = $1::text AND o.maker = $2::bytea AND o.state <> 'shown'
        ORDER BY o.since DESC, o.change DESC LIMIT 1000
        """
    )
}
