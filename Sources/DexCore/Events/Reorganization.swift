import Ethereum

/// What a reorganization may change, and how it shows: the one rule for all that is kept of the
/// chain.
enum Reorganization {
    /// Blocks below the latest that a usual one may change: they are read again each time.
    static let depth: UInt64 = 128

    /// The latest block that is kept for good; nil on a young chain.
    static func settled(below head: UInt64) -> UInt64? {
        head >= depth ? head - depth : nil
    }

    /// The block so far below another one, or the first.
    static func start(below block: UInt64) -> UInt64 { block - min(block, depth) }

    /// Whether the chain no longer has a block that was read before.
    ///
    /// A node that is behind lacks that block; in a sandbox, the chain was restarted.
    ///
    /// - Parameter found: the block of its number; nil if the node has none.
    static func removed(_ hash: BlockHash, _ found: Block?, _ session: Session) -> Bool {
        found.map { $0.hash != hash } ?? session.network.isSandbox
    }
}
