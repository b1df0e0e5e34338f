import DexCore
import Ethereum

/// An agent of an unlocked key that does not start or answer.
enum AgentStartError: ErrorArea {
    case notStarted(reason: String)
    case noKey
    case silent(Address)

    var report: ErrorReport {
        switch self {
        case .notStarted(let reason):
            ErrorReport(
                .wallet,
                "agent-start",
                "The key was not unlocked: its agent did not start ("
                    + PlainText.clean(reason, limit: 400) + ")."
            )
        case .noKey:
            ErrorReport(
                .usage,
                "agent-start",
                "This process keeps a key that dex unlock hands over, and got none.",
                hint: "Use dex unlock instead."
            )
        case .silent(let address):
            ErrorReport(
                .wallet,
                "agent-silent",
                "The agent of \(address.checksummed) does not say what it may sign.",
                hint: "Lock it: dex lock"
            )
        }
    }
}
