import DexCore
import Ethereum

/// An agent of an unlocked key that does not start or answer.
enum AgentStartError: ErrorArea {
    static func notStarted(reason: String) -> DexError {
        row(
            .wallet("agent-start"),
            "The key was not unlocked: its agent did not start ("
                + PlainText.clean(reason, limit: 400) + ")."
        )
    }

    static let noKey = row(
        .usage("agent-start"),
        "This process keeps a key that dex unlock hands over, and got none.",
        hint: "Use dex unlock instead."
    )

    static func silent(_ address: Address) -> DexError {
        row(
            .wallet("agent-silent"),
            "The agent of \(address.checksummed) does not say what it may sign.",
            hint: "Lock it: dex lock"
        )
    }
}
