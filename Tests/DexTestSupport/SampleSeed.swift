import Foundation

/// Seeds of samples of large sets of cases: the same commit gives the same verdict.
package enum SampleSeed {
    /// The seed of `DEX_<name>_SEED`, such as DEX_FAULT_SEED; without it 1, as in `make test`, or with
    /// `DEX_RANDOM_SEEDS=1`, as in `make test-all`, another one in each process.
    package static func of(_ name: String) -> UInt64 {
        given(name) ?? (isRandom ? .random(in: 0..<1_000_000) : 1)
    }

    /// The seed that the environment names; nil if it names none.
    package static func given(_ name: String) -> UInt64? {
        environment["DEX_\(name)_SEED"].flatMap { UInt64($0) }
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let isRandom = environment["DEX_RANDOM_SEEDS"] == "1"
}
