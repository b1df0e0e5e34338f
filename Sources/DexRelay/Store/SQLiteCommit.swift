import Ethereum
import FoundationEssentials
import GRDB
import ZeroEx

/// The statements of one transaction that writes a batch.
struct SQLiteCommit {
    private let database: Database
    private let known: SQLiteOrderRows
    private let now: UInt64
    /// The rows that this transaction adds.
    private(set) var added: [OrderHash: Int64] = [:]
    private var insertion: OrderStatement
    private let hasHead: Bool
    private var number: UInt64
    private var sequences: [MarketKey: UInt64] = [:]
    private var changes: [OrderChange] = []

    /// - Parameter known: the rows that the file has.
    init(_ database: Database, _ known: SQLiteOrderRows, now: UInt64) throws {
        self.database = database
        self.known = known
        self.now = now
        let head = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM head")
        )
        hasHead = head != nil
        number = UInt64(clamping: head ?? 0)
        insertion = try OrderStatement(
            """
            INSERT INTO orders (
                id, hash, maker, maker_token, taker_token, fillable, protocol, body, received_at,
                state, is_partly_filled, since, change, was_hidden, pair_sequence, committed_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            in: database
        )
    }

    mutating func add(_ order: ListedOrder) throws {
        guard let id = row(of: order.hash) else { return try insert(order) }
        guard let old = try stored(id, order.hash), old.order.state.isGone else { return }
        try keepFirstChange(of: old)
        try database.cachedStatement(
            sql: """
                UPDATE orders SET body = ?, received_at = ?, state = ?, fillable = ?,
                    is_partly_filled = ?, since = ?, change = ?, was_hidden = ?,
                    pair_sequence = NULL, committed_at = NULL WHERE id = ?
                """
        ).execute(arguments: [
            String(decoding: order.body, as: UTF8.self), Int64(clamping: order.receivedAt),
            order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
            order.standing.isPartlyFilled, Int64(clamping: order.since),
            Int64(clamping: number + 1), order.wasHidden, id,
        ])
        try note(order, id: id, previous: old.order.state)
    }

    /// Writes a new order; its row stands for the change too.
    private mutating func insert(_ order: ListedOrder) throws {
        let (number, sequence) = try nextNumbers(of: order)
        let id = Int64(clamping: number)
        try withUnsafeTemporaryAllocation(byteCount: 5 * 32, alignment: 8) { words in
            var end = 0
            func lend(_ word: Bytes32, _ count: Int = 32) {
                let place = UnsafeMutableRawBufferPointer(rebasing: words[end..<end + count])
                word.withUnsafeBytes { place.copyMemory(from: .init(rebasing: $0.suffix(count))) }
                insertion.bind(blob: UnsafeRawBufferPointer(place))
                end += count
            }
            insertion.bind(id)
            lend(order.hash.word)
            lend(order.maker.word, 20)
            lend(order.direction.makerToken.word, 20)
            lend(order.direction.takerToken.word, 20)
            lend(order.standing.fillable.word)
            insertion.bind(copying: order.version.rawValue)
            try order.body.withUnsafeBytes { body in
                insertion.bind(text: body)
                insertion.bind(order.receivedAt)
                insertion.bind(copying: order.state.rawValue)
                insertion.bind(order.standing.isPartlyFilled)
                insertion.bind(order.since)
                insertion.bind(number)
                insertion.bind(order.wasHidden)
                insertion.bind(sequence)
                insertion.bind(now)
                try insertion.run()
            }
        }
        added[order.hash] = id
        var order = order
        order.change = number
        changes.append(
            OrderChange(number: number, pairSequence: sequence, order: order, previous: nil)
        )
    }

    mutating func update(_ update: OrderBatch.Update) throws {
        guard let id = row(of: update.hash), let old = try stored(id, update.hash) else { return }
        var order = old.order
        let previous = order.state
        guard order.take(update, at: now) else { return }
        try keepFirstChange(of: old)
        try database.cachedStatement(
            sql: """
                UPDATE orders SET state = ?, fillable = ?, is_partly_filled = ?, since = ?,
                    change = ?, was_hidden = ?, pair_sequence = NULL, committed_at = NULL
                WHERE id = ?
                """
        ).execute(arguments: [
            order.state.rawValue, Data(order.standing.fillable.bigEndianBytes),
            order.standing.isPartlyFilled, Int64(clamping: order.since),
            Int64(clamping: number + 1), order.wasHidden, id,
        ])
        try note(order, id: id, previous: previous)
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

    /// An order of the file, with what its row says of the change that added it.
    private struct Stored {
        let id: Int64
        let order: ListedOrder
        let pairSequence: Int64?
        let committedAt: Int64?
    }

    private func row(of hash: OrderHash) -> Int64? {
        added[hash] ?? known[hash]
    }

    private func stored(_ id: Int64, _ hash: OrderHash) throws -> Stored? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(SQLiteOrderStore.columns), pair_sequence, committed_at FROM orders
                WHERE id = ?
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [id]),
            let order = try ListedOrder(row), order.hash == hash
        else { return nil }
        return Stored(id: id, order: order, pairSequence: row[13], committedAt: row[14])
    }

    /// Writes the change that added an order, for which its row stands no longer.
    private func keepFirstChange(of old: Stored) throws {
        guard let sequence = old.pairSequence, let committedAt = old.committedAt else { return }
        try write(
            old.order,
            of: old.id,
            sequence: sequence,
            previous: nil,
            committedAt: committedAt
        )
    }

    /// Writes a change of a stored order.
    private mutating func note(_ order: ListedOrder, id: Int64, previous: ListingState) throws {
        let (number, sequence) = try nextNumbers(of: order)
        var order = order
        order.change = number
        try write(
            order,
            of: id,
            sequence: Int64(clamping: sequence),
            previous: previous,
            committedAt: Int64(clamping: now)
        )
        changes.append(
            OrderChange(number: number, pairSequence: sequence, order: order, previous: previous)
        )
    }

    private func write(
        _ order: ListedOrder,
        of id: Int64,
        sequence: Int64,
        previous: ListingState?,
        committedAt: Int64
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO changes (
                    number, order_id, pair_sequence, fillable, state, is_partly_filled, since,
                    previous, committed_at, was_hidden
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(clamping: order.change), id, sequence,
            Data(order.standing.fillable.bigEndianBytes), order.state.rawValue,
            order.standing.isPartlyFilled, Int64(clamping: order.since), previous?.rawValue,
            committedAt, order.wasHidden,
        ])
    }

    /// The number of the next change, and its place among those of its pair.
    private mutating func nextNumbers(
        of order: ListedOrder
    ) throws -> (number: UInt64, sequence: UInt64) {
        number += 1
        let market = MarketKey(version: order.version, pair: order.direction)
        let sequence = try (sequences[market] ?? lastSequence(of: market)) + 1
        sequences[market] = sequence
        return (number, sequence)
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
