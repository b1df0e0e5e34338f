import DexTestSupport
import Testing
import ZeroEx

@testable import DexRelay

/// What an instance knows of the commits of others.
@Suite struct OrderLedgerTests {
    @Test(
        "a wake-up whose reading failed is not lost: the store is read again until it answers",
        arguments: [StoreWakeUp.changed, .reconnected]
    )
    func failedReading(wakeUp: StoreWakeUp) async throws {
        let store = MemoryOrderStore()
        let (one, other) = (try WatchFixture(store: store), try WatchFixture(store: store))
        let order = try one.order()
        try await one.ledger.load()
        try await other.add([order])
        let running = Task { await one.ledger.run() }
        store.fail(with: .unavailable(reason: "cut off"))
        store.wake(wakeUp)
        for _ in 0..<3 {
            try await one.pauses.waitForSleepers(1, of: OrderLedger.pause)
            #expect(one.index[order.hash] == nil)
            one.pauses.advance(by: OrderLedger.pause)
        }
        try await one.pauses.waitForSleepers(1)
        store.fail(with: nil)
        one.pauses.advance(by: OrderLedger.pause)
        store.endWakeUps()
        await running.value
        #expect(one.index[order.hash]?.state == .shown)
    }

    @Test("commits that resume in the other order are applied in the order of their numbers")
    func otherOrder() async throws {
        let fixture = try WatchFixture()
        let (first, second) = (try fixture.order(salt: 1), try fixture.order(salt: 2))
        try await fixture.ledger.load()
        let gate = Gate()
        fixture.store.holdCommit(at: gate)
        async let held: Void = fixture.add([first])
        try await gate.waitForArrivals(1)
        try await fixture.add([second])
        // What was written before it is seen with it.
        #expect(fixture.index[first.hash]?.state == .shown)
        #expect(fixture.index[second.hash]?.state == .shown)
        gate.open()
        try await held
        try await fixture.add([try fixture.order(salt: 3)])
        #expect(fixture.store.commits == 3)
    }

    @Test("a change that no store keeps any more is read with the whole book")
    func forgottenChange() async throws {
        let fixture = try WatchFixture()
        let (first, second) = (try fixture.order(salt: 1), try fixture.order(salt: 2))
        try await fixture.ledger.load()
        let gate = Gate()
        fixture.store.holdCommit(at: gate)
        async let held: Void = fixture.add([first])
        try await gate.waitForArrivals(1)
        try await fixture.store.prune(before: .max)
        try await fixture.add([second])
        #expect(fixture.index[first.hash]?.state == .shown)
        #expect(fixture.index[second.hash]?.state == .shown)
        gate.open()
        try await held
        #expect(fixture.index.withLock { $0.all.count } == 2)
    }

    @Test("a commit during a reading of everything is not lost to what was read before it")
    func commitDuringLoad() async throws {
        let fixture = try WatchFixture()
        let order = try fixture.order()
        try await fixture.ledger.load()
        let gate = Gate()
        fixture.store.holdLoads(at: gate)
        async let loading = fixture.ledger.load()
        try await gate.waitForArrivals(1)
        async let committing: Void = fixture.add([order])
        try await until("the commit") { fixture.store.commits >= 1 }
        gate.open()
        _ = try await loading
        try await committing
        #expect(fixture.index[order.hash]?.state == .shown)
    }
}
