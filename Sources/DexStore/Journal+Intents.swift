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
        let created = try integer(intent.created, "the time")
        return try write { database in
            try intent.insert(database)
            let id = database.lastInsertedRowID
            switch claim {
            case .guardian(let number): try Self.fire(number, intent: id, in: database)
            case .plan(let plan): try Self.claim(plan, intent: id, now: created, in: database)
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
        try write { database in
            if let block {
                let target = WatchTarget(
                    chainID: order.chainID,
                    exchange: order.exchange,
                    account: order.maker
                )
                let subject = try Self.madeRow(of: .trades(target), in: database)
                if try Self.ranges(of: subject, in: database).isEmpty {
                    let scan = KeptRange(block...block)
                    try Self.replace(nil, with: scan, of: subject, in: database)
                }
            }
            try database.execute(
                sql: "UPDATE orders SET relay = COALESCE(?, relay), doubt = ? WHERE hash = ?",
                arguments: [order.relay, order.isInDoubt, order.hash]
            )
            if database.changesCount == 0 { try order.insert(database) }
            if let intent {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO order_intents (intent, hash) VALUES (?, ?)",
                    arguments: [intent, order.hash]
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
                arguments: [hash]
            )
            var names = JournalOrder.relays(in: known)
            for name in JournalOrder.relays(in: relay) where !names.contains(name) {
                names.append(name)
            }
            try database.execute(
                sql: "UPDATE orders SET relay = ?, doubt = ? WHERE hash = ?",
                arguments: [names.joined(separator: " "), isInDoubt, hash]
            )
        }
    }

    /// Ends an order's doubt because its outcome is known, for example a relay's refusal.
    package func clearDoubt(of hash: OrderHash) throws(JournalError) {
        try change("UPDATE orders SET doubt = 0 WHERE hash = ?", [hash])
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
        let place = ExchangePlace(chainID: chainID, exchange: exchange)
        return try read { database in
            var orders = try JournalOrder.of(place)
            if let maker { orders = orders.filter(Column("maker") == maker) }
            if let limit { orders = orders.limit(limit) }
            return try orders.order(Column("created").desc, Column("hash")).fetchAll(database)
        }
    }

    /// An order that we signed; nil if we did not.
    package func order(_ hash: OrderHash) throws(JournalError) -> JournalOrder? {
        try read { try JournalOrder.filter(Column("hash") == hash).fetchOne($0) }
    }
}

/// A row of `intents`, but for its end.
extension JournalIntent: PersistableRecord {
    static var databaseTableName: String { "intents" }

    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["account"] = account
        row["command"] = command
        row["created"] = try integer(created, "the time")
        row["tag"] = tag
    }
}

/// A row of `orders`.
extension JournalOrder: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { "orders" }

    init(row: Row) throws {
        self.init(
            chainID: try row.value("chain_id"),
            exchange: try row.value("exchange"),
            hash: try row.value("hash"),
            maker: try row.value("maker"),
            wire: try row.value("wire"),
            created: try row.value("created"),
            relay: try row.value("relay"),
            isInDoubt: try row.value("doubt")
        )
    }

    func encode(to row: inout PersistenceContainer) throws {
        row["chain_id"] = try integer(chainID, "the chain id")
        row["exchange"] = exchange
        row["hash"] = hash
        row["maker"] = maker
        row["wire"] = wire
        row["created"] = try integer(created, "the time")
        row["relay"] = relay
        row["doubt"] = isInDoubt
    }
}
