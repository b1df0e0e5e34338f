import Testing

@testable import DexRelay

/// The watched book against one that is computed from the chain by brute force.
@Suite struct WatcherDifferentialTests {
    @Test(
        "after random trades, transfers, reorganizations and time jumps both books are the chain's",
        arguments: WatcherDifferential.seeds(3)
    )
    func random(seed: UInt64) async throws {
        let memory = MemoryOrderStore()
        let sandbox = try WatchedSandbox(seed: seed, stores: [memory, memory])
        let run = WatcherDifferential(seed: seed, rounds: 400) { memory.breakLease() }
        let events = try await run.run(sandbox)
        let all = events * WatcherDifferential.complete.count
        #expect(all >= WatcherDifferential.completeEvents, "seed \(seed): \(events) events")
    }
}
