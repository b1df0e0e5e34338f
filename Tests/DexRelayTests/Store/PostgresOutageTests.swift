import DexRelay
import DexTestSupport
import Ethereum
import PostgresClient
import PostgresTestSupport
import Synchronization
import Testing
import ZeroEx

/// A server that is cut off, slow, or restarted.
@Suite struct PostgresOutageTests {
    @Test("cut off, commits are refused and reads fail; after it all instances agree again")
    func cutOff() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let near = try await database.open()
        let far = try await database.open(through: proxy)
        let follower = try await StoreFollower(far)
        // After the first wake-up, which every reader gets, only a connection that listens tells of
        // it: one that begins to listen after the cut would not be a reconnection.
        try await until("the first wake-up") { await follower.handled >= 1 }
        _ = try await near.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
        try await until("the other instance's order") { await follower.number == 1 }

        proxy.set(.refuse)
        proxy.cutAll()
        try await until("the cut to be noticed") { !far.statistics.isReachable }
        let start = ContinuousClock.now
        for _ in 0..<100 {
            await #expect(throws: OrderStoreError.self) {
                try await far.commit(SampleOrders.adding(SampleOrders.order(2)), now: 1_000)
            }
        }
        print("100 refused commits took \(ContinuousClock.now - start)")
        _ = try await near.commit(SampleOrders.adding(SampleOrders.order(3)), now: 1_000)
        #expect(await follower.number == 1)

        proxy.set(.pass)
        let back = ContinuousClock.now
        try await until("what was missed") { await follower.number == 2 }
        print("agreed \(ContinuousClock.now - back) after the server was back")
        // What was read before may have brought the change already.
        try await until("the reconnection") { await follower.reconnections >= 1 }
        try await until("the pool to reach the server") { far.statistics.isReachable }
        let change = try await far.commit(SampleOrders.adding(SampleOrders.order(4)), now: 1_000)
        #expect(change.map(\.number) == [3])
        try await near.close()
        try await far.close()
    }

    @Test("a network that swallows everything is noticed, and its lease goes to another instance")
    func blackHole() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let near = try await database.open()
        let far = try await database.open(through: proxy)
        let follower = try await StoreFollower(far)
        let lease = try #require(try await far.takeWatch())
        #expect(try await near.takeWatch() == nil)

        proxy.set(.hold)
        let start = ContinuousClock.now
        try await until("the lease of the instance that is cut off") {
            try await near.takeWatch() != nil
        }
        print("the watch was taken over \(ContinuousClock.now - start) after the cut")
        #expect(await lease.isHeld == false)
        try await until("the cut to be noticed") { !far.statistics.isReachable }
        await #expect(throws: OrderStoreError.self) {
            try await far.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
        }
        _ = try await near.commit(SampleOrders.adding(SampleOrders.order(2)), now: 1_000)

        proxy.set(.pass)
        let back = ContinuousClock.now
        try await until("what was missed") { await follower.number == 1 }
        print("agreed \(ContinuousClock.now - back) after the network was back")
        try await near.close()
        try await far.close()
    }

    @Test("a slow server is waited for")
    func slow() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        proxy.set(.delay(milliseconds: 60))
        let store = try await database.open(through: proxy)
        let changes = try await store.commit(
            SampleOrders.adding((1...500).map { SampleOrders.order($0) }),
            now: 1_000
        )
        #expect(changes.count == 500)
        #expect(try await store.loaded().orders.count == 500)
        #expect(store.statistics.isReachable)
        try await store.close()
    }

    @Test("a connection that breaks before COMMIT costs a second attempt, not an order")
    func cutBeforeCommit() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let store = try await database.open(through: proxy)
        _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
        // The cut may meet the listener within its handshake, or the pool within that of another one.
        for number in 2...20 as ClosedRange<UInt64> {
            proxy.cutAll()
            let batch = SampleOrders.adding(SampleOrders.order(number))
            try #require(try await store.commit(batch, now: 1_000).map(\.number) == [number])
        }
        try await store.close()
    }

    @Test("while only the listener cannot connect, commits go on over the connections that stand")
    func cutListener() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let (logger, lines) = LogKeeper.logger()
        let store = try await database.open(through: proxy, logger: logger)
        // Nothing else is read over it: a reader would take the connection of the commit.
        _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
        proxy.cutOpening(10)
        // The one that just committed stays.
        try await database.run(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid() AND query <> 'COMMIT'
            """
        )
        var number: UInt64 = 1
        while proxy.cuts < 10 {
            number += 1
            let batch = SampleOrders.adding(SampleOrders.order(number))
            try #require(try await store.commit(batch, now: 1_000).map(\.number) == [number])
            try #require(number < 100_000)
        }
        #expect(store.statistics.isReachable)
        #expect(!lines.all.contains { $0.contains("cannot be reached") })
        // The listener is back: what another instance commits is heard.
        let follower = try await StoreFollower(store)
        let near = try await database.open()
        let batch = SampleOrders.adding(SampleOrders.order(number + 1))
        _ = try await near.commit(batch, now: 1_000)
        try await until("the follower to have change \(number + 1)") {
            await follower.number == number + 1
        }
        try await near.close()
        try await store.close()
    }

    @Test(
        "whether a commit whose answer was lost is written is asked after",
        arguments: [true, false]
    )
    func cutInCommit(isBefore: Bool) async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let store = try await database.open(through: proxy)
        _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
        proxy.set(.cut(at: "COMMIT\u{0}", before: isBefore))
        let batch = SampleOrders.adding(SampleOrders.order(2))
        if isBefore {
            await #expect { try await store.commit(batch, now: 1_000) } throws: { error in
                if case OrderStoreError.unavailable = error { true } else { false }
            }
        } else {
            #expect(try await store.commit(batch, now: 1_000).map(\.number) == [2])
        }
        #expect(proxy.cuts == 1)
        proxy.set(.pass)
        let near = try await database.open()
        #expect(try await near.loaded().head.number == (isBefore ? 1 : 2))
        try await store.close()
        try await near.close()
    }

    @Test("a commit that can neither be seen nor repeated says that it is unknown")
    func unknownCommit() async throws {
        let server = try await PostgresServer()
        let database = try await server.makeDatabase()
        let proxy = try PostgresProxy(to: server.socket)
        defer { proxy.end() }
        let store = try await database.open(through: proxy)
        _ = try await store.commit(SampleOrders.adding(SampleOrders.order(1)), now: 1_000)
        proxy.set(.cut(at: "COMMIT\u{0}", before: false))
        let cutting = Task {
            try await until("the cut") { proxy.cuts > 0 }
            proxy.set(.refuse)
            proxy.cutAll()
        }
        let batch = SampleOrders.adding(SampleOrders.order(2))
        let outcome: Result<[OrderChange], OrderStoreError>
        do {
            outcome = .success(try await store.commit(batch, now: 1_000))
        } catch {
            outcome = .failure(error)
        }
        switch outcome {
        case .success(let changes):
            // The question was faster than the test: then the answer is right.
            #expect(changes.map(\.number) == [2])
        case .failure(.unknown):
            // Posted again, it is known.
            try await cutting.value
            proxy.set(.pass)
            try await until("the pool to reach the server") { store.statistics.isReachable }
            #expect(try await store.commit(batch, now: 1_000).isEmpty)
        case .failure(let error):
            Issue.record("\(error)")
        }
        try await cutting.value
        try await store.close()
    }

    @Test(
        "a crashed and restarted server has every acknowledged order",
        arguments: ["fast", "immediate"]
    )
    func restart(_ mode: String) async throws {
        let server = try await PostgresServer()
        let database = try await server.makeDatabase()
        let store = try await database.open()
        let other = try await database.open()
        let follower = try await StoreFollower(other)
        let acknowledged = Mutex<[OrderChange]>([])
        let isStopped = Mutex(false)
        let posting = Task {
            var number: UInt64 = 0
            while !isStopped.withLock({ $0 }) {
                number += 1
                let batch = SampleOrders.adding(SampleOrders.order(number))
                do {
                    let changes = try await store.commit(batch, now: 1_000)
                    acknowledged.withLock { $0 += changes }
                } catch {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
        }
        for round in 1...3 {
            let count = acknowledged.withLock { $0.count }
            try await until("20 acknowledged orders before round \(round)") {
                acknowledged.withLock { $0.count } > count + 20
            }
            try await server.stop(mode)
            try await server.start()
            let back = ContinuousClock.now
            let last = acknowledged.withLock { $0.count }
            try await until("an acknowledged order after round \(round)") {
                acknowledged.withLock { $0.count } > last
            }
            print("round \(round): posts go on \(ContinuousClock.now - back) after the restart")
        }
        isStopped.withLock { $0 = true }
        try await posting.value
        let head = try await store.loaded().head.number
        try await until("the follower to have change \(head)") { await follower.number == head }
        let all = try #require(try await store.changes(after: 0, limit: 100_000))
        #expect(all.map(\.number) == Array(1...head))
        #expect(Set(all.map(\.order.hash)).count == all.count)
        let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
        let posted = acknowledged.withLock { $0 }
        #expect(posted.allSatisfy { byNumber[$0.number] == $0 })
        #expect(await follower.orders.count == all.count)
        try await store.close()
        try await other.close()
    }

    @Test("an instance that hangs in a commit keeps the others waiting for seconds, not for ever")
    func hangingCommit() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let store = try await database.open()
        let hanging = try await database.connect()
        try await hanging.perform { connection throws(PostgresFailure) in
            try connection.run(
                script: """
                    BEGIN; SET LOCAL idle_in_transaction_session_timeout = '5s';
                    SELECT pg_advisory_xact_lock(7234320727777045505)
                    """,
                within: .patient
            )
        }
        try await until("a commit after the one that hangs") {
            do {
                return try await store.commit(
                    SampleOrders.adding(SampleOrders.order(1)),
                    now: 1_000
                ).count == 1
            } catch {
                return false
            }
        }
        #expect(try await store.loaded().head.number == 1)
        await hanging.close()
        try await store.close()
    }
}
