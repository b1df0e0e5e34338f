package import Ethereum
import GRDB
package import ZeroEx

extension SQLiteJournal: Journal {
    package func open(_ intent: JournalIntent) throws(JournalError) -> Int64 {
        let chainID = try integer(intent.chainID, "the chain id")
        let created = try integer(intent.created, "the time")
        return try write { database in
            try database.execute(
                sql: "INSERT INTO intents (chain_id, account, command, created) VALUES (?,?,?,?)",
                arguments: [chainID, intent.account.lowercaseHex, intent.command, created]
            )
            let id = database.lastInsertedRowID
            // Before anybody else can see it.
            try holds.hold(id)
            try database.execute(
                sql: "INSERT INTO plans (intent, sequence, body, created) VALUES (?, 1, ?, ?)",
                arguments: [id, intent.plan, created]
            )
            return id
        }
    }

    package func add(
        plan: String,
        to intent: Int64,
        at now: UInt64
    ) throws(JournalError) {
        let now = try integer(now, "the time")
        try write { database in
            try database.execute(
                sql: """
                    INSERT INTO plans (intent, sequence, body, created)
                    SELECT ?, COALESCE(MAX(sequence), 0) + 1, ?, ? FROM plans WHERE intent = ?
                    """,
                arguments: [intent, plan, now, intent]
            )
        }
    }

    package func plan(of intent: Int64) throws(JournalError) -> String? {
        try read { database in
            try String.fetchOne(
                database,
                sql: "SELECT body FROM plans WHERE intent = ? ORDER BY sequence LIMIT 1",
                arguments: [intent]
            )
        }
    }

    package func close(
        intent: Int64,
        exit: Int32,
        at now: UInt64
    ) throws(JournalError) {
        let now = try integer(now, "the time")
        try write { database in
            try database.execute(
                sql: "UPDATE intents SET closed = ?, exit = ? WHERE id = ?",
                arguments: [now, exit, intent]
            )
        }
        holds.release(intent)
    }

    // MARK: Orders

    package func save(
        _ order: JournalOrder,
        at block: UInt64?,
        for intent: Int64?
    ) throws(JournalError) {
        let chainID = try integer(order.chainID, "the chain id")
        let created = try integer(order.created, "the time")
        let first = try block.map { value throws(JournalError) in
            try integer(value, "the block number")
        }
        try write { database in
            if let first {
                try database.execute(
                    sql: """
                        INSERT OR IGNORE INTO scans (chain_id, exchange, account, first, last)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        chainID, order.exchange.lowercaseHex, order.maker.lowercaseHex, first,
                        first,
                    ]
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO orders
                        (hash, chain_id, exchange, maker, wire, created, relay, doubt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (hash) DO UPDATE
                    SET relay = COALESCE(excluded.relay, relay), doubt = excluded.doubt
                    """,
                arguments: [
                    order.hash.hex, chainID, order.exchange.lowercaseHex,
                    order.maker.lowercaseHex, order.wire, created, order.relay,
                    order.isInDoubt,
                ]
            )
            if let intent {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO order_intents (intent, hash) VALUES (?, ?)",
                    arguments: [intent, order.hash.hex]
                )
            }
        }
    }

    package func markPosted(_ hash: OrderHash, relay: String) throws(JournalError) {
        try write { database in
            try database.execute(
                sql: "UPDATE orders SET relay = ?, doubt = 0 WHERE hash = ?",
                arguments: [relay, hash.hex]
            )
        }
    }

    package func clearDoubt(of hash: OrderHash) throws(JournalError) {
        try write { database in
            try database.execute(
                sql: "UPDATE orders SET doubt = 0 WHERE hash = ?",
                arguments: [hash.hex]
            )
        }
    }

    package func orders(
        chainID: UInt64,
        exchange: Address,
        maker: Address?
    ) throws(JournalError) -> [JournalOrder] {
        let chain = try integer(chainID, "the chain id")
        return try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM orders
                    WHERE chain_id = ? AND exchange = ? AND (? IS NULL OR maker = ?)
                    ORDER BY created DESC, hash
                    """,
                arguments: [
                    chain, exchange.lowercaseHex, maker?.lowercaseHex, maker?.lowercaseHex,
                ]
            ).map { try JournalOrder(row: $0) }
        }
    }

    package func order(_ hash: OrderHash) throws(JournalError) -> JournalOrder? {
        try read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM orders WHERE hash = ?",
                arguments: [hash.hex]
            ).map { try JournalOrder(row: $0) }
        }
    }

    /// SQLite's integers have 63 bits for numbers that are never negative.
    func integer(_ value: UInt64, _ what: String) throws(JournalError) -> Int64 {
        guard let value = Int64(exactly: value) else { throw .outOfRange(what) }
        return value
    }
}

extension JournalOrder {
    init(row: Row) throws {
        let relay: String? = row["relay"]
        self.init(
            chainID: UInt64(clamping: row["chain_id"] as Int64),
            exchange: try Address(lenient: row["exchange"]),
            hash: try OrderHash(hex: row["hash"]),
            maker: try Address(lenient: row["maker"]),
            wire: row["wire"],
            created: UInt64(clamping: row["created"] as Int64),
            relay: relay,
            isInDoubt: row["doubt"]
        )
    }
}
