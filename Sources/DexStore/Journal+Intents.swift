package import Ethereum
import GRDB
package import ZeroEx

extension Journal {
    /// Records a confirmed intent, before anything is signed; returns its id.
    ///
    /// Other processes see that this one holds it, until it is closed or this process ends.
    ///
    /// - Parameter claim: what it takes for itself; nil for a command that repeats nothing.
    /// - Throws: `JournalError`: `guardNotWaiting`, `planNotOpen`, `planInFlight`; then the intent is
    ///   not recorded.
    package func open(
        _ intent: JournalIntent,
        claim: IntentClaim? = nil
    ) throws(JournalError) -> Int64 {
        let chainID = try integer(intent.chainID, "the chain id")
        let created = try integer(intent.created, "the time")
        return try write { database in
            try database.execute(
                sql: """
                    INSERT INTO intents (chain_id, account, command, created, tag)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    chainID, intent.account.lowercaseHex, intent.command, created, intent.tag,
                ]
            )
            let id = database.lastInsertedRowID
            switch claim {
            case .guardian(let number): try Self.fire(number, intent: id, in: database)
            case .plan(let plan):
                try self.claim(plan, intent: id, now: created, in: database)
            case nil: break
            }
            // Before any other process can see it.
            try holds.hold(id)
            if let plan = intent.plan {
                try database.execute(
                    sql: "INSERT INTO plans (intent, sequence, body, created) VALUES (?, 1, ?, ?)",
                    arguments: [id, plan, created]
                )
            }
            return id
        }
    }

    /// The kept part of the plan that the user confirmed with an intent, as JSON text.
    ///
    /// nil if there is no such intent or nothing was kept. Older versions kept whole plans, and
    /// later ones of the same intent after the first.
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
        try change("UPDATE intents SET closed = ?, exit = ? WHERE id = ?", [now, exit, intent])
        holds.release(intent)
    }

    // MARK: Orders

    /// Records an order that we signed, before it is sent anywhere.
    ///
    /// - Parameters:
    ///   - block: the latest block before it was signed. From there the logs are read for fills
    ///     and cancels by others; nil if it is unknown.
    ///   - intent: the intent that confirmed it.
    package func save(
        _ order: JournalOrder,
        at block: UInt64? = nil,
        for intent: Int64? = nil
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

    /// Records that relays accepted an order, beside those that did before.
    ///
    /// - Parameters:
    ///   - relay: their names, set apart by spaces.
    ///   - isInDoubt: another relay for which it was signed may not have it.
    package func markPosted(
        _ hash: OrderHash,
        relay: String,
        isInDoubt: Bool = false
    ) throws(JournalError) {
        try write { database in
            let known = try String.fetchOne(
                database,
                sql: "SELECT relay FROM orders WHERE hash = ?",
                arguments: [hash.hex]
            )
            var names = JournalOrder.relays(in: known)
            for name in JournalOrder.relays(in: relay) where !names.contains(name) {
                names.append(name)
            }
            try database.execute(
                sql: "UPDATE orders SET relay = ?, doubt = ? WHERE hash = ?",
                arguments: [names.joined(separator: " "), isInDoubt, hash.hex]
            )
        }
    }

    /// Ends an order's doubt because its outcome is known, for example a relay's refusal.
    package func clearDoubt(of hash: OrderHash) throws(JournalError) {
        try change("UPDATE orders SET doubt = 0 WHERE hash = ?", [hash.hex])
    }

    /// Our signed orders for an exchange, the newest first.
    ///
    /// - Parameter limit: the most of them; nil is all.
    package func orders(
        chainID: UInt64,
        exchange: Address,
        maker: Address?,
        limit: Int? = nil
    ) throws(JournalError) -> [JournalOrder] {
        let chain = try integer(chainID, "the chain id")
        return try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM orders
                    WHERE chain_id = ? AND exchange = ? AND (? IS NULL OR maker = ?)
                    ORDER BY created DESC, hash LIMIT ?
                    """,
                arguments: [
                    chain, exchange.lowercaseHex, maker?.lowercaseHex, maker?.lowercaseHex,
                    limit ?? -1,
                ]
            ).map { try JournalOrder(row: $0) }
        }
    }

    /// An order that we signed; nil if we did not.
    package func order(_ hash: OrderHash) throws(JournalError) -> JournalOrder? {
        try read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT * FROM orders WHERE hash = ?",
                arguments: [hash.hex]
            ).map { try JournalOrder(row: $0) }
        }
    }
}

extension JournalOrder {
    init(row: Row) throws {
        self.init(
            chainID: UInt64(clamping: row["chain_id"] as Int64),
            exchange: try Address(lenient: row["exchange"]),
            hash: try OrderHash(hex: row["hash"]),
            maker: try Address(lenient: row["maker"]),
            wire: row["wire"],
            created: UInt64(clamping: row["created"] as Int64),
            relay: row["relay"],
            isInDoubt: row["doubt"]
        )
    }
}
