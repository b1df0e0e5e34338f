import PostgresTestSupport
import Testing

@testable import DexRelay

/// The same over PostgreSQL: each instance has its own store, and the lease is a session's.
@Suite struct PostgresWatcherDifferentialTests {
    @Test(
        "two or three instances that lose the watch now and then all show the chain's book",
        arguments: WatcherDifferential.seeds(1)
    )
    func random(seed: UInt64) async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        var stores: [PostgresOrderStore] = []
        for _ in 0..<2 + seed % 2 { stores.append(try await database.open()) }
        let sandbox = try WatchedSandbox(seed: seed, stores: stores)
        let isComplete = WatcherDifferential.isComplete
        let run = WatcherDifferential(seed: seed, rounds: isComplete ? 400 : 150) {
            // The server ends the session that has the lock; whether there was one is told.
            let ended = try await database.run(
                """
                SELECT count(pg_terminate_backend(pid)) FROM pg_locks
                WHERE locktype = 'advisory' AND granted AND database =
                    (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (classid::bigint << 32 | objid::bigint) = 7234320727777045506
                """
            )
            #expect(ended.first.map { $0 <= 1 } == true)
        }
        try await run.run(sandbox)
        for relay in await sandbox.relays { await relay.watcher.stop() }
        for store in stores { try await store.close() }
    }
}
