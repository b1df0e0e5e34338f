import DexTestSupport
import PostgresClient
import PostgresTestSupport
import Synchronization
import Testing

/// What a pool believes of its connections, and what it does not.
@Suite struct PostgresPoolTests {
    /// What a pool reported, in order: false where the server was lost, true where it was back.
    private final class Reports: Sendable {
        private let list = Mutex<[Bool]>([])

        var all: [Bool] { list.withLock { $0 } }

        func append(_ failure: PostgresFailure?) {
            list.withLock { $0.append(failure == nil) }
        }
    }

    private struct Stage {
        let database: PostgresDatabase
        let proxy: PostgresProxy
        let reports = Reports()
        let pool: PostgresPool

        init(maximum: Int = 4) async throws {
            database = try await PostgresServer.shared.makeDatabase()
            proxy = try PostgresProxy(to: database.server.socket)
            let reports = reports
            pool = PostgresPool(
                try PostgresAddress(database.address(port: proxy.port), password: nil),
                preparesStatements: false,
                maximum: maximum,
                report: { reports.append($0) }
            )
        }

        /// Asks the server.
        ///
        /// - Returns: how many attempts that took.
        func ask() async throws -> Int {
            let attempts = Mutex(0)
            try await pool.use { connection throws(PostgresFailure) in
                attempts.withLock { $0 += 1 }
                _ = try connection.query(
                    PostgresStatement("SELECT 1::bigint"),
                    within: .patient
                )
            }
            return attempts.withLock { $0 }
        }

        func end() async {
            await pool.close()
            proxy.end()
        }
    }

    @Test("that others do not reach the server is checked, and calls go on meanwhile")
    func rumour() async throws {
        let stage = try await Stage()
        for _ in 0..<20 {
            await stage.pool.noteUnreachable()
            #expect(try await stage.ask() == 1)
        }
        #expect(stage.pool.isReachable)
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }

    @Test("where it is true, it is believed, and reported once")
    func trueRumour() async throws {
        let stage = try await Stage()
        #expect(try await stage.ask() == 1)
        stage.proxy.set(.refuse)
        stage.proxy.cutAll()
        await stage.pool.noteUnreachable()
        try await until("the loss to be reported") { !stage.pool.isReachable }
        await #expect(throws: PostgresFailure.self) { try await stage.ask() }
        stage.proxy.set(.pass)
        try await until("the server to be reached again") { stage.pool.isReachable }
        #expect(try await stage.ask() == 1)
        #expect(stage.reports.all == [false, true])
        await stage.end()
    }

    @Test("while all connections are at work they themselves say whether the server is there")
    func rumourAtWork() async throws {
        let stage = try await Stage(maximum: 1)
        let lease = try await stage.pool.take()
        stage.proxy.cutOpening(1_000)
        for _ in 0..<5 { await stage.pool.noteUnreachable() }
        await stage.pool.giveBack(lease, after: nil)
        #expect(try await stage.ask() == 1)
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }

    @Test("a connection that is cut while it opens is opened once more")
    func cutOpening() async throws {
        let stage = try await Stage()
        stage.proxy.cutOpening(1)
        #expect(try await stage.ask() == 1)
        #expect(stage.proxy.cuts == 1)
        // The kept one breaks, and so does the first in its place.
        stage.proxy.cutOpening(1)
        stage.proxy.cutAll()
        #expect(try await stage.ask() == 2)
        #expect(stage.proxy.cuts == 2)
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }

    @Test("a server that cuts every connection as it opens is lost, until it no longer does")
    func cutEveryOpening() async throws {
        let stage = try await Stage()
        stage.proxy.cutOpening(3)
        await #expect(throws: PostgresFailure.self) { try await stage.ask() }
        try await until("the server to be reached again") { stage.pool.isReachable }
        #expect(try await stage.ask() == 1)
        #expect(stage.reports.all == [false, true])
        await stage.end()
    }

    @Test("connections from before a break are lent no more, whenever they come back")
    func oldConnections() async throws {
        let stage = try await Stage()
        var leases: [PostgresPool.Lease] = []
        for _ in 0..<4 { leases.append(try await stage.pool.take()) }
        stage.proxy.cutAll()
        let first = leases.removeFirst()
        await #expect(throws: PostgresFailure.self) {
            try await first.connection.perform { connection throws(PostgresFailure) in
                try connection.run(script: "SELECT 1", within: .patient)
            }
        }
        await stage.pool.giveBack(first, after: .unreachable("it broke"))
        // They were not used since, and do not know that they are broken.
        for lease in leases { await stage.pool.giveBack(lease, after: nil) }
        for _ in 0..<4 { #expect(try await stage.ask() == 1) }
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }

    @Test("the first of several calls has a second attempt too, and no transaction is left open")
    func several() async throws {
        let stage = try await Stage(maximum: 1)
        #expect(try await stage.ask() == 1)
        stage.proxy.cutAll()
        let begun = try await stage.pool.begin { connection throws(PostgresFailure) in
            try connection.run(script: "BEGIN; SELECT 1", within: .patient)
        }
        await begun.lease.connection.close()
        await stage.pool.giveBack(begun.lease, after: nil)
        await #expect(throws: PostgresFailure.self) {
            _ = try await stage.pool.begin { connection throws(PostgresFailure) in
                try connection.run(script: "BEGIN; SELECT nothing", within: .patient)
            }
        }
        // Refused within a transaction.
        try await stage.pool.use { connection throws(PostgresFailure) in
            try connection.run(script: "VACUUM pg_namespace", within: .patient)
        }
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }

    @Test("who cannot have one more connection waits for those that stand")
    func oneMore() async throws {
        let stage = try await Stage()
        let lease = try await stage.pool.take()
        stage.proxy.cutOpening(1_000)
        let waiting = (0..<5).map { _ in Task { try await stage.ask() } }
        try await until("openings that are cut") { stage.proxy.cuts >= 6 }
        #expect(stage.pool.isReachable)
        await stage.pool.giveBack(lease, after: nil)
        for task in waiting { #expect(try await task.value == 1) }
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }

    @Test("if those that stand break, too, the server is lost, and nobody waits for ever")
    func noneLeft() async throws {
        let stage = try await Stage()
        let lease = try await stage.pool.take()
        stage.proxy.cutOpening(1_000)
        let waiting = (0..<5).map { _ in Task { try await stage.ask() } }
        try await until("openings that are cut") { stage.proxy.cuts >= 6 }
        await lease.connection.close()
        await stage.pool.giveBack(lease, after: .unreachable("it broke"))
        for task in waiting {
            await #expect(throws: PostgresFailure.self) { try await task.value }
        }
        #expect(!stage.pool.isReachable)
        stage.proxy.cutOpening(0)
        try await until("the server to be reached again") { stage.pool.isReachable }
        #expect(stage.reports.all == [false, true])
        await stage.end()
    }

    @Test("a pool that is closed lets everybody go who waits for a connection")
    func closed() async throws {
        let stage = try await Stage()
        let lease = try await stage.pool.take()
        stage.proxy.cutOpening(1_000)
        let waiting = (0..<5).map { _ in Task { try await stage.ask() } }
        try await until("openings that are cut") { stage.proxy.cuts >= 6 }
        async let closing: Void = stage.pool.close()
        for task in waiting {
            await #expect(throws: PostgresFailure.interrupted) { try await task.value }
        }
        await stage.pool.giveBack(lease, after: nil)
        await closing
        stage.proxy.end()
    }

    @Test("a server that takes more than a second to greet is waited for, and is not lost")
    func slow() async throws {
        let stage = try await Stage()
        stage.proxy.set(.delay(milliseconds: 600))
        #expect(try await stage.ask() == 1)
        #expect(stage.pool.isReachable)
        #expect(stage.reports.all.isEmpty)
        await stage.end()
    }
}
