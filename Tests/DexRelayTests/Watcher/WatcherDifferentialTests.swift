import DexSandbox
import DexTestSupport
import Ethereum
import Testing

@testable import DexRelay

/// The watched book against one that is computed from the chain by brute force.
@Suite struct WatcherDifferentialTests {
    @Test(
        "after random trades, transfers, reorganizations and time jumps both books are the chain's",
        arguments: [18, 19, 20]
    )
    func random(seed: UInt64) async throws {
        let sandbox = try WatchedSandbox(seed: seed)
        try await sandbox.open()
        var random = SeededGenerator(seed: seed &+ 1_000)
        var deepest: UInt64 = 0
        var events = 0
        for round in 0..<400 {
            if random.chance(30) || round == 0 {
                try await sandbox.post(1 + random.below(3), at: random.below(2))
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
            if random.chance(4) { try await sandbox.restart(random.below(2)) }
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
            "seed \(seed): \(events) events, \(await sandbox.refused) refused, deepest "
                + "reorganization \(deepest), \(statistics.map(\.audits)) audits"
        )
        #expect(sandbox.store.states.values.contains(.dormant))
        #expect(sandbox.store.states.values.contains(.filled))
    }
}
