import DexTestSupport
import EthereumWallet
import Foundation
import StrictJSON
import Testing

/// Runs sequences on both chains.
enum Differential {
    /// All that a release is held against.
    private static let all: UInt64 = 500
    private static let parts: UInt64 = 10

    /// `DEX_DIFFERENTIAL_COUNT` from `DEX_DIFFERENTIAL_SEED` on; without them one part of all, which
    /// follows from the seed, or with `DEX_DIFFERENTIAL_ALL=1` all.
    static let seeds: Range<UInt64> = {
        let first = SampleSeed.given("DIFFERENTIAL")
        let count = variable("DEX_DIFFERENTIAL_COUNT")
        if first != nil || count != nil || variable("DEX_DIFFERENTIAL_ALL") == 1 {
            let first = first ?? 1
            return first..<first + (count ?? all)
        }
        let size = (all + parts - 1) / parts
        let start = 1 + SampleSeed.of("DIFFERENTIAL") % parts * size
        let end = min(start + size, all + 1)
        print(
            "sandbox = EVM, one part of \(parts): DEX_DIFFERENTIAL_SEED=\(start) "
                + "DEX_DIFFERENTIAL_COUNT=\(end - start)"
        )
        return start..<end
    }()

    /// Enough to have reached everything that there is.
    static var isWhole: Bool { seeds.count >= all }

    private static func variable(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    /// Runs the sequences of all seeds: those with the remainder 0 by 2 in the first of two worlds,
    /// the others in the second.
    static func run(
        in worlds: [World],
        plan: @escaping @Sendable (UInt64, World) throws -> PlannedSequence
    ) async throws -> Findings {
        try await withThrowingTaskGroup(of: Findings.self) { group in
            // Two nodes, since each uses one core.
            for (worker, world) in worlds.enumerated() {
                let share = seeds.filter { Int($0 % UInt64(worlds.count)) == worker }
                guard !share.isEmpty else { continue }
                group.addTask { try await run(share, in: world, plan) }
            }
            var total = Findings()
            for try await findings in group { total.merge(findings) }
            return total
        }
    }

    @concurrent
    private static func run(
        _ seeds: [UInt64],
        in world: World,
        _ plan: @Sendable (UInt64, World) throws -> PlannedSequence
    ) async throws -> Findings {
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
                try plan(seed, world),
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

/// What the sequences of one worker, or of all, found.
struct Findings: Sendable {
    private var failures: [(seed: UInt64, report: SequenceReport)] = []
    private(set) var tally: [String: Int] = [:]
    private var sequences = 0

    mutating func add(_ report: SequenceReport, seed: UInt64) {
        sequences += 1
        if !report.differences.isEmpty { failures.append((seed, report)) }
        tally.merge(report.tally) { $0 + $1 }
    }

    mutating func merge(_ other: Findings) {
        sequences += other.sequences
        failures += other.failures
        tally.merge(other.tally) { $0 + $1 }
    }

    /// Fails the test for each sequence that differs, and prints what was reached.
    func report() {
        for failure in failures.sorted(by: { $0.seed < $1.seed }).prefix(20) {
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
        #expect(failures.count == 0, "of \(sequences) sequences so many differ")
        print(text)
    }

    private var text: String {
        let counts = tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return """
            \(sequences) sequences on the sandbox and on the EVM:
            \(counts.joined(separator: ", "))
            """
    }
}
