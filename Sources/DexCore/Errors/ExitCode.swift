/// The exit codes of `dex`, a stable contract for scripts, listed in docs/output.md.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case fault = 1
    case usage = 2
    case configuration = 3
    case unreachable = 4
    case wallet = 5
    case refused = 6
    case relayRefused = 7
    case simulationFailed = 10
    case reverted = 11
    case notMinedYet = 12
    case replacedOrDropped = 13
    case filledLess = 14
    case resultLost = 15
    case declined = 20
    case planOnly = 25
    case dryRun = 30
    case interrupted = 130
}
