import DexTestSupport
import EthereumWallet
import Foundation
import StrictJSON
import Testing

/// The sandbox simulates contracts, so it is held against an EVM that runs them.
///
/// `DEX_DIFFERENTIAL_SEED` is the first seed and `DEX_DIFFERENTIAL_COUNT` how many follow on it:
/// with the seed of a failure and a count of 1 that sequence is run alone.
@Suite("Sandbox = EVM")
struct DifferentialTests {
    private static let firstSeed = variable("DEX_DIFFERENTIAL_SEED") ?? 1
    private static let count = variable("DEX_DIFFERENTIAL_COUNT") ?? 500

    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test("random sequences of transactions do the same on the sandbox and on an EVM")
    func sequences() async throws {
        let world = try World()
        let seeds = Self.firstSeed..<(Self.firstSeed + Self.count)
        let total = try await withThrowingTaskGroup(of: Findings.self) { group in
            // Two nodes, since each uses one core.
            for worker in 0..<2 {
                let share = seeds.filter { Int($0 % 2) == worker }
                guard !share.isEmpty else { continue }
                group.addTask { try await Self.run(share, in: world) }
            }
            var total = Findings()
            for try await findings in group { total.merge(findings) }
            return total
        }
        for failure in total.failures.sorted(by: { $0.seed < $1.seed }).prefix(20) {
            Issue.record(
                """
                Sequence \(failure.seed) (DEX_DIFFERENTIAL_SEED=\(failure.seed) \
                DEX_DIFFERENTIAL_COUNT=1 repeats it):
                \(failure.report.differences.joined(separator: "\n"))
                Its steps:
                \(failure.report.steps.joined(separator: "\n"))
                """
            )
        }
        #expect(total.failures.count == 0, "of \(Self.count) sequences so many differ")
        print(total.text)
        if Self.count >= 500 { expectEverything(in: total) }
    }

    /// What a run of some hundred sequences has to have reached, so that it says something.
    private func expectEverything(in total: Findings) {
        for what in [
            "LogFill", "LogCancel", "LogError 0", "LogError 1", "LogError 2", "LogError 3",
            "token's log", "succeeded", "reverted", "burnt", "too little gas, burnt", "refused",
            "eth_call", "eth_estimateGas", "eth_getLogs with logs",
        ] {
            #expect(total.tally[what, default: 0] >= 20, "\(what)")
        }
        for kind in [
            "fillOrder", "fillOrder throwing", "fillOrKillOrder", "fillOrdersUpTo",
            "fillOrdersUpTo throwing", "batchFillOrders", "batchFillOrders throwing",
            "batchFillOrKillOrders", "cancelOrder", "batchCancelOrders", "transfer DAI",
            "transferFrom DAI", "approve DAI", "transfer ZRX", "transfer WETH", "transfer USDC",
            "transfer SIL", "transfer USDT", "transfer HEAVY", "transfer UPG", "approve USDT",
            "deposit", "withdraw", "ether", "hostile exchange",
        ] {
            #expect(total.tally["\(kind) succeeded", default: 0] >= 3, "\(kind)")
        }
    }

    /// What the sequences of one worker, or of all, found.
    private struct Findings: Sendable {
        var failures: [(seed: UInt64, report: SequenceReport)] = []
        var gas = GasTable()
        var tally: [String: Int] = [:]
        var sequences = 0

        mutating func add(_ report: SequenceReport, seed: UInt64) {
            sequences += 1
            if !report.differences.isEmpty { failures.append((seed, report)) }
            gas.add(report.gas, seed: seed)
            tally.merge(report.tally) { $0 + $1 }
        }

        mutating func merge(_ other: Findings) {
            sequences += other.sequences
            failures += other.failures
            gas.merge(other.gas)
            tally.merge(other.tally) { $0 + $1 }
        }

        var text: String {
            let counts = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            return """
                \(sequences) sequences on the sandbox and on the EVM:
                \(counts.joined(separator: ", "))
                Gas of the sandbox / gas of the EVM: least, average, most (seeds of least and most).
                \(gas.text)
                """
        }
    }

    @concurrent
    private static func run(_ seeds: [UInt64], in world: World) async throws -> Findings {
        let node = try await EVMNode.start(world.genesis.evmConfiguration)
        defer { node.stop() }
        let evm = EVMSide(node: node)
        let recoverer = Secp256k1()
        try await evm.result(Question("evm_setAutomine", false))
        var findings = Findings()
        for seed in seeds {
            let snapshot = try await evm.result(Question("evm_snapshot"))
            let sandbox = try SandboxSide(world, recoverer: recoverer)
            var runner = SequenceRunner(
                try Planner.sequence(seed: seed, in: world),
                in: world,
                sandbox: sandbox,
                evm: evm
            )
            findings.add(try await runner.run(), seed: seed)
            try await evm.result(Question("evm_revert", snapshot))
        }
        return findings
    }
}
