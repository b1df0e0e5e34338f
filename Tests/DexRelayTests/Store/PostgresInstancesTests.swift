import DexTestSupport
import Ethereum
import PostgresClient
import PostgresTestSupport
import Testing
import ZeroEx

@testable import DexRelay

/// Several stores on one database, as several instances of a relay have them.
@Suite struct PostgresInstancesTests {
    @Test("a follower of two writers' commits skips nothing and sees nothing twice")
    func orderOfNumbers() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let writers = [try await database.open(), try await database.open()]
        let reader = try await database.open()
        let commits: UInt64 = 1_000
        // A cursor that reads without pause sees numbers as soon as they are visible.
        let reading = Task {
            var seen: [OrderChange] = []
            while (seen.last?.number ?? 0) < 2 * commits + 2 * (commits / 10) {
                let after = seen.last?.number ?? 0
                seen += try await reader.changes(after: after, limit: 50) ?? []
            }
            return seen
        }
        let following = try await StoreFollower(reader)
        let made = try await withThrowingTaskGroup(of: [OrderChange].self) { group in
            for (index, writer) in writers.enumerated() {
                group.addTask {
                    var made: [OrderChange] = []
                    for step in 0..<commits {
                        let number = step * 2 + UInt64(index)
                        // Every tenth commit has two orders.
                        let batch =
                            step % 10 == 0
                            ? SampleOrders.adding(
                                SampleOrders.order(number),
                                SampleOrders.order(number + 1_000_000)
                            ) : SampleOrders.adding(SampleOrders.order(number))
                        made += try await writer.commit(batch, now: 1_000)
                    }
                    return made
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let seen = try await reading.value
        let count = Int(2 * commits + 2 * (commits / 10))
        #expect(seen.map(\.number) == Array(1...UInt64(count)))
        #expect(seen.map(\.pairSequence) == Array(1...UInt64(count)))
        #expect(made.sorted { $0.number < $1.number } == seen)
        try await until("all \(count) changes at the follower") {
            await following.number == UInt64(count)
        }
        let followed = await following.seen
        #expect(followed == Array((UInt64(count) - UInt64(followed.count) + 1)...UInt64(count)))
        let orders = await following.orders
        #expect(orders.count == count)
        for store in writers + [reader] { try await store.close() }
    }

    @Test("a commit wakes the other instances")
    func wakingUp() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let one = try await database.open()
        let other = try await database.open()
        let follower = try await StoreFollower(other)
        for number in 1...20 as ClosedRange<UInt64> {
            let batch = SampleOrders.adding(SampleOrders.order(number))
            _ = try await one.commit(batch, now: 1_000)
            try await until("change \(number) at the follower") { await follower.number == number }
        }
        #expect(await follower.reconnections == 0)
        try await one.close()
        try await other.close()
    }

    @Test("ten instances that start at once on an empty database make its tables once")
    func makingTables() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 as Range<UInt64> {
                group.addTask {
                    let store = try await database.open()
                    let batch = SampleOrders.adding(SampleOrders.order(number))
                    #expect(try await store.commit(batch, now: 1).count == 1)
                    try await store.close()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.run("SELECT number FROM dex_relay.head") == [10])
    }

    @Test("acknowledged commits stay, and none is there twice, while connections are killed")
    func killedSessions() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let stores = [try await database.open(), try await database.open()]
        let follower = try await StoreFollower(stores[0])
        let (acknowledged, refused) = try await withThrowingTaskGroup(
            of: ([OrderChange], Int).self
        ) { group in
            for (index, store) in stores.enumerated() {
                group.addTask {
                    var acknowledged: [OrderChange] = []
                    var refused = 0
                    for step in 0..<100 as Range<UInt64> {
                        let order = SampleOrders.order(step * 2 + UInt64(index))
                        // As a client does: until it is there.
                        try await until("order \(step) of instance \(index)") {
                            do {
                                let batch = SampleOrders.adding(order)
                                acknowledged += try await store.commit(batch, now: 1_000)
                                // The other store may be within a commit.
                                if step % 5 == 2 { try await database.terminateSessions() }
                                return true
                            } catch {
                                if case OrderStoreError.unusable = error { throw error }
                                refused += 1
                                return false
                            }
                        }
                    }
                    return (acknowledged, refused)
                }
            }
            return try await group.reduce(into: ([], 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
        }
        let all = try #require(try await stores[1].changesWhenReachable(after: 0, limit: 1_000))
        #expect(all.map(\.number) == Array(1...200))
        #expect(Set(all.map(\.order.hash)).count == 200)
        let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
        #expect(acknowledged.allSatisfy { byNumber[$0.number] == $0 })
        try await until("all 200 changes at the follower") { await follower.number == 200 }
        #expect(await follower.orders.count == 200)
        print("\(refused) commits refused while all sessions were killed 40 times")
        for store in stores { try await store.close() }
    }

    @Test("while one instance has the watch, no other gets it; released, it is free at once")
    func releasedWatch() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let (one, other) = (try await database.open(), try await database.open())
        let lease = try #require(try await one.takeWatch())
        #expect(await lease.isHeld)
        #expect(try await other.takeWatch() == nil)
        #expect(try await one.takeWatch() == nil)
        await lease.release()
        #expect(await lease.isHeld == false)
        let next = try #require(try await other.takeWatch())
        #expect(await next.isHeld)
        #expect(try await one.takeWatch() == nil)
        await next.release()
        try await one.close()
        try await other.close()
    }

    @Test("a lease whose session was killed is lost, and another instance gets it")
    func killedWatch() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let (one, other) = (try await database.open(), try await database.open())
        let lease = try #require(try await one.takeWatch())
        try await database.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_locks
            WHERE locktype = 'advisory' AND database =
                (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        )
        #expect(await lease.isHeld == false)
        try await until("the lease of the other instance") { try await other.takeWatch() != nil }
        try await one.close()
        try await other.close()
    }

    @Test("an instance that was cut off cannot commit over its successor")
    func fencedWatch() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let (one, other) = (try await database.open(), try await database.open())
        let lease = try #require(try await one.takeWatch())
        try await database.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_locks
            WHERE locktype = 'advisory' AND database =
                (SELECT oid FROM pg_database WHERE datname = current_database())
            """
        )
        // Nobody has taken over: what it saw is still the last.
        var batch = OrderBatch()
        batch.epoch = lease.epoch
        batch.position = WatchPosition(steps: [
            WatchPosition.Step(
                number: 1,
                hash: BlockHash(UInt256(1).word),
                time: 1,
                touched: []
            )
        ])
        _ = try await one.commit(batch, now: 1)
        var taken: (any WatchLease)?
        try await until("the lease of the other instance") {
            taken = try await other.takeWatch()
            return taken != nil
        }
        #expect(taken.map { $0.epoch > lease.epoch } == true)
        await #expect(throws: OrderStoreError.superseded) { try await one.commit(batch, now: 2) }
        await taken?.release()
        try await one.close()
        try await other.close()
    }

    @Test("a lease that nobody has any more is free")
    func forgottenWatch() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let (one, other) = (try await database.open(), try await database.open())
        #expect(try await one.takeWatch() != nil)
        try await until("the lease of the other instance") { try await other.takeWatch() != nil }
        try await one.close()
        try await other.close()
    }
}

extension OrderStore {
    /// The changes, once the store answers again.
    func changesWhenReachable(after number: UInt64, limit: Int) async throws -> [OrderChange]? {
        var found: [OrderChange]?
        try await until("the store to answer") {
            do throws(OrderStoreError) {
                found = try await changes(after: number, limit: limit)
                return true
            } catch {
                guard case .unavailable = error else { throw error }
                return false
            }
        }
        return found
    }
}
