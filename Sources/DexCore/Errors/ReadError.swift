package import Ethereum
package import ZeroEx

/// Data that a node or a relay does not provide, or not reliably.
package enum ReadError: ErrorArea {
    case reorganized
    case blockNotFound(UInt64)
    case unknownHash(Bytes32, network: String)
    case logsRefused(block: UInt64, ChainError)
    case tooManyEvents(most: Int, block: UInt64)
    case tooManyFills(most: Int)
    case tooManyRows(most: Int)
    case logsIncomplete(block: UInt64)
    case unreadableReceipt(TransactionHash, error: ExchangeError)
    /// A book of an old block; the reason is a sentence.
    case oldBook(String)
    case nodeBehind(count: UInt64, nonce: UInt64)

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
        case .tooManyFills(let most):
            ErrorReport(
                .unreachable,
                "logs-refused",
                "There are more than \(most) fills in that time.",
                hint: "Name a later time with --since."
            )
        case .tooManyRows(let most):
            ErrorReport(
                .unreachable,
                "logs-refused",
                "There are more than \(most) rows in that time.",
                hint: "Name a later time with --since."
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
        case .unreadableReceipt(let hash, let error):
            ErrorReport(
                .unreachable,
                "unreadable-receipt",
                "The transaction \(hash) was mined, but the node's receipt "
                    + "cannot be read: \(PlainText.clean(error.description))",
                hint: "Look with `dex status \(hash)` and another node (--rpc) before "
                    + "trading again."
            )
        case .oldBook(let reason):
            ErrorReport(
                .unreachable,
                "old-book",
                reason,
                hint: "Wait, or name another node with --rpc.",
                retryable: true
            )
        case .nodeBehind(let count, let nonce):
            ErrorReport(
                .unreachable,
                "node-behind",
                "The node knows \(count) mined transactions of the account, and by the "
                    + "journal the one with nonce \(nonce) is mined: the node is behind, or its "
                    + "chain began anew.",
                hint: "Wait, or name another node with --rpc. If the chain began anew, move the "
                    + "journal away.",
                retryable: true
            )
        }
    }
}
