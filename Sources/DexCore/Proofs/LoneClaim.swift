/// What one node alone says of a block that no other node has, where the newest block that they share
/// proves something else.
///
/// An honest node that is ahead says so too, for as long as the others lack its block. So it is no lie
/// that was caught; but nothing is signed that only such a claim allows.
package struct LoneClaim: Hashable, Sendable {
    private let claim: StateLie
    /// The block that the nodes share.
    private let block: UInt64

    /// - Parameters:
    ///   - claim: what the node says of its own block.
    ///   - block: the block of the proof.
    package init(_ claim: StateLie, proven block: UInt64) {
        (self.claim, self.block) = (claim, block)
    }
}

extension LoneClaim: ReportedError {
    package var report: DexError {
        Self.row(
            .unreachable("node-ahead"),
            "\(claim.node) alone says that \(claim.subject.words) is \(claim.claimed) at block "
                + "\(claim.block). At block \(block), which \(claim.nodes) "
                + "\(claim.nodes == 1 ? "node gives" : "nodes give"), it is proven to be "
                + "\(claim.proven), and on that the transaction is not what was planned. Nothing was "
                + "signed on it.",
            hint: "Try again in a moment: the other nodes may not have the block yet. If it stays "
                + "so, do not use this node: take it out of rpc in config.toml, or name others with "
                + "--rpc.",
            retryable: true
        )
    }
}
