package import Ethereum

/// A block that is named wrongly, or that the node does not have.
package enum BlockError: ErrorArea {
    package static func notABlock(_ text: String) -> DexError {
        row(
            .usage("bad-block"),
            "\(PlainText.quoted(text, limit: 80)) does not name a block: a number, latest, "
                + "or a hash of 0x and 64 digits is expected.",
            hint: "Such as dex block 1200 or dex block latest."
        )
    }

    package static func ahead(_ number: UInt64, latest: UInt64) -> DexError {
        row(
            .usage("block-ahead"),
            "The chain has no block \(number) yet: its latest is \(latest).",
            hint: "See the latest: dex block latest",
            retryable: true
        )
    }

    package static func unknownHash(_ hash: BlockHash, network: String) -> DexError {
        row(
            .usage("unknown-block"),
            "The node has no block with the hash \(hash).",
            hint: "Check the hash, and --network (now \"\(network)\"). A reorganization may "
                + "have removed the block. A transaction is shown by: dex status \(hash)"
        )
    }

    /// A block of the node's own past, such as one that a light node left out.
    package static func missing(_ number: UInt64) -> DexError {
        row(
            .unreachable("block-not-found"),
            "The node does not return block \(number), although its chain is longer.",
            hint: "It may be catching up; try again, or another node with --rpc.",
            retryable: true
        )
    }
}
