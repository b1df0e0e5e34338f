package import Ethereum

/// What a node or a relay does not tell, or not in a way that can be relied on.
package enum ReadError: ErrorArea {
    case reorganized
    case blockNotFound(UInt64)
    case unknownHash(Bytes32, network: String)
    case logsRefused(block: UInt64, ChainError)
    case tooManyEvents(most: Int, block: UInt64)
    case logsIncomplete(block: UInt64)

    package var report: ErrorReport {
        switch self {
        case .reorganized:
            ErrorReport(
                .unreachable,
                "reorganized",
                "The chain changed while its logs were read.",
                hint: "Run the command again.",
                retryable: true
            )
        case .blockNotFound(let number):
            ErrorReport(
                .unreachable,
                "block-not-found",
                "The node does not have block \(number), which it named as its latest.",
                hint: "It may be catching up; try again, or another node with --rpc.",
                retryable: true
            )
        case .unknownHash(let word, let network):
            ErrorReport(
                .usage,
                "unknown-hash",
                "Neither the node, the relay nor the journal knows \(word).",
                hint: "Check the hash, and --network (now \"\(network)\"). A transaction that was "
                    + "just sent may take a moment: --wait keeps looking.",
                retryable: true
            )
        case .logsRefused(let block, let error):
            ErrorReport(
                .unreachable,
                "logs-refused",
                "The node does not give the logs of block \(block): "
                    + PlainText.sentence(error.reason),
                hint: "Name a node that keeps the logs of old blocks with --rpc."
            )
        case .tooManyEvents(let most, let block):
            ErrorReport(
                .unreachable,
                "logs-refused",
                "The node reports more than \(most) events of this "
                    + "account up to block \(block).",
                hint: "Name another node with --rpc; nothing was changed."
            )
        case .logsIncomplete(let block):
            ErrorReport(
                .unreachable,
                "logs-incomplete",
                "The node does not return an event of block \(block) that it returned before, "
                    + "and the block is the same.",
                hint: "The node may be catching up; try again, or another node with --rpc.",
                retryable: true
            )
        }
    }
}
