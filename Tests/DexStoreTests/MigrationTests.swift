import Ethereum
import FoundationEssentials
import GRDB
import Testing
import Uniswap
import ZeroEx

@testable import DexStore

@Suite("A journal of every past schema is read and written on")
struct MigrationTests {
    static let past = [
        "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9-market", "v10-alerts",
        "v11-guards", "v12-held", "v13-activity", "v14-tags", "v15-guard-terms",
        "v16-rollup-fees", "v17-guard-firings", "v18-arrivals", "v19-watch-trades",
        "v20-pool-trades", "v21-agent-plans", "v22-events", "v23-trade-ranges",
        "v24-order-plans",
    ]

    /// Each feature's own copies of trades and of ranges, which the store of events replaced.
    private static let replaced = [
        "market_fills", "market_ranges", "pool_trades", "activity_ranges", "scans",
    ]

    /// A journal as an older `dex` left it: one transaction of every status, a receipt with a
    /// fill, an order, a reservation that was given back, and what was watched once that was.
    func journal(of version: String) throws -> TestJournal {
        let test = TestJournal()
        try Journal.prepareFile(test.path)
        let queue = try DatabaseQueue(path: test.path)
        try PastSchema.make(version, in: queue)
        let alice = TestJournal.alice.lowercaseHex
        let statuses = [
            "signed", "sent", "dropped", "mined", "reverted", "replaced", "refused", "forgotten",
        ]
        try queue.write { database in
            try database.execute(
                sql: "INSERT INTO intents (id, chain_id, account, command, created) "
                    + "VALUES (1, 1, ?, 'market-buy', 5)",
                arguments: [alice]
            )
            try database.execute(
                sql: "INSERT INTO plans (intent, sequence, body, created) VALUES (1, 1, '{}', 5)"
            )
            for (index, status) in statuses.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO transactions (intent, chain_id, sender, nonce, purpose, status,
                            lease, hash, raw, created, changed)
                        VALUES (1, 1, ?, ?, 'fill', ?, 9, ?, ?, 6, 7)
                        """,
                    arguments: [
                        alice, index, status, TestJournal.hash(UInt64(index + 1)).hex,
                        Data([UInt8(index)]),
                    ]
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO transactions (id, intent, chain_id, sender, nonce, purpose, status,
                        lease, created, changed)
                    VALUES (40, 1, 1, ?, 9, 'fill', 'reserved', 9, 6, 7)
                    """,
                arguments: [alice]
            )
            try database.execute(sql: "DELETE FROM transactions WHERE id = 40")
            let mined = TestJournal.hash(4).hex
            try database.execute(
                sql: """
                    INSERT INTO receipts (hash, block, block_hash, succeeded, gas_used, gas_price)
                    VALUES (?, 77, ?, 1, 21000, '7')
                    """,
                arguments: [mined, TestJournal.hash(99).hex]
            )
            try database.execute(
                sql: """
                    INSERT INTO fills (hash, position, order_hash, maker, maker_token, taker_token,
                        maker_amount, taker_amount, maker_fee, taker_fee)
                    VALUES (?, 0, ?, ?, ?, ?, '1', '2', '0', '0')
                    """,
                arguments: [mined, TestJournal.hash(50).hex, alice, alice, alice]
            )
            try database.execute(
                sql: """
                    INSERT INTO orders (hash, chain_id, exchange, maker, wire, created)
                    VALUES (?, 1, ?, ?, '{}', 5)
                    """,
                arguments: [TestJournal.hash(50).hex, alice, alice]
            )
            if try database.tableExists("watches") { try Self.watch(database) }
            if try database.tableExists("guards") { try Self.guard(database) }
        }
        try queue.close()
        return test
    }

    /// A guard that fired, and one that was removed.
    private static func `guard`(_ database: Database) throws {
        let alice = TestJournal.alice.lowercaseHex
        for id in [7, 9] {
            try database.execute(
                sql: """
                    INSERT INTO guards (id, chain_id, exchange, account, side, base, quote, pair,
                        amount, trigger, price, slippage, limit_price, created, intent)
                    VALUES (?, 1, ?, ?, 'buy', ?, ?, 'A/B', '1', 'below', '2', 3, '4', 5, ?)
                    """,
                arguments: [id, alice, alice, alice, alice, id == 7 ? 1 : nil]
            )
        }
        try database.execute(sql: "DELETE FROM guards WHERE id = 9")
    }

    private static let watched = WatchTarget(
        chainID: 1,
        exchange: TestJournal.bob,
        account: TestJournal.alice
    )

    /// A fill that was undone and told of, a transfer that waits for its sink, and an order's
    /// state.
    private static func watch(_ database: Database) throws {
        let alice = TestJournal.alice.lowercaseHex
        try database.execute(
            sql: """
                INSERT INTO watches (id, chain_id, exchange, account, first, next, since, version)
                VALUES (3, 1, ?, ?, 5, 8, 9, 2)
                """,
            arguments: [watched.exchange.lowercaseHex, alice]
        )
        try database.execute(
            sql: "INSERT INTO watch_blocks (watch, number, hash) VALUES (3, 7, ?)",
            arguments: [TestJournal.hash(7).hex]
        )
        let order = TestJournal.hash(50).hex
        let transaction = TestJournal.hash(4).hex
        let rows: [(Int64, String, String?, String?, Int?, Int)] = [
            (11, "fill", order, transaction, 2, 1), (12, "sent", nil, transaction, 3, 0),
            (13, "unfunded", order, nil, nil, 0),
        ]
        for (id, kind, order, transaction, log, turn) in rows {
            try database.execute(
                sql: """
                    INSERT INTO watch_events (id, watch, key, kind, order_hash, transaction_hash,
                        token, amount, standing, turn, block, block_hash, log_index, time)
                    VALUES (?, 3, ?, ?, ?, ?, ?, '7', ?, ?, 6, ?, ?, 10)
                    """,
                arguments: [
                    id, UInt256(UInt64(id)).word.hex, kind, order, transaction, alice, 1 - turn,
                    turn, TestJournal.hash(6).hex, log,
                ]
            )
            try database.execute(
                sql: """
                    INSERT INTO watch_messages (id, event, turn, block, block_hash, time, noted)
                    VALUES (?, ?, ?, 6, ?, 10, 11)
                    """,
                arguments: [id + 10, id, turn, TestJournal.hash(6).hex]
            )
            try database.execute(
                sql: """
                    INSERT INTO watch_deliveries (message, sink, state, attempts, next_try)
                    VALUES (?, 'webhook', ?, 1, 0)
                    """,
                arguments: [id + 10, id == 11 ? "delivered" : "pending"]
            )
        }
    }

    @Test("what was watched goes on where it stopped, and is told to whom it was not")
    func watches() throws {
        for version in ["v5", "v6", "v7"] {
            let test = try journal(of: version)
            let cursor = try #require(try test.journal.watchCursor(Self.watched))
            #expect(cursor.first == 5 && cursor.next == 8 && cursor.version == 2)
            #expect(cursor.recent.map(\.number) == [7])
            let keys = Set([11, 12, 13].map { UInt256($0).word })
            let noted = try test.journal.notedEvents(Self.watched, keys: keys, from: 0)
            #expect(Set(noted.map(\.event.kind)) == [.fill, .sent, .unfunded])
            #expect(noted.first { $0.event.kind == .fill }?.turn == 1)
            let pending = try test.journal.pendingMessages(Self.watched, sink: "webhook", limit: 9)
            #expect(pending.map(\.event.kind) == [.sent, .unfunded])
            #expect(pending.map(\.attempts) == [1, 1])
        }
    }

    @Test("events can be kept, and what features kept apart is gone", arguments: past)
    func events(version: String) throws {
        let test = try journal(of: version)
        let filter = EventFilter(
            chainID: 1,
            contract: TestJournal.bob,
            topics: [[UInt256(8).word]]
        )
        let log = Log(
            address: TestJournal.bob,
            topics: [UInt256(8).word],
            data: [1, 2],
            blockNumber: 5,
            blockHash: BlockHash(UInt256(5).word),
            transactionHash: TestJournal.hash(7),
            logIndex: 1
        )
        let end = WatchedBlock(number: 9, hash: BlockHash(UInt256(9).word))
        let range = KeptRange(first: 1, last: end)
        try test.journal.keepEvents(range, of: [filter], logs: [log])
        #expect(try test.journal.events(filter, blocks: 0...9).logs == [log])
        #expect(
            try test.journal.eventRanges(covering: [filter], touching: 0...9).map(\.range)
                == [range]
        )
        let other = EventFilter(chainID: 1, contract: TestJournal.alice, topics: filter.topics)
        #expect(try test.journal.eventRanges(covering: [other], touching: 0...9).isEmpty)
        let left = try test.journal.read { database in
            try Self.replaced.filter { try database.tableExists($0) }
        }
        #expect(left.isEmpty)
    }

    @Test(
        "which blocks of an account's activity were read is known on; trades are read again",
        arguments: ["v13-activity", "v19-watch-trades", "v20-pool-trades", "v21-agent-plans"]
    )
    func keepsRanges(version: String) throws {
        let test = try journal(of: version)
        let queue = try DatabaseQueue(path: test.path)
        let accounts = [TestJournal.alice, TestJournal.bob]
        try queue.write { database in
            for (account, first) in [(accounts[0], 1), (accounts[0], 20), (accounts[1], 5)] {
                try database.execute(
                    sql: """
                        INSERT INTO activity_ranges (chain_id, account, first, last, last_hash,
                            anchor, anchor_hash)
                        VALUES (1, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        account.lowercaseHex, first, first + 9,
                        UInt256(UInt64(first + 9)).word.hex, first + 4,
                        UInt256(UInt64(first + 4)).word.hex,
                    ]
                )
            }
            try database.execute(
                sql: """
                    INSERT INTO activity (chain_id, account, block, position, block_hash, time,
                        kind, own, succeeded)
                    VALUES (1, ?, 6, -1, ?, 9, 'received', 0, 1)
                    """,
                arguments: [accounts[0].lowercaseHex, UInt256(6).word.hex]
            )
            try database.execute(
                sql: """
                    INSERT INTO market_ranges (chain_id, exchange, first, last, last_hash)
                    VALUES (1, ?, 1, 9, ?)
                    """,
                arguments: [accounts[0].lowercaseHex, UInt256(9).word.hex]
            )
        }
        try queue.close()
        func range(_ first: UInt64) -> KeptRange {
            func block(_ number: UInt64) -> WatchedBlock {
                WatchedBlock(number: number, hash: BlockHash(UInt256(number).word))
            }
            return KeptRange(first: first, last: block(first + 9), anchor: block(first + 4))
        }
        let places = accounts.map { ActivityPlace(chainID: 1, account: $0) }
        #expect(try test.journal.activityRanges(places[0]) == [range(1), range(20)])
        #expect(try test.journal.activityRanges(places[1]) == [range(5)])
        #expect(try test.journal.activity(places[0], since: 0, limit: 9).count == 1)
        let market = EventFilter(chainID: 1, contract: accounts[0], topics: [])
        #expect(try test.journal.eventRanges(covering: [market], touching: 0...99).isEmpty)
    }

    @Test("which blocks were read for an account's trades is known on", arguments: past)
    func keepsScans(version: String) throws {
        let test = try journal(of: version)
        let exchange = TestJournal.address(50)
        let accounts = [TestJournal.alice, TestJournal.bob]
        let queue = try DatabaseQueue(path: test.path)
        let had = try queue.write { database in
            guard try database.tableExists("scans") else { return false }
            for (account, blocks) in zip(accounts, [1...9, 20...29]) {
                try database.execute(
                    sql: "INSERT INTO scans (chain_id, exchange, account, first, last) "
                        + "VALUES (1, ?, ?, ?, ?)",
                    arguments: [
                        exchange.lowercaseHex, account.lowercaseHex, blocks.lowerBound,
                        blocks.upperBound,
                    ]
                )
            }
            return true
        }
        try queue.close()
        let scans = try accounts.map {
            try test.journal.scan(chainID: 1, exchange: exchange, account: $0)
        }
        let kept: [KeptRange?] = [KeptRange(1...9), KeptRange(20...29)]
        #expect(scans == (had ? kept : [nil, nil]))
        #expect(
            had == !["v1", "v2", "v3", "v23-trade-ranges", "v24-order-plans"].contains(version)
        )
        // The next reading follows on.
        let block = WatchedBlock(number: 40, hash: BlockHash(UInt256(40).word))
        let next = KeptRange(first: 1, last: block)
        let range = TradeRange(
            chainID: 1,
            exchange: exchange,
            account: accounts[0],
            blocks: 5...40,
            onlyMaker: true
        )
        try test.journal.replace(range, with: [], scan: next)
        #expect(
            try test.journal.scan(chainID: 1, exchange: exchange, account: accounts[0]) == next
        )
    }

    @Test("nothing that was kept is lost", arguments: past)
    func keeps(version: String) throws {
        let test = try journal(of: version)
        let all = try test.journal.transactions(chainID: 1, sender: TestJournal.alice, limit: 99)
        #expect(
            all.map(\.stage)
                == [
                    .forgotten, .refused, .replaced, .reverted, .mined, .dropped, .broadcast,
                    .signed,
                ]
        )
        #expect(all.map(\.nonce) == [7, 6, 5, 4, 3, 2, 1, 0])
        #expect(all.map(\.raw) == [[7], [6], [5], [4], [3], [2], [1], [0]])
        #expect(all.allSatisfy { $0.created == 6 && $0.purpose == "fill" && $0.intent == 1 })
        #expect(
            all.allSatisfy {
                $0.successor == nil && $0.predecessor == nil && $0.reorgedFromBlock == nil
            }
        )
        #expect(all.map(\.block) == [nil, nil, nil, nil, 77, nil, nil, nil])
        let counts = try test.journal.read { database in
            try ["plans", "receipts", "fills", "orders"].map {
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)")
            }
        }
        #expect(counts == [1, 1, 1, 1])
        let order = try test.journal.order(OrderHash(TestJournal.hash(50).word))
        #expect(order?.isInDoubt == false)
    }

    @Test(
        "a trade that was kept comes back as it was",
        arguments: ["v4", "v5", "v6", "v8", "v17-guard-firings"]
    )
    func keepsTrades(version: String) throws {
        let test = TestJournal()
        try Journal.prepareFile(test.path)
        let queue = try DatabaseQueue(path: test.path)
        try PastSchema.make(version, in: queue)
        let alice = TestJournal.alice.lowercaseHex
        let transaction = TestJournal.hash(4).hex
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO trade_transactions (chain_id, hash, sender, block, block_hash,
                        time, gas_used, gas_price)
                    VALUES (1, ?, ?, 77, ?, 5, 21000, '7')
                    """,
                arguments: [transaction, alice, TestJournal.hash(99).hex]
            )
            for (index, kind) in ["fill", "cancel"].enumerated() {
                let isFill = kind == "fill"
                try database.execute(
                    sql: """
                        INSERT INTO trades (chain_id, transaction_hash, log_index, exchange, kind,
                            order_hash, maker, taker, fee_recipient, maker_token, taker_token,
                            maker_amount, taker_amount, maker_fee, taker_fee)
                        VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '1', '2', ?, ?)
                        """,
                    arguments: [
                        transaction, index, TestJournal.address(50).lowercaseHex, kind,
                        TestJournal.hash(50).hex, alice, isFill ? alice : nil,
                        isFill ? alice : nil, TestJournal.address(10).lowercaseHex,
                        TestJournal.address(11).lowercaseHex, isFill ? "3" : nil,
                        isFill ? "4" : nil,
                    ]
                )
            }
        }
        try queue.close()
        let trades = try test.journal.trades(
            chainID: 1,
            exchange: TestJournal.address(50),
            account: TestJournal.alice
        )
        #expect(trades.map(\.block) == [77])
        let kept = trades.flatMap(\.trades)
        #expect(kept.map(\.logIndex) == [0, 1])
        // What arrived was never read: the next history asks.
        #expect(kept.allSatisfy { $0.takerArrival == nil && $0.makerArrival == nil })
        #expect(
            kept.last?.event
                == .cancel(
                    CancelEvent(
                        orderHash: OrderHash(TestJournal.hash(50).word),
                        maker: TestJournal.alice,
                        makerToken: TestJournal.address(10),
                        takerToken: TestJournal.address(11),
                        makerAmount: 1,
                        takerAmount: 2
                    )
                )
        )
    }

    @Test("its references hold, and it is what a new journal is", arguments: past)
    func equalsNew(version: String) throws {
        let old = try journal(of: version)
        let new = TestJournal()
        #expect(try old.journal.read(Self.schema) == new.journal.read(Self.schema))
        let broken = try old.journal.read { database in
            try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
        }
        #expect(broken == 0)
    }

    @Test("every row of every table is as it was, and no number is given again", arguments: past)
    func keepsRows(version: String) throws {
        let test = try journal(of: version)
        let queue = try DatabaseQueue(path: test.path)
        let names = try queue.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name <> 'grdb_migrations'
                    """
            ).filter { !Self.replaced.contains($0) }
        }
        let queries = try queue.read { database in
            try names.map { name in
                let columns = try database.columns(in: name).map(\.name)
                return "SELECT \(columns.joined(separator: ", ")) FROM \(name) ORDER BY 1, 2"
            }
        }
        let rows = { (database: Database) throws in
            try queries.map { try Row.fetchAll(database, sql: $0).map(\.description) }
        }
        let before = try queue.read(rows)
        try queue.close()
        #expect(before.contains { !$0.isEmpty })
        let after = try test.journal.read(rows)
        for (name, (old, new)) in zip(names, zip(before, after)) where name != "sqlite_sequence" {
            #expect(old == new, "\(name)")
        }
        let old = try #require(names.firstIndex(of: "sqlite_sequence"))
        #expect(Set(before[old]).isSubset(of: after[old]))
    }

    @Test("a new journal is what the steps of all versions make")
    func equalsPast() throws {
        let test = TestJournal()
        try Journal.prepareFile(test.path)
        let queue = try DatabaseQueue(path: test.path)
        try PastSchema.make("v24-order-plans", in: queue)
        let new = TestJournal()
        #expect(try queue.read(Self.schema) == new.journal.read(Self.schema))
        #expect(
            try queue.read(JournalSchema.migrator.appliedMigrations)
                == new.journal.read(JournalSchema.migrator.appliedMigrations)
        )
    }

    private static func schema(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
        )
    }

    @Test("the next nonce and row follow on what was there", arguments: past)
    func goesOn(version: String) throws {
        let test = try journal(of: version)
        let reservation = try test.reserve(intent: 1)
        // The highest nonce that is held, and no number of a row that was ever given out.
        #expect(reservation.nonce == 5)
        #expect(reservation.id == 41)
        try test.journal.mark(TestJournal.hash(4), as: .reorganized, now: 8)
        let mined = try test.journal.transaction(TestJournal.hash(4))
        #expect(mined?.stage == .reorganized)
        #expect(mined?.reorgedFromBlock == 77)
    }
}
