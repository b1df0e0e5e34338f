import DexTestSupport
import Foundation

/// How much is killed; what the environment does not say is for `make test`.
struct KillSettings: Sendable {
    /// Of the random moments and the sample of requests.
    let seed: UInt64
    /// Random moments of each command: DEX_KILL_RANDOM.
    let random: Int
    /// Every case: DEX_KILL_ALL=1.
    let isComplete: Bool

    /// All commands, or those that take every step that another takes.
    static func commands(_ enough: [KillCommand]) -> [KillCommand] {
        process.isComplete ? KillCommand.allCases : enough
    }

    static let process = KillSettings(ProcessInfo.processInfo.environment)

    init(_ environment: [String: String]) {
        seed = SampleSeed.of("KILL")
        random = environment["DEX_KILL_RANDOM"].flatMap { Int($0) } ?? 2
        isComplete = environment["DEX_KILL_ALL"] == "1"
        print("killed commands: DEX_KILL_SEED=\(seed)")
    }
}
