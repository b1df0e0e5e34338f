/// What an error means for the command, whatever its area; code decides by it where areas mix.
package enum ErrorKind: Sendable, CaseIterable {
    case fault
    case usage
    case configuration
    case unreachable
    case wallet
    case refused
    case relayRefused
    case simulationFailed
    case reverted
    case notMinedYet
    case replacedOrDropped
    case filledLess
    case declined
    case interrupted

    /// The exit code of a command that ends with such an error.
    package var exit: ExitCode {
        switch self {
        case .fault: .fault
        case .usage: .usage
        case .configuration: .configuration
        case .unreachable: .unreachable
        case .wallet: .wallet
        case .refused: .refused
        case .relayRefused: .relayRefused
        case .simulationFailed: .simulationFailed
        case .reverted: .reverted
        case .notMinedYet: .notMinedYet
        case .replacedOrDropped: .replacedOrDropped
        case .filledLess: .filledLess
        case .declined: .declined
        case .interrupted: .interrupted
        }
    }
}
