package import Ethereum
package import ZeroEx

/// A node that gave no usable answer.
extension ChainError: ReportedError {
    package var report: DexError {
        let message = PlainText.sentence(description)
        return switch self {
        case .unreachable, .badStatus:
            Self.row(
                .unreachable("node-unreachable"),
                message,
                hint: "Check the node's address (--rpc, or rpc in config.toml) and try again.",
                retryable: !isPermanent,
                concerns: .silence
            )
        case .rateLimited:
            Self.row(
                .unreachable("node-rate-limited"),
                message,
                hint: "Wait, or name a further node with --rpc.",
                retryable: true
            )
        case .nonsense:
            Self.row(
                .unreachable("node-nonsense"),
                message,
                hint: "Check that --rpc names the JSON-RPC address of an Ethereum node."
            )
        case .unaffordable, .missingBlock, .nonceUsed, .notTaken, .declined, .rpc:
            Self.row(
                .unreachable("node-error"),
                message,
                // A sandbox names the command itself that mends it.
                hint: message.contains("dex sandbox") ? nil : "Try another node with --rpc."
            )
        case .reverted: Self.row(.simulationFailed("would-revert"), message)
        case .disagreement:
            Self.row(
                .unreachable("nodes-disagree"),
                message,
                hint: "Nothing is signed while they disagree. Check the nodes: dex doctor\n"
                    + "Name others with --rpc, or rpc in config.toml.",
                retryable: true,
                concerns: .disagreement
            )
        case .tooFewAnswers:
            Self.row(
                .unreachable("too-few-nodes"),
                message,
                hint: "Check the nodes: dex doctor\nName a further one as a spare: --rpc URL, or "
                    + "rpc in config.toml.",
                retryable: true
            )
        }
    }
}

/// A contract that is not an exchange, or cannot trade.
extension ExchangeError: ReportedError {
    package static let concerns: ErrorConcerns = .venue

    package var report: DexError {
        switch self {
        case .notAnExchange, .otherHashes:
            Self.row(
                .configuration("not-an-exchange"),
                description,
                hint: "See the network's settings with `dex network list`.",
                concerns: .foreignExchange
            )
        case .notAuthorized: Self.row(.refused("exchange-not-authorized"), description)
        case .unreadableAnswer:
            Self.row(
                .unreachable("exchange-nonsense"),
                PlainText.clean(description),
                hint: "Try another node with --rpc."
            )
        }
    }
}
