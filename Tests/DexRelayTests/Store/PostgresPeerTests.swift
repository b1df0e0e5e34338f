import DexRelay
import DexTestSupport
import Ethereum
import Foundation
import PostgresClient
import PostgresTestSupport
import Testing
import ZeroEx

/// Other people's programs on and before the tables.
@Suite struct PostgresPeerTests {
    private struct Row: Decodable {
        let number: UInt64
        let sequence: UInt64
        let hash: String
        let state: String
        let fillable: String
        let body: String
    }

    @Test("psycopg writes and reads the tables beside the relay, and both see the same")
    func psycopg() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let store = try await database.open()
        let follower = try await StoreFollower(store)
        async let run = PythonEnvironment.run(
            "relay_store/second_writer.py",
            database.address(),
            "100",
            "200"
        )
        for number in 0..<100 as Range<UInt64> {
            let batch = SampleOrders.adding(SampleOrders.order(number))
            #expect(try await store.commit(batch, now: 1_000).count == 1)
        }
        let peer = try await run
        try #require(peer.status == 0, "\(peer.errors)")
        let rows = try JSONDecoder().decode([Row].self, from: peer.output)
        let changes = try #require(try await store.changes(after: 0, limit: 1_000))
        #expect(changes.map(\.number) == Array(1...200))
        #expect(changes.map(\.pairSequence) == Array(1...200))
        #expect(rows.map(\.number) == changes.map(\.number))
        #expect(rows.map(\.sequence) == changes.map(\.pairSequence))
        #expect(rows.map { "0x\($0.hash)" } == changes.map(\.order.hash.hex))
        #expect(rows.map(\.state) == changes.map(\.order.state.rawValue))
        #expect(rows.map { "0x\($0.fillable)" } == changes.map(\.order.standing.fillable.word.hex))
        #expect(rows.map { Array($0.body.utf8) } == changes.map(\.order.body))
        #expect(rows.filter { $0.body.contains("psycopg") }.count == 100)
        try await until("all 200 changes at the follower") { await follower.number == 200 }
        #expect(await follower.orders.count == 200)
        try await store.close()
    }

    @Test("behind a pooler that swallows LISTEN, instances poll, warn, and still agree")
    func pooler() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let pooler = try await PgBouncer(before: database.server)
        let pooled = PostgresDatabase(server: database.server, name: database.name, pooler: pooler)
        let (logger, lines) = LogKeeper.logger()
        let stores = [
            try await pooled.open(logger: logger), try await pooled.open(logger: logger),
        ]
        #expect(lines.all.count { $0.contains("does not pass notifications on") } == 2)
        let follower = try await StoreFollower(stores[1])
        let lease = try #require(try await stores[0].takeWatch())
        #expect(try await stores[1].takeWatch() == nil)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in stores.enumerated() {
                for task in 0..<3 as Range<UInt64> {
                    group.addTask {
                        for step in 0..<10 as Range<UInt64> {
                            let number = UInt64(index) * 100 + task * 10 + step
                            let batch = SampleOrders.adding(SampleOrders.order(number))
                            let changes = try await store.commit(batch, now: 1_000)
                            #expect(changes.count == 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await until("all 60 changes at the follower") { await follower.number == 60 }
        #expect(await follower.orders.count == 60)
        #expect(await lease.isHeld)
        #expect(try await stores[1].takeWatch() == nil)
        await lease.release()
        try await until("the released lease") { try await stores[1].takeWatch() != nil }
        #expect(try await stores[0].changes(after: 0, limit: 100)?.map(\.number) == Array(1...60))
        for store in stores { try await store.close() }
        pooler.end()
    }

    @Test("a session pooler passes notifications on, and no warning is logged")
    func sessionPooler() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let pooler = try await PgBouncer(before: database.server, mode: "session")
        let pooled = PostgresDatabase(server: database.server, name: database.name, pooler: pooler)
        let (logger, lines) = LogKeeper.logger()
        let store = try await pooled.open(logger: logger)
        #expect(lines.all.isEmpty)
        let batch = SampleOrders.adding(SampleOrders.order(1))
        #expect(try await store.commit(batch, now: 1_000).count == 1)
        try await store.close()
        pooler.end()
    }

    @Test("batches of 1, 10 and 100 orders are committed, and their rates printed")
    func rates() async throws {
        let store = try await PostgresServer.shared.makeDatabase().open()
        var next: UInt64 = 0
        for (size, count) in [(1, 200), (10, 100), (100, 30)] as [(UInt64, Int)] {
            let start = ContinuousClock.now
            for _ in 0..<count {
                let orders = (next..<(next + size)).map { SampleOrders.order($0) }
                next += size
                let changes = try await store.commit(SampleOrders.adding(orders), now: 1_000)
                #expect(changes.count == Int(size))
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let rate = Double(UInt64(count) * size) / seconds
            print(
                "commits of \(size): \(Int(rate)) orders a second, \(seconds / Double(count)) s each"
            )
        }
        #expect(try await store.loaded().orders.count == Int(next))
        try await store.close()
    }
}
