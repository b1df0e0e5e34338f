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
