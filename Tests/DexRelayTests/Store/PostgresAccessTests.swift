import DexRelay
import Dispatch
import Foundation
import PostgresClient
import PostgresTestSupport
import Testing

/// What keeps a store from being opened.
@Suite struct PostgresAccessTests {
    private func reason(
        _ address: String,
        password: String? = nil
    ) async throws -> String {
        do {
            let store = try await PostgresOrderStore.open(
                address,
                password: password,
                logger: .silent
            )
            try await store.close()
            return "none"
        } catch .unusable(_, let reason) {
            return reason
        } catch {
            return "not unusable: \(error)"
        }
    }

    @Test("an address that is none is refused without being quoted")
    func addresses() async throws {
        let form = "the address is not of the form postgres://USER@HOST:PORT/DATABASE"
        for text in [
            "", "host=/tmp", "http://localhost/", "postgres://h:port/d", "postgres://h/d?nonsense",
            "postgres://%zz/",
        ] {
            #expect(try await reason(text) == form, "\(text)")
        }
        for text in ["postgres://u:secret@127.0.0.1:1/d", "postgres://u:sec@ret@h:1/d"] {
            let withPassword = try await reason(text)
            #expect(withPassword.contains("write the password into a file"))
            #expect(!withPassword.contains("secret") && !withPassword.contains("ret@h"))
        }
        #expect(try await reason("postgres://h/d?options=-csearch_path").contains("\"options\""))
        #expect(try await reason("postgres://a,b/d").contains("several hosts"))
    }

    @Test("the password appears in no text about an address")
    func hiddenPassword() throws {
        let address = try PostgresAddress("postgres://dex@db:5433/relay", password: "hunter2")
        var dumped = ""
        dump(address, to: &dumped)
        for text in ["\(address)", String(reflecting: address), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect(address.description == "postgres://dex@db:5433/relay")
    }

    @Test("a wrong password, an unknown user and a missing database are told apart from an outage")
    func refusals() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        try await database.run("CREATE ROLE guarded LOGIN PASSWORD 'right one'")
        try await database.run("GRANT CREATE ON DATABASE \(database.name) TO guarded")
        let guarded = database.address(user: "guarded")
        #expect(try await reason(guarded).contains("asks for a password"))
        let wrong = try await reason(guarded, password: "wrong one")
        #expect(wrong.contains("password authentication failed"))
        #expect(!wrong.contains("wrong one"))
        #expect(try await reason(guarded, password: "right one") == "none")
        #expect(try await reason(database.address(user: "nobody")).contains("nobody"))
        let missing = PostgresDatabase(server: database.server, name: "missing")
        #expect(try await reason(missing.address()).contains("missing"))
        let closed = try PostgresProxy(to: "/nonexistent")
        defer { closed.end() }
        #expect(try await reason(database.address(port: closed.port)).hasPrefix("not unusable"))
    }

    @Test("tables of another program, of a newer version, or without rights are refused")
    func tables() async throws {
        let other = try await PostgresServer.shared.makeDatabase()
        try await other.run("CREATE SCHEMA dex_relay")
        #expect(try await reason(other.address()).contains("another program's"))

        let newer = try await PostgresServer.shared.makeDatabase()
        try await newer.open().close()
        try await newer.run("UPDATE dex_relay.format SET version = 6")
        #expect(try await reason(newer.address()).contains("version 6"))

        let closed = try await PostgresServer.shared.makeDatabase()
        try await closed.run("CREATE ROLE stranger LOGIN")
        #expect(
            try await reason(closed.address(user: "stranger")).contains("GRANT CREATE ON DATABASE")
        )
        try await closed.open().close()
        #expect(
            try await reason(closed.address(user: "stranger")).contains("permission denied")
        )
    }

    @Test(
        "tables of an older version are brought up, and orders that were hidden are known",
        arguments: 1...4
    )
    func migration(from version: Int) async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let first = try await database.open()
        _ = try await first.commit(
            SampleOrders.adding(
                SampleOrders.order(1, state: .hidden),
                SampleOrders.order(2),
                SampleOrders.order(3, state: .hidden)
            ),
            now: 1_000
        )
        for number in [1, 2] as [UInt64] {
            _ = try await first.commit(SampleOrders.updating(number, to: .filled), now: 2_000)
        }
        try await first.close()
        for table in ["orders", "changes"] where version == 1 {
            try await database.run("ALTER TABLE dex_relay.\(table) DROP COLUMN was_hidden")
        }
        if version < 3 { try await database.run("ALTER TABLE dex_relay.head DROP COLUMN epoch") }
        let added = (version < 4 ? ["decisions", "operator"] : []) + ["keys", "instances"]
        for table in added {
            try await database.run("DROP TABLE dex_relay.\(table)")
        }
        try await database.run("UPDATE dex_relay.format SET version = \(version)")
        for _ in 0..<2 {
            let second = try await database.open()
            let orders = try await second.loaded().orders
            #expect(orders.map(\.hash) == [3, 1, 2].map(SampleOrders.hash))
            #expect(orders.map(\.wasHidden) == [false, true, false])
            let lease = try #require(try await second.takeWatch())
            var batch = SampleOrders.updating(3, to: .hidden, fillable: 1_003)
            batch.epoch = lease.epoch
            #expect(try await second.commit(batch, now: 3_000).isEmpty)
            await lease.release()
            let maker = Moderation.Subject.maker(SampleOrders.maker)
            _ = try await second.decide(.hide, maker, reason: nil)
            #expect(try await second.keys().isEmpty)
            try await second.close()
        }
    }

    @Test("a wait for an answer ends when its task is cancelled")
    func cancellation() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let connection = try await database.connect()
        let waiting = Task {
            try await connection.interruptible { connection throws(PostgresFailure) in
                _ = try connection.query(
                    PostgresStatement("SELECT 1 FROM pg_sleep(3600)"),
                    within: .seconds(3_000)
                )
            }
        }
        waiting.cancel()
        await #expect(throws: PostgresFailure.interrupted) { try await waiting.value }
        #expect(!connection.isUsable)
    }

    @Test("whoever connects is let go in time, however long the host's name takes to resolve")
    func resolver() async throws {
        let address = try PostgresAddress("postgres://dex@127.0.0.1:1/none", password: nil)
        // Held until the test ends: only the deadline and the cancellation let go.
        let resolver = DispatchSemaphore(value: 0)
        defer { for _ in 0..<2 { resolver.signal() } }
        await #expect(throws: PostgresFailure.timedOut) {
            _ = try await PostgresConnection.open(address, within: .milliseconds(20)) {
                resolver.wait()
            }
        }
        let waiting = Task {
            _ = try await PostgresConnection.open(address, within: .seconds(3_000)) {
                resolver.wait()
            }
        }
        waiting.cancel()
        await #expect(throws: PostgresFailure.interrupted) { try await waiting.value }
    }

    @Test("a statement that takes too long ends with its connection")
    func deadline() async throws {
        let connection = try await PostgresServer.shared.makeDatabase().connect()
        await #expect(throws: PostgresFailure.timedOut) {
            try await connection.perform { connection throws(PostgresFailure) in
                _ = try connection.query(
                    PostgresStatement("SELECT 1 FROM pg_sleep(3600)"),
                    within: .milliseconds(50)
                )
            }
        }
        #expect(!connection.isUsable)
    }

    @Test("values arrive as they were sent")
    func values() async throws {
        let connection = try await PostgresServer.shared.makeDatabase().connect()
        let same = try await connection.perform { connection throws(PostgresFailure) -> [Bool] in
            let rows = try connection.query(
                PostgresStatement(
                    """
                    SELECT $1::bytea = '\\x0001ff'::bytea, $2::text = E'a''"\\\\b', $3::bigint = -5,
                        $4::bytea[] = ARRAY['\\x'::bytea, '\\x00'::bytea],
                        $5::text[] IS NOT DISTINCT FROM ARRAY['x', NULL, ''],
                        $6::bigint[] = ARRAY[9223372036854775807, -9223372036854775808],
                        $7::boolean[] = ARRAY[true, false], $8::text[] = ARRAY[]::text[],
                        $9::text = ''
                    """
                ),
                [
                    .bytes([0, 1, 255]), .text("a'\"\\b"), .integer(-5),
                    .bytesArray([[], [0]]), .textArray(["x", nil, ""]),
                    .integerArray([.max, .min]), .booleanArray([true, false]), .textArray([]),
                    .text(""),
                ],
                within: .patient
            )
            var same: [Bool] = []
            for column in 0..<9 { same.append(try rows.boolean(0, column)) }
            return same
        }
        #expect(same == [Bool](repeating: true, count: 9))
    }
}
