package import Ethereum
import FoundationEssentials
import GRDB
import Synchronization
package import ZeroEx

/// Reading orders and their changes.
extension SQLiteOrderStore {
    /// What `ListedOrder(_:)` reads.
    static let columns = """
        hash, protocol, maker, maker_token, taker_token, body, received_at, state, fillable, \
        is_partly_filled, since, change, was_hidden
        """

    package func changes(
        after number: UInt64,
        limit: Int
    ) async throws(OrderStoreError) -> [OrderChange]? {
        try checkIsOpen()
        return recent.withLock { $0.after(number, limit: limit) }
    }

    package func load(
        goneSince: UInt64,
        _ row: (ListedOrder) -> Void
    ) async throws(OrderStoreError) -> StoreHead {
        let (orders, head) = try await read { [rows] database in
            let stored = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(Self.columns) FROM orders
                    WHERE NOT (\(SQLiteOrderSchema.ended)) OR since >= ?
                    """,
                arguments: [Int64(clamping: goneSince)]
            )
            var orders: [ListedOrder] = []
            orders.reserveCapacity(
                try Int.fetchOne(database, sql: "SELECT count(*) FROM orders") ?? 0
            )
            while let row = try stored.next() {
                if let order = try ListedOrder(row) { orders.append(order) }
            }
            let head = try Self.head(database)
            orders += try Self.ended(head.position, before: goneSince, rows, database)
            // Sorted here, since SQLite would sort the bodies on disk.
            orders.sort { $0.change < $1.change }
            return (orders, head)
        }
        for order in orders { row(order) }
        return head
    }

    package func watched() async throws(OrderStoreError) -> WatchedState {
        try await read { [rows] database in
            let position = try Self.position(database)
            return WatchedState(
                position: position,
                ended: try Self.ended(position, before: .max, rows, database)
            )
        }
    }

    /// The orders that a position names and that ended before a time, in seconds since 1970.
    private static func ended(
        _ position: WatchPosition?,
        before time: UInt64,
        _ rows: SQLiteOrderRows,
        _ database: Database
    ) throws -> [ListedOrder] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(columns) FROM orders
                WHERE id = ? AND \(SQLiteOrderSchema.ended) AND since < ?
                """
        )
        return try (position?.touched ?? []).compactMap { hash in
            guard let id = rows[hash] else { return nil }
            return try Row.fetchOne(statement, arguments: [id, Int64(clamping: time)])
                .flatMap { try ListedOrder($0) }
        }
    }

    package func unshown(
        of maker: Address,
        _ version: ProtocolVersion
    ) async throws(OrderStoreError) -> [ListedOrder] {
        try await read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(Self.columns) FROM orders
                    WHERE protocol = ? AND maker = ? AND state <> 'shown'
                    ORDER BY since DESC, change DESC LIMIT ?
                    """,
                arguments: [version.rawValue, Data(maker.bytes), Self.maximumUnshown]
            )
            var orders: [ListedOrder] = []
            while let row = try rows.next() {
                if let order = try ListedOrder(row) { orders.append(order) }
            }
            return orders
        }
    }

    private static func head(_ database: Database) throws -> StoreHead {
        var sequences: [MarketKey: UInt64] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT protocol, token_a, token_b, sequence FROM sequences"
        )
        while let row = try rows.next() {
            let version: String = row[0]
            let sequence: Int64 = row[3]
            guard let version = ProtocolVersion(rawValue: version),
                let tokenA = Address(bytes: try row.bytes(1)),
                let tokenB = Address(bytes: try row.bytes(2))
            else { continue }
            let pair = PairDirection(makerToken: tokenA, takerToken: tokenB)
            sequences[MarketKey(version: version, pair: pair)] = UInt64(clamping: sequence)
        }
        let number = try Int64.fetchOne(database, sql: "SELECT number FROM head") ?? 0
        return StoreHead(
            number: UInt64(clamping: number),
            sequences: sequences,
            position: try position(database)
        )
    }

    static func position(_ database: Database) throws -> WatchPosition? {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT number, hash, time, touched FROM position ORDER BY ordinal"
        )
        var steps: [WatchPosition.Step] = []
        while let row = try rows.next() {
            let number: Int64 = row[0]
            let time: Int64 = row[2]
            guard let hash = Bytes32(bytes: try row.bytes(1)) else { return nil }
            steps.append(
                WatchPosition.Step(
                    number: UInt64(clamping: number),
                    hash: BlockHash(hash),
                    time: UInt64(clamping: time),
                    touched: try row.bytes(3).chunks(of: 32)
                        .compactMap { Bytes32(bytes: $0).map(OrderHash.init) }
                )
            )
        }
        return steps.isEmpty ? nil : WatchPosition(steps: steps)
    }
}

extension ListedOrder {
    /// An order of a row that begins with the store's columns, in their order.
    ///
    /// nil if its version is not known to this program. Columns are read by their place: finding
    /// their names would take longer than the rest of a start.
    init?(_ row: Row) throws {
        let version: String = row[1]
        let receivedAt: Int64 = row[6]
        let state: String = row[7]
        let since: Int64 = row[10]
        let change: Int64 = row[11]
        guard let version = ProtocolVersion(rawValue: version),
            let state = ListingState(rawValue: state),
            let hash = try row.hash(0),
            let maker = Address(bytes: try row.bytes(2)),
            let makerToken = Address(bytes: try row.bytes(3)),
            let takerToken = Address(bytes: try row.bytes(4)),
            let fillable = UInt256(bigEndian: try row.bytes(8))
        else { return nil }
        self.init(
            hash: hash,
            version: version,
            maker: maker,
            direction: PairDirection(makerToken: makerToken, takerToken: takerToken),
            body: try row.bytes(5),
            receivedAt: UInt64(clamping: receivedAt),
            state: state,
            standing: OrderStanding(fillable: fillable, isPartlyFilled: row[9]),
            since: UInt64(clamping: since),
            change: UInt64(clamping: change),
            wasHidden: row[12]
        )
    }
}
