import DexStore
import Ethereum

/// The blocks that a reorganization may change, and how it shows: the one rule for all that is kept
/// of the chain.
enum Reorganization {
    /// Blocks below the latest that a usual one may change: they are read again each time.
    static let depth: UInt64 = 128
    /// Blocks that are read again each time although the chain still has them: behind a load
    /// balancer, the node that returns the logs may not yet have the latest blocks of another.
    static let overlap: UInt64 = 12

    /// The latest block that is kept for good; nil on a young chain.
    static func settled(below head: UInt64) -> UInt64? {
        head >= depth ? head - depth : nil
    }

    /// The block so far below another one, or the first.
    static func start(below block: UInt64) -> UInt64 { block - min(block, depth) }

    /// Whether the chain no longer has a block that was read before.
    ///
    /// A node that is behind lacks that block; in a sandbox, the chain was restarted. Of a block
    /// whose hash was never read nothing else is known.
    ///
    /// - Parameter found: the block of its number; nil if the node has none.
    static func removed(_ hash: BlockHash, _ found: Block?, _ session: Session) -> Bool {
        guard let found else { return session.network.isSandbox }
        return hash != KeptRange.unknown && found.hash != hash
    }

    /// The blocks of earlier readings up to where the chain forked from them.
    ///
    /// - Parameters:
    ///   - blocks: ascending.
    ///   - head: the latest block; later ones are left out.
    static func standing(
        _ blocks: [WatchedBlock],
        upTo head: UInt64,
        _ session: Session
    ) async throws(DexError) -> [WatchedBlock] {
        let blocks = blocks.filter { $0.number <= head }
        var batch = ReadBatch()
        let slots = blocks.map { batch.add(.block(.number($0.number))) }
        let answers = try await batch.send(to: session.chain)
        var standing: [WatchedBlock] = []
        for (block, slot) in zip(blocks, slots) {
            guard try answers.value(slot)?.hash == block.hash else { break }
            standing.append(block)
        }
        return standing
    }
}

extension WatchedBlock {
    init(_ block: Block) { self.init(number: block.number, hash: block.hash) }
}
