import DexSandbox
import DexTestSupport
import Ethereum
import Foundation
import Testing

@testable import DexRelay

/// Random events on the embedded chain; after each round every instance's book is the chain's.
struct WatcherDifferential: Sendable {
    /// Events of all seeds of a complete run, at the least.
    static let completeEvents = 10_000

    /// The seeds of `DEX_DIFFERENTIAL_ALL=1`: each has some 1,450 events.
    static let complete: [UInt64] = Array(18..<26)

    /// Whether all seeds run.
    static let isComplete = ProcessInfo.processInfo.environment["DEX_DIFFERENTIAL_ALL"] == "1"

    /// The seeds to run: those of a complete run, `DEX_DIFFERENTIAL_SEED` alone, or some from
    /// `SampleSeed`'s on.
    ///
    /// - Parameter count: how many are enough for `make test`.
    static func seeds(_ count: Int) -> [UInt64] {
        if isComplete { return complete }
        if let seed = SampleSeed.given("DIFFERENTIAL") { return [seed] }
        let first = SampleSeed.of("DIFFERENTIAL")
        return (0..<UInt64(count)).map { first &+ $0 }
    }

    let seed: UInt64
    let rounds: Int
    /// Takes the lease from the instance that watches.
    let breakLease: @Sendable () async throws -> Void

    /// Runs all rounds.
    ///
    /// - Returns: how many events there were.
    @discardableResult
    func run(_ sandbox: WatchedSandbox) async throws -> Int {
        try await sandbox.open()
        // From the first block on logs tell what happens to orders. Without a followed block, what
        // one node calls unfunded is asked again at the next block first.
        try await sandbox.watch()
        let instances = sandbox.stores.count
        var random = SeededGenerator(seed: seed &+ 1_000)
        var (deepest, events, broken) = (UInt64(0), 0, 0)
        for round in 0..<rounds {
            if random.chance(30) || round == 0 {
                try await sandbox.post(1 + random.below(3), at: random.below(instances))
            }
            for _ in 0..<random.below(8) {
                try await sandbox.happen()
                events += 1
            }
            if random.chance(20) { sandbox.clock.advance(by: UInt64(random.below(200))) }
            if random.chance(3) {
                try await sandbox.chain.increaseTime(by: UInt64(random.below(500)))
            }
            for _ in 0..<random.pick([1, 1, 1, 2, 5]) {
                sandbox.clock.advance(by: 12)
                try await sandbox.chain.mine()
            }
            if random.chance(15) {
                let newest = await sandbox.chain.latestBlock.number
                let depth = min(UInt64(1 + random.below(random.pick([3, 10, 30, 60]))), newest)
                _ = try await sandbox.chain.reorganize(
                    blocks: depth,
                    transactions: random.pick(ReplacedTransactions.allCases)
                )
                deepest = max(deepest, depth)
                events += 1
            }
            if random.chance(4) { try await sandbox.restart(random.below(instances)) }
            if random.chance(5) {
                try await breakLease()
                broken += 1
            }
            // Now and then several rounds of blocks come at once.
            if random.chance(15) { continue }
            _ = sandbox.node.takeCounts()
            try await sandbox.watch()
            let reads = sandbox.node.takeCounts()
            let differences = try await sandbox.differences()
            try #require(differences.isEmpty, "seed \(seed), round \(round): \(differences)")
            let touched = await sandbox.relays.map(\.watcher.statistics.lastBlockTouched).max()
            // One instance watches; missing blocks are read one by one.
            #expect(
                reads.others <= 3 + ((touched ?? 0) + 499) / 500,
                "seed \(seed), round \(round)"
            )
            await sandbox.trim()
        }
        let statistics = await sandbox.relays.map(\.watcher.statistics)
        print(
            "DEX_DIFFERENTIAL_SEED=\(seed), \(instances) instances: \(events) events, "
                + "\(await sandbox.refused) refused, deepest reorganization \(deepest), "
                + "\(broken) leases lost, \(statistics.map(\.audits)) audits"
        )
        let states = try await sandbox.stored().values.map(\.state)
        #expect(states.contains(.dormant) && states.contains(.filled), "seed \(seed)")
        return events
    }
}
