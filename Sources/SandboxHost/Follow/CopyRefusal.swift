package import DexSandbox
package import Ethereum

/// Why a copy of another machine's sandbox stops: what came from there does not verify.
package enum CopyRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case block(BlockMismatch)
    /// The other machine's chain began otherwise.
    case otherGenesis(found: BlockHash, expected: BlockHash)
    /// Its blocks have no block in common with the newest of the copy.
    case deepFork(block: UInt64, depth: UInt64)
    /// Its chain has more blocks than a copy keeps.
    case tooLong(maximum: UInt64)

    package var description: String {
        switch self {
        case .block(let mismatch): mismatch.description
        case .otherGenesis(let found, let expected):
            "The sandbox began otherwise: its block 0 is \(found.hex), and this copy's is "
                + "\(expected.hex)."
        case .deepFork(let block, let depth):
            "The sandbox's chain leaves this copy's before block \(block): more than \(depth) blocks "
                + "would be replaced."
        case .tooLong(let maximum):
            "The sandbox's chain has more than \(maximum) blocks, and a copy keeps no more."
        }
    }
}
