import Ethereum
import FoundationEssentials
import GRDB
import ZeroEx

/// The statements of one transaction that writes a batch.
struct SQLiteCommit {
    private let database: Database
    private let known: SQLiteOrderRows

    /// - Parameter known: the rows that the file has.
    init(_ database: Database, _ known: SQLiteOrderRows) {
        self.database = database
        self.known = known
    }

    /// Writes what `BatchPlan` decides.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: the changes, and the rows that were added.
    func write(
        _ batch: OrderBatch,
        now: UInt64
    ) throws -> (changes: [OrderChange], added: [OrderHash: Int64]) {
        let head = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM head")
        )
        let plan = BatchPlan(
            batch,
            stored: try stored(batch),
            last: UInt64(clamping: head ?? 0),
            now: now
        )
        if let position = batch.position { try move(to: position) }
        guard let last = plan.changes.last?.order.change else { return ([], [:]) }
        // In the order of their numbers, so that new rows go to the table's end.
        let added = try write(plan.written.values.sorted { $0.change < $1.change })
        try update(plan.updated.values)
        try database.cachedStatement(
            sql: """
                INSERT INTO head (id, number) VALUES (1, ?1)
                ON CONFLICT (id) DO UPDATE SET number = ?1
                """
        ).execute(arguments: [Int64(clamping: last)])
        return (try numbered(plan), added)
    }

    /// The stored ones of the orders that a batch names.
    private func stored(_ batch: OrderBatch) throws -> [OrderHash: ListedOrder] {
        var stored: [OrderHash: ListedOrder] = [:]
        func read(_ hash: OrderHash) throws {
            guard stored[hash] == nil, let id = known[hash] else { return }
            let statement = try database.cachedStatement(
                sql: "SELECT \(SQLiteOrderStore.columns) FROM orders WHERE id = ?"
            )
            guard let row = try Row.fetchOne(statement, arguments: [id]),
                let order = try ListedOrder(row), order.hash == hash
            else { return }
            stored[hash] = order
        }
        for order in batch.added { try read(order.hash) }
        for update in batch.updated { try read(update.hash) }
        return stored
    }

    /// Writes whole rows; an order that is back keeps its place in the table.
    ///
    /// - Returns: the rows that are new.
    private func write(_ orders: [ListedOrder]) throws -> [OrderHash: Int64] {
        var added: [OrderHash: Int64] = [:]
        var insertion = try OrderStatement(
            """
            REPLACE INTO orders (
                id, hash, maker, maker_token, taker_token, fillable, protocol, body, received_at,
                state, is_partly_filled, since, change, was_hidden
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            in: database
        )
        for order in orders {
            // No two orders have a change of the same number.
            let id = known[order.hash] ?? Int64(clamping: order.change)
            try insertion.write(order, id: id)
            if known[order.hash] == nil { added[order.hash] = id }
        }
        return added
    }

    /// Writes the states of orders whose rows stay.
    private func update(_ orders: some Sequence<ListedOrder>) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE orders SET state = ?, fillable = ?, is_partly_filled = ?, since = ?,
                    change = ?, was_hidden = ?
                WHERE id = ?
                """
        )
        for order in orders {
            try statement.execute(arguments: [
                order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
                order.standing.isPartlyFilled, Int64(clamping: order.since),
                Int64(clamping: order.change), order.wasHidden, known[order.hash],
            ])
        }
    }

    /// Counts each market's sequence on.
    private func numbered(_ plan: BatchPlan) throws -> [OrderChange] {
        let read = try database.cachedStatement(
            sql: """
                SELECT sequence FROM sequences
                WHERE protocol = ? AND token_a = ? AND token_b = ?
                """
        )
        let write = try database.cachedStatement(
            sql: """
                INSERT INTO sequences (protocol, token_a, token_b, sequence) VALUES (?, ?, ?, ?)
                ON CONFLICT (protocol, token_a, token_b) DO UPDATE SET sequence = excluded.sequence
                """
        )
        var sequences: [MarketKey: UInt64] = [:]
        for (market, count) in plan.counts {
            let key: StatementArguments = [
                market.version.rawValue, Data(market.pair.makerToken.bytes),
                Data(market.pair.takerToken.bytes),
            ]
            let last = UInt64(clamping: try Int64.fetchOne(read, arguments: key) ?? 0)
            sequences[market] = last
            try write.execute(arguments: key + [Int64(clamping: last + UInt64(count))])
        }
        return plan.numbered(from: sequences)
    }

    private func move(to position: WatchPosition) throws {
        try database.execute(sql: "DELETE FROM position")
        let insert = try database.cachedStatement(
            sql:
                "INSERT INTO position (ordinal, number, hash, time, touched) VALUES (?, ?, ?, ?, ?)"
        )
        for (ordinal, step) in position.steps.enumerated() {
            try insert.execute(arguments: [
                ordinal, Int64(clamping: step.number), Data(step.hash.word.bytes),
                Int64(clamping: step.time), Data(step.touched.flatMap(\.word.bytes)),
            ])
        }
    }
}

extension OrderStatement {
    /// Writes the row of an order.
    fileprivate mutating func write(_ order: ListedOrder, id: Int64) throws {
        try withUnsafeTemporaryAllocation(byteCount: 5 * 32, alignment: 8) { words in
            var end = 0
            func lend(_ word: Bytes32, _ count: Int = 32) {
                let place = UnsafeMutableRawBufferPointer(rebasing: words[end..<end + count])
                word.withUnsafeBytes { place.copyMemory(from: .init(rebasing: $0.suffix(count))) }
                bind(blob: UnsafeRawBufferPointer(place))
                end += count
            }
            bind(id)
            lend(order.hash.word)
            lend(order.maker.word, 20)
            lend(order.direction.makerToken.word, 20)
            lend(order.direction.takerToken.word, 20)
            lend(order.standing.fillable.word)
            bind(copying: order.version.rawValue)
            try order.body.withUnsafeBytes { body in
                bind(text: body)
                bind(order.receivedAt)
                bind(copying: order.state.rawValue)
                bind(order.standing.isPartlyFilled)
                bind(order.since)
                bind(order.change)
                bind(order.wasHidden)
                try run()
            }
        }
    }
}
