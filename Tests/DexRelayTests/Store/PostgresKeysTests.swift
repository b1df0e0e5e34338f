import DexTestSupport
import PostgresTestSupport
import Testing

@testable import DexRelay

/// The keys of clients in a store that instances share, and the count of these.
@Suite struct PostgresKeysTests {
    @Test("all instances have the same keys, whichever adds and removes them, after a restart too")
    func shared() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let stores = [try await database.open(), try await database.open()]
        let (_, one) = try RelayKeysTests.key("one") {
            $0.postsPerSecond = 0
            $0.postBurst = 7
        }
        let (_, two) = try RelayKeysTests.key("two") {
            ($0.requestsPerHour, $0.subscriptionsPerSecond) = (1_000_000_000, 3)
        }
        func hear(_ wakeUps: AsyncStream<Void>, _ expected: [RelayKey]) async throws {
            for await _ in wakeUps where try await stores[1].keys() == expected { return }
            Issue.record("the store was closed before \(expected)")
        }
        let wakeUps = stores[1].operatorWakeUps()
        #expect(try await stores[0].add(two))
        #expect(try await stores[0].add(one))
        #expect(try await !stores[0].add(try RelayKeysTests.key("one").key))
        try await hear(wakeUps, [one, two])
        #expect(try await stores[0].removeKey("one"))
        #expect(try await !stores[1].removeKey("one"))
        try await hear(stores[1].operatorWakeUps(), [two])
        for store in stores { try await store.close() }
        let again = try await database.open()
        #expect(try await again.keys() == [two])
        try await again.close()
        // No key is in the database.
        #expect(
            try await database.run(
                "SELECT count(*) FROM dex_relay.keys k WHERE k::text LIKE '%dexrelay\\_%'"
            ) == [0]
        )
    }

    @Test("instances count each other; one that leaves or falls silent is counted no longer")
    func instances() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let store = try await database.open()
        #expect(try await store.beat("a") == 1)
        #expect(try await store.beat("b") == 2)
        #expect(try await store.beat("a") == 2)
        try await store.leave("b")
        #expect(try await store.beat("a") == 1)
        #expect(try await store.beat("c") == 2)
        try await database.run(
            "UPDATE dex_relay.instances SET seen_at = now() - interval '6 seconds' WHERE name = 'c'"
        )
        #expect(try await store.beat("a") == 1)
        try await database.run(
            "UPDATE dex_relay.instances SET seen_at = now() - interval '2 hours'"
        )
        #expect(try await store.beat("a") == 1)
        #expect(try await database.run("SELECT count(*) FROM dex_relay.instances") == [1])
        try await store.close()
    }

    @Test("without the database nothing is read as no keys, and no count is invented")
    func outage() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let store = try await database.open(through: proxy)
        proxy.set(.refuse)
        proxy.cutAll()
        await #expect(throws: OrderStoreError.self) { _ = try await store.keys() }
        await #expect(throws: OrderStoreError.self) { _ = try await store.beat("a") }
        await #expect(throws: OrderStoreError.self) { _ = try await store.removeKey("a") }
        try await store.close()
    }
}
