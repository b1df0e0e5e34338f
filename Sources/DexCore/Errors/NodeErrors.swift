package import Ethereum
package import ZeroEx

/// A node that gave no usable answer.
extension ChainError: ErrorArea {
    package var report: ErrorReport {
        let message = PlainText.sentence(description)
        return switch self {
        case .unreachable, .badStatus:
            ErrorReport(
                .unreachable,
                "node-unreachable",
                message,
                hint: "Check the node's address (--rpc, or rpc in config.toml) and try again.",
                retryable: !isPermanent
            )
        case .rateLimited:
            ErrorReport(
                .unreachable,
                "node-rate-limited",
                message,
                hint: "Wait, or name a further node with --rpc.",
                retryable: true
            )
        case .nonsense:
            ErrorReport(
                .unreachable,
                "node-nonsense",
                message,
                hint: "Check that --rpc names the JSON-RPC address of an Ethereum node."
            )
        case .unaffordable, .missingBlock, .nonceUsed, .notTaken, .declined, .rpc:
            ErrorReport(
                .unreachable,
                "node-error",
                message,
                hint: "Try another node with --rpc."
            )
        case .reverted: ErrorReport(.simulationFailed, "would-revert", message)
        case .disagreement:
            ErrorReport(
                .unreachable,
                "nodes-disagree",
                message,
                hint: "Nothing is signed while they disagree. Check the nodes: dex doctor\n"
                    + "Name others with --rpc, or rpc in config.toml.",
                retryable: true
            )
        case .tooFewAnswers:
            ErrorReport(
                .unreachable,
                "too-few-nodes",
                message,
                hint: "Check the nodes: dex doctor\nName a further one as a spare: --rpc URL, or "
                    + "rpc in config.toml.",
                retryable: true
            )
        }
    }
}

/// A contract that is not an exchange, or cannot trade.
extension ExchangeError: ErrorArea {
    package var report: ErrorReport {
        switch self {
        case .notAnExchange, .otherHashes:
            ErrorReport(
                .configuration,
                "not-an-exchange",
                description,
                hint: "See the network's settings with `dex network list`."
            )
        case .notAuthorized: ErrorReport(.refused, "exchange-not-authorized", description)
        case .unreadableAnswer:
            ErrorReport(
                .unreachable,
                "exchange-nonsense",
                PlainText.clean(description),
                hint: "Try another node with --rpc."
            )
        }
    }
}
