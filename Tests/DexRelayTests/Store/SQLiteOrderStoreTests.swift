import DexTestSupport
import Ethereum
import Foundation
import GRDB
import Testing
import ZeroEx

@testable import DexRelay

/// What is SQLite's own in the store: its file, its schema, its older files.
@Suite struct SQLiteOrderStoreTests {
    static let maker = Address(truncating: UInt256(2).word)
    static let direction = PairDirection(
        makerToken: RelayFixture.zrx,
        takerToken: RelayFixture.weth
    )

    func order(
        _ number: UInt64,
        body: String = "{}",
        version: ProtocolVersion = .v4,
        state: ListingState = .shown
    ) -> ListedOrder {
        ListedOrder(
            hash: OrderHash(UInt256(number).word),
            version: version,
            maker: Self.maker,
            direction: Self.direction,
            body: Array(body.utf8),
            receivedAt: 1,
            state: state,
            standing: OrderStanding(fillable: UInt256(number), isPartlyFilled: false),
            since: 1
        )
    }

    func added(_ orders: [ListedOrder]) -> OrderBatch {
        var batch = OrderBatch()
        batch.added = orders
        return batch
    }

    func withFile(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-relay-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        do {
            try await body(folder.appendingPathComponent("relay.sqlite").path)
        } catch {
            try FileManager.default.removeItem(at: folder)
            throw error
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("a batch of which a part cannot be written is refused as a whole, and can come again")
    func refusedBatch() async throws {
        let store = try SQLiteOrderStore(path: nil)
        try await store.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER refusal BEFORE INSERT ON orders WHEN NEW.body = 'refused'
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """
            )
        }
        let error = await #expect(throws: OrderStoreError.self) {
            try await store.commit(added([order(1), order(2, body: "refused")]), now: 5)
        }
        guard case .unavailable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(store.statistics.failures == 1)
        #expect(try await store.changes(after: 0, limit: 10) == [])
        let changes = try await store.commit(added([order(1), order(1)]), now: 5)
        #expect(changes.map(\.number) == [1])
        #expect(try await store.commit(added([order(1)]), now: 5).isEmpty)
        #expect(try await store.open(.v4) == [order(1).hash])
        #expect(store.statistics.isReachable)
        // The trigger, and two batches.
        #expect(store.statistics.commits.count == 3)
    }

    @Test("an order is known by its hash after the file is opened again, until it is pruned")
    func knownRows() async throws {
        try await withFile { path in
            let first = try SQLiteOrderStore(path: path)
            _ = try await first.commit(added([order(1), order(2)]), now: 5)
            try await first.close()
            let second = try SQLiteOrderStore(path: path)
            #expect(try await second.commit(added([order(1), order(3)]), now: 6).count == 1)
            var batch = OrderBatch()
            batch.updated = [.init(hash: order(1).hash, state: .expired, standing: .unread)]
            _ = try await second.commit(batch, now: 7)
            try await second.prune(before: 8)
            // Nothing is left to update, and it is new when it is posted again.
            #expect(try await second.commit(batch, now: 9).isEmpty)
            let again = try await second.commit(added([order(1)]), now: 9)
            #expect(again.map(\.number) == [5])
            #expect(again.map(\.previous) == [nil])
            try await second.close()
        }
    }

    @Test("an order that comes back keeps its row, and every change its number")
    func rows() async throws {
        let store = try SQLiteOrderStore(path: nil)
        var all = try await store.commit(added((1...4).map { order($0) }), now: 5)
        for (number, state) in [(2, ListingState.dormant), (2, .shown), (4, .filled)] {
            var batch = OrderBatch()
            batch.updated = [
                .init(hash: order(UInt64(number)).hash, state: state, standing: .unread)
            ]
            all += try await store.commit(batch, now: 9)
            #expect(try await store.changes(after: 0, limit: 100) == all)
        }
        // It is added and ends in one batch.
        var batch = added([order(4, body: "{ }"), order(5)])
        batch.updated = [.init(hash: order(5).hash, state: .expired, standing: .unread)]
        all += try await store.commit(batch, now: 10)
        #expect(try await store.ids() == [1, 2, 3, 4, 10])
        #expect(try await store.commit(added([order(6)]), now: 11).map(\.number) == [11])
        #expect(try await store.ids() == [1, 2, 3, 4, 10, 11])
        for after in 0...UInt64(all.count) {
            let part = try #require(try await store.changes(after: after, limit: 3))
            let numbers = (after + 1..<12).prefix(3)
            #expect(part.map(\.number) == Array(numbers))
            #expect(part.map(\.pairSequence) == part.map(\.number))
        }
    }

    @Test("a commit is synced to the disk before it returns, in a log that is written ahead")
    func durability() async throws {
        try await withFile { path in
            let store = try SQLiteOrderStore(path: path)
            let (synchronous, journal) = try await store.write { database in
                (
                    try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                    try String.fetchOne(database, sql: "PRAGMA journal_mode")
                )
            }
            // 2 is FULL.
            #expect(synchronous == 2)
            #expect(journal == "wal")
            try await store.close()
        }
    }

    @Test("a commit of a cancelled task is made and told all the same")
    func cancellation() async throws {
        let store = try SQLiteOrderStore(path: nil)
        let batch = added([order(1)])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.commit(batch, now: 5)
        }
        #expect(try await task.value.map(\.number) == [1])
    }

    @Test("a file that is open is refused to a second store, until it is closed")
    func exclusive() async throws {
        try await withFile { path in
            let first = try SQLiteOrderStore(path: path)
            let error = #expect(throws: OrderStoreError.self) { try SQLiteOrderStore(path: path) }
            #expect(error?.description.contains("another process has it open") == true)
            _ = try await first.commit(added([order(1)]), now: 5)
            try await first.close()
            let second = try SQLiteOrderStore(path: path)
            #expect(try await second.open(.v4) == [order(1).hash])
            try await second.close()
        }
    }

    @Test(
        "a closed store says so, and ends the wait for other instances",
        arguments: [true, false]
    )
    func closed(inMemory: Bool) async throws {
        try await withFile { path in
            try await expectClosed(try SQLiteOrderStore(path: inMemory ? nil : path))
        }
    }

    private func expectClosed(_ store: SQLiteOrderStore) async throws {
        let before = store.wakeUps()
        try await store.close()
        try await ended("the end of the wake-ups") {
            for await wakeUp in before { Issue.record("\(wakeUp)") }
            for await wakeUp in store.wakeUps() { Issue.record("\(wakeUp)") }
        }
        await #expect(throws: OrderStoreError.self) {
            try await store.commit(added([order(1)]), now: 5)
        }
        await #expect(throws: OrderStoreError.self) {
            _ = try await store.changes(after: 0, limit: 1)
        }
    }

    @Test("reopening finds orders, numbers, sequences and the watcher's position")
    func reopening() async throws {
        try await withFile { path in
            let first = try SQLiteOrderStore(path: path)
            _ = try await first.commit(added([order(1), order(2)]), now: 5)
            var batch = OrderBatch()
            batch.updated = [
                .init(
                    hash: order(1).hash,
                    state: .filled,
                    standing: OrderStanding(fillable: 0, isPartlyFilled: true)
                )
            ]
            let position = WatchPosition(steps: [
                .init(
                    number: 7,
                    hash: BlockHash(UInt256(70).word),
                    time: 700,
                    touched: [order(1).hash, order(2).hash]
                ),
                .init(number: 8, hash: BlockHash(UInt256(80).word), time: 712, touched: []),
            ])
            batch.position = position
            let changes = try await first.commit(batch, now: 9)
            #expect(changes.map(\.number) == [3])
            #expect(changes.map(\.previous) == [.shown])
            try await first.close()

            let second = try SQLiteOrderStore(path: path)
            var orders: [ListedOrder] = []
            let head = try await second.load(goneSince: 9) { orders.append($0) }
            #expect(head.number == 3)
            #expect(head.sequences == [MarketKey(version: .v4, pair: Self.direction): 3])
            #expect(head.position == position)
            #expect(orders.map(\.change) == [2, 3])
            #expect(orders.map(\.state) == [.shown, .filled])
            #expect(orders.last?.since == 9)
            #expect(try await second.changes(after: 2, limit: 10) == nil)
            #expect(try await second.changes(after: 3, limit: 10) == [])
            try await second.close()
        }
    }

    @Test("a row that another version of this program wrote is left out, and nothing else")
    func strangeRows() async throws {
        let store = try SQLiteOrderStore(path: nil)
        _ = try await store.commit(added([order(1), order(2)]), now: 5)
        try await store.write { database in
            try database.execute(sql: "UPDATE orders SET protocol = 'v9' WHERE change = 1")
        }
        #expect(try await store.open(.v4) == [order(2).hash])
        var batch = OrderBatch()
        batch.updated = [
            .init(hash: order(1).hash, state: .filled, standing: .unread),
            .init(hash: order(2).hash, state: .filled, standing: .unread),
        ]
        #expect(try await store.commit(batch, now: 6).map(\.order.hash) == [order(2).hash])
    }

    @Test("ended orders and their changes are deleted in time, the latest 100,000 are kept")
    func pruning() async throws {
        let store = try SQLiteOrderStore(path: nil)
        _ = try await store.commit(added((1...4).map { order($0) }), now: 5)
        for (number, time) in [(1, 10), (2, 20)] as [(UInt64, UInt64)] {
            var batch = OrderBatch()
            batch.updated = [
                .init(hash: order(number).hash, state: .expired, standing: .unread)
            ]
            _ = try await store.commit(batch, now: time)
        }
        try await store.prune(before: 15)
        var left: [OrderHash] = []
        let head = try await store.load(goneSince: 0) { left.append($0.hash) }
        #expect(left == [3, 4, 2].map { order($0).hash })
        #expect(head.number == 6)
        #expect(try await store.changes(after: 4, limit: 10) == nil)
        #expect(try await store.changes(after: 5, limit: 10)?.map(\.number) == [6])
        // All changes may go: the numbers go on.
        try await store.prune(before: 100)
        #expect(try await store.changes(after: 5, limit: 10) == nil)
        #expect(try await store.changes(after: 6, limit: 10) == [])
        #expect(try await store.commit(added([order(1)]), now: 101).map(\.number) == [7])
    }
}

extension SQLiteOrderStore {
    fileprivate func ids() async throws(OrderStoreError) -> [Int] {
        try await write { try Int.fetchAll($0, sql: "SELECT id FROM orders ORDER BY id") }
    }
}
