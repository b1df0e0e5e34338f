import DexCore
import DexTerminal

/// Why `dex mcp` does not start, or does not answer a call.
enum MCPError: ErrorArea {
    /// stdin is a terminal: nobody there speaks JSON-RPC.
    static let needsClient = row(
        .usage("needs-client"),
        "dex mcp talks to a program on standard input, and that is a terminal.",
        hint: "Put this into the settings of the program that runs the model:\n"
            + #"{"mcpServers":{"dex":{"command":"dex","args":["mcp"]}}}"#
    )

    static func notAllowed(tool: String, ring: ToolRing) -> DexError {
        row(
            .refused("not-allowed"),
            "The tool \(tool) is not allowed here.",
            hint: "The user allows it by the server's settings: dex mcp --allow "
                + ring.rawValue
        )
    }

    /// policy.toml has no `[mcp]`.
    static func noLimits(tool: String) -> DexError {
        row(
            .refused("not-allowed"),
            "The tool \(tool) is not allowed without limits.",
            hint: "The user allows it by a table [mcp] in policy.toml: dex help mcp"
        )
    }

    static func busy(maximum: Int) -> DexError {
        row(
            .refused("busy"),
            "\(maximum) calls are running, which is the most.",
            hint: "Wait for one of them.",
            retryable: true
        )
    }

    static func tooLarge(bytes: Int, maximum: Int) -> DexError {
        row(
            .refused("too-large"),
            "The answer has \(bytes) bytes, and at most \(maximum) are sent.",
            hint: "Ask for less: depth, limit, a pair, or a later since."
        )
    }

    /// The account that the server was started with is gone; no other one is named.
    static let noAccount = row(
        .wallet("unknown-wallet"),
        "The account that this server was started with is not known.",
        hint: "The user names another in the server's settings: dex mcp --wallet NAME"
    )
}
