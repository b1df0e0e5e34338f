import DexTestSupport
import Ethereum
import PostgresClient
import PostgresTestSupport
import Testing
import ZeroEx

@testable import DexRelay

/// The operator's decisions in a store that instances share.
@Suite struct PostgresModerationTests {
    private static let maker = Moderation.Subject.maker(SampleOrders.maker)
    private static let order = Moderation.Subject.order(SampleOrders.hash(1))
    private static let pair = Moderation.Subject.pair(
        PairDirection(makerToken: SampleOrders.zrx, takerToken: SampleOrders.weth)
    )

    private static func decision(
        _ time: UInt64,
        _ action: Moderation.Action,
        _ subject: Moderation.Subject = maker,
        reason: String? = nil
    ) -> ModerationDecision {
        ModerationDecision(time: time, action: action, subject: subject, reason: reason)
    }

    /// Waits until a wake-up after which a store says what is expected.
    private func hear(
        _ wakeUps: AsyncStream<Void>,
        _ store: PostgresOrderStore,
        _ expected: [ModerationDecision]
    ) async throws {
        for await _ in wakeUps where try await store.decisions() == expected { return }
        Issue.record("the store was closed before \(expected)")
    }

    @Test("all instances hear of a decision, also behind a pooler and after a restart")
    func shared() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let pooler = try await PgBouncer(before: database.server)
        let pooled = PostgresDatabase(server: database.server, name: database.name, pooler: pooler)
        let stores = [
            try await database.open(), try await database.open(), try await pooled.open(),
        ]
        #expect(try await stores[1].decisions().isEmpty)
        let wakeUps = stores.map { $0.operatorWakeUps() }
        var expected: [ModerationDecision] = []
        for (subject, action, reason) in [
            (Self.order, .hide, "it's \"spam\""), (Self.maker, .remove, nil),
            (Self.pair, .show, ""),
        ] as [(Moderation.Subject, Moderation.Action, String?)] {
            let made = try await stores[0].decide(action, subject, reason: reason)
            #expect(made == Self.decision(made.time, action, subject, reason: reason))
            #expect(made.time >= expected.last?.time ?? 1_000_000_000)
            expected.append(made)
        }
        for (store, wakeUps) in zip(stores, wakeUps) {
            try await hear(wakeUps, store, expected)
        }
        for store in stores { try await store.close() }
        let again = try await database.open()
        #expect(try await again.decisions() == expected)
        try await again.close()
        pooler.end()
    }

    @Test("a file is taken over once; its decisions stand at their times, before later ones")
    func takeOver() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let store = try await database.open()
        let first = [
            Self.decision(1_000, .hide, reason: "zero \0 character"), Self.decision(3_000, .show),
        ]
        let second = [Self.decision(1_000, .remove, Self.order), Self.decision(2_000, .hide)]
        #expect(try await store.takeOver([]) == 0)
        #expect(try await store.takeOver(first) == 2)
        #expect(try await store.takeOver(first) == 0)
        #expect(try await store.takeOver(second) == 2)
        #expect(try await store.takeOver(first + second) == 0)
        let expected = [
            Self.decision(1_000, .hide, reason: "zero  character"), second[0], second[1], first[1],
        ]
        #expect(try await store.decisions() == expected)
        // The maker is shown: of several decisions the latest counts, whichever file it was in.
        var moderation = Moderation()
        moderation.set(Self.order, .remove)
        moderation.set(Self.maker, .show)
        #expect(Moderation(try await store.decisions()) == moderation)
        try await store.close()
    }

    @Test("a decision is never before one that is there, however wrong the clocks")
    func clocks() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let store = try await database.open()
        let future: UInt64 = 99_999_999_999
        #expect(try await store.takeOver([Self.decision(future, .hide)]) == 1)
        #expect(try await store.decide(.show, Self.maker, reason: nil).time == future)
        #expect(try await store.decisions().map(\.action) == [.hide, .show])
        try await store.close()
    }

    @Test("decisions of many instances at once are all kept")
    func atOnce() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let stores = [try await database.open(), try await database.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                for number in 0..<10 as Range<UInt64> {
                    group.addTask {
                        let subject = Moderation.Subject.order(SampleOrders.hash(number))
                        _ = try await store.decide(.hide, subject, reason: nil)
                        _ = try await store.takeOver([Self.decision(number + 1, .show)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let decisions = try await stores[0].decisions()
        #expect(decisions.count { $0.action == .hide } == 20)
        #expect(decisions.filter { $0.action == .show }.map(\.time) == Array(1...10))
        for store in stores { try await store.close() }
    }

    @Test("without the database nothing is decided, and nothing is read as empty")
    func outage() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let proxy = try PostgresProxy(to: database.server.socket)
        defer { proxy.end() }
        let store = try await database.open(through: proxy)
        let made = try await store.decide(.hide, Self.maker, reason: nil)
        let wakeUps = store.operatorWakeUps()
        proxy.set(.refuse)
        proxy.cutAll()
        await #expect(throws: OrderStoreError.self) {
            _ = try await store.decide(.show, Self.maker, reason: nil)
        }
        await #expect(throws: OrderStoreError.self) { _ = try await store.decisions() }
        let other = try await database.open()
        let shown = try await other.decide(.show, Self.maker, reason: "missed")
        proxy.set(.pass)
        // The reconnection wakes.
        var heard = false
        for await _ in wakeUps {
            do throws(OrderStoreError) {
                heard = try await store.decisions() == [made, shown]
            } catch {
                continue
            }
            if heard { break }
        }
        #expect(heard)
        try await other.close()
        try await store.close()
    }

    @Test("an unknown kind of decision is no all-clear")
    func damaged() async throws {
        let database = try await PostgresServer.shared.makeDatabase()
        let store = try await database.open()
        _ = try await store.decide(.hide, Self.maker, reason: nil)
        for check in ["decisions_kind_check", "decisions_check"] {
            try await database.run("ALTER TABLE dex_relay.decisions DROP CONSTRAINT \(check)")
        }
        try await database.run("UPDATE dex_relay.decisions SET kind = 'taker'")
        await #expect(throws: OrderStoreError.self) { _ = try await store.decisions() }
        try await store.close()
    }
}
