package import Ethereum
package import ZeroEx

/// Data that a node or a relay does not provide, or not reliably.
package enum ReadError: ErrorArea {
    package static let reorganized = row(
        .unreachable("reorganized"),
        "The chain changed while its logs were read.",
        hint: "Run the command again.",
        retryable: true,
        concerns: .removedLogs
    )

    package static func blockNotFound(_ number: UInt64) -> DexError {
        row(
            .unreachable("block-not-found"),
            "The node does not have block \(number), which it named as its latest.",
            hint: "It may be catching up; try again, or another node with --rpc.",
            retryable: true
        )
    }

    package static func unknownHash(_ word: Bytes32, network: String) -> DexError {
        row(
            .usage("unknown-hash"),
            "Neither the node, the relay nor the journal knows \(word).",
            hint: "Check the hash, and --network (now \"\(network)\"). A transaction that was "
                + "just sent may take a moment: --wait keeps looking.",
            retryable: true
        )
    }

    package static func logsRefused(block: UInt64, _ error: ChainError) -> DexError {
        row(
            .unreachable("logs-refused"),
            "The node does not give the logs of block \(block): "
                + PlainText.sentence(error.reason),
            hint: "Name a node that keeps the logs of old blocks with --rpc.",
            concerns: .refusedLogs
        )
    }

    package static func tooManyEvents(maximum: Int, block: UInt64) -> DexError {
        row(
            .unreachable("logs-refused"),
            "The node reports more than \(maximum) events of this account up to block \(block).",
            hint: "Name another node with --rpc; nothing was changed."
        )
    }

    package static func tooManyFills(maximum: Int) -> DexError {
        row(
            .unreachable("logs-refused"),
            "There are more than \(maximum) fills in that time.",
            hint: "Name a later time with --since."
        )
    }

    package static func tooManyRows(maximum: Int) -> DexError {
        row(
            .unreachable("logs-refused"),
            "There are more than \(maximum) rows in that time.",
            hint: "Name a later time with --since."
        )
    }

    package static func logsIncomplete(block: UInt64) -> DexError {
        row(
            .unreachable("logs-incomplete"),
            "The node does not return an event of block \(block) that it returned before, "
                + "and the block is the same.",
            hint: "The node may be catching up; try again, or another node with --rpc.",
            retryable: true,
            concerns: .missingLogs
        )
    }

    package static func tradeIncomplete(block: UInt64) -> DexError {
        row(
            .unreachable("logs-incomplete"),
            "The node does not return a trade of block \(block) that the journal has, and the block "
                + "is the same.",
            hint: "The node may be catching up; try again, or another node with --rpc. If the "
                + "journal is wrong: dex history rebuild --from-block \(block)",
            retryable: true,
            concerns: .missingLogs
        )
    }

    package static func unreadableReceipt(
        _ hash: TransactionHash,
        error: ExchangeError
    ) -> DexError {
        row(
            .unreachable("unreadable-receipt"),
            "The transaction \(hash) was mined, but the node's receipt "
                + "cannot be read: \(PlainText.clean(error.description))",
            hint: "Look with `dex status \(hash)` and another node (--rpc) before trading again."
        )
    }

    /// A book of an old block; the reason is a sentence.
    package static func oldBook(_ reason: String) -> DexError {
        row(
            .unreachable("old-book"),
            reason,
            hint: "Wait, or name another node with --rpc.",
            retryable: true
        )
    }

    package static func nodeBehind(count: UInt64, nonce: UInt64) -> DexError {
        row(
            .unreachable("node-behind"),
            "The node knows \(count) mined transactions of the account, and by the journal the one "
                + "with nonce \(nonce) is mined: the node is behind, or its chain was reset.",
            hint: "Wait, or name another node with --rpc. If the chain was reset, move the "
                + "journal away.",
            retryable: true
        )
    }
}
