import Ethereum
import FoundationEssentials
import GRDB
import ZeroEx

/// The statements of one transaction that writes a batch.
struct SQLiteCommit {
    private let database: Database
    private let now: UInt64
    private var insert: OrderStatement
    private var noting: OrderStatement
    private let hasHead: Bool
    private var number: UInt64
    private var sequences: [MarketKey: UInt64] = [:]
    private var changes: [OrderChange] = []

    init(_ database: Database, now: UInt64) throws {
        self.database = database
        self.now = now
        let head = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM head")
        )
        hasHead = head != nil
        number = UInt64(clamping: head ?? 0)
        insert = try OrderStatement(
            """
            INSERT INTO orders (
                hash, maker, maker_token, taker_token, fillable, protocol, body, received_at, state,
                is_partly_filled, since, change, was_hidden
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING
            """,
            in: database
        )
        noting = try OrderStatement(
            """
            INSERT INTO changes (
                number, order_id, pair_sequence, fillable, state, is_partly_filled, since,
                previous, committed_at, was_hidden
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            in: database
        )
    }

    mutating func add(_ order: ListedOrder) throws {
        if try write(order) {
            try note(order, id: database.lastInsertedRowID, previous: nil)
        } else if let old = try stored(order.hash), old.order.state.isGone {
            try database.cachedStatement(
                sql: """
                    UPDATE orders SET body = ?, received_at = ?, state = ?, fillable = ?,
                        is_partly_filled = ?, since = ?, change = ?, was_hidden = ? WHERE id = ?
                    """
            ).execute(arguments: [
                String(decoding: order.body, as: UTF8.self), Int64(clamping: order.receivedAt),
                order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
                order.standing.isPartlyFilled, Int64(clamping: order.since),
                Int64(clamping: number + 1), order.wasHidden, old.id,
            ])
            try note(order, id: old.id, previous: old.order.state)
        }
    }

    /// - Returns: false if there is an order of this hash already.
    private mutating func write(_ order: ListedOrder) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 5 * 32, alignment: 8) { words in
            var end = 0
            func lend(_ word: Bytes32, _ count: Int = 32) {
                let place = UnsafeMutableRawBufferPointer(rebasing: words[end..<end + count])
                word.withUnsafeBytes { place.copyMemory(from: .init(rebasing: $0.suffix(count))) }
                insert.bind(blob: UnsafeRawBufferPointer(place))
                end += count
            }
            lend(order.hash.word)
            lend(order.maker.word, 20)
            lend(order.direction.makerToken.word, 20)
            lend(order.direction.takerToken.word, 20)
            lend(order.standing.fillable.word)
            insert.bind(copying: order.version.rawValue)
            return try order.body.withUnsafeBytes { body in
                insert.bind(text: body)
                insert.bind(order.receivedAt)
                insert.bind(copying: order.state.rawValue)
                insert.bind(order.standing.isPartlyFilled)
                insert.bind(order.since)
                insert.bind(number + 1)
                insert.bind(order.wasHidden)
                return try insert.run() == 1
            }
        }
    }

    mutating func update(_ update: OrderBatch.Update) throws {
        guard let old = try stored(update.hash) else { return }
        var order = old.order
        let previous = order.state
        guard order.take(update, at: now) else { return }
        try database.cachedStatement(
            sql: """
                UPDATE orders SET state = ?, fillable = ?, is_partly_filled = ?, since = ?,
                    change = ?, was_hidden = ? WHERE id = ?
                """
        ).execute(arguments: [
            order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
            order.standing.isPartlyFilled, Int64(clamping: order.since),
            Int64(clamping: number + 1), order.wasHidden, old.id,
        ])
        try note(order, id: old.id, previous: previous)
    }

    func move(to position: WatchPosition) throws {
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

    /// Writes the last numbers.
    func finish() throws -> [OrderChange] {
        guard !changes.isEmpty else { return [] }
        try database.cachedStatement(
            sql: hasHead
                ? "UPDATE head SET number = ?"
                : "INSERT INTO head (id, number, pruned) VALUES (1, ?, 0)"
        ).execute(arguments: [Int64(clamping: number)])
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO sequences (protocol, token_a, token_b, sequence) VALUES (?, ?, ?, ?)
                ON CONFLICT (protocol, token_a, token_b) DO UPDATE SET sequence = excluded.sequence
                """
        )
        for (market, sequence) in sequences {
            try statement.execute(arguments: [
                market.version.rawValue, Data(market.pair.makerToken.bytes),
                Data(market.pair.takerToken.bytes), Int64(clamping: sequence),
            ])
        }
        return changes
    }

    private func stored(_ hash: OrderHash) throws -> (id: Int64, order: ListedOrder)? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(SQLiteOrderStore.columns), id FROM orders WHERE hash = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [Data(hash.word.bytes)]),
            let order = try ListedOrder(row)
        else { return nil }
        return (row[13], order)
    }

    /// Writes a change of a stored order.
    private mutating func note(_ order: ListedOrder, id: Int64, previous: ListingState?) throws {
        number += 1
        var order = order
        order.change = number
        let market = MarketKey(version: order.version, pair: order.direction)
        let sequence = try (sequences[market] ?? lastSequence(of: market)) + 1
        sequences[market] = sequence
        noting.bind(number)
        noting.bind(id)
        noting.bind(sequence)
        try withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { fillable in
            order.standing.fillable.word.withUnsafeBytes { fillable.copyMemory(from: $0) }
            noting.bind(blob: UnsafeRawBufferPointer(fillable))
            noting.bind(copying: order.state.rawValue)
            noting.bind(order.standing.isPartlyFilled)
            noting.bind(order.since)
            noting.bind(copying: previous?.rawValue)
            noting.bind(now)
            noting.bind(order.wasHidden)
            try noting.run()
        }
        changes.append(
            OrderChange(number: number, pairSequence: sequence, order: order, previous: previous)
        )
    }

    private func lastSequence(of market: MarketKey) throws -> UInt64 {
        let statement = try database.cachedStatement(
            sql: """
                SELECT sequence FROM sequences
                WHERE protocol = ? AND token_a = ? AND token_b = ?
                """
        )
        let last = try Int64.fetchOne(
            statement,
            arguments: [
                market.version.rawValue, Data(market.pair.makerToken.bytes),
                Data(market.pair.takerToken.bytes),
            ]
        )
        return UInt64(clamping: last ?? 0)
    }
}
