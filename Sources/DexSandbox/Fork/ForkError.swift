package import Ethereum

/// Why a fork of a live chain cannot begin, or go on.
package enum ForkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The node of the live chain gives no usable answer; the reason is a clause.
    case silent(reason: String)
    /// The node does not have the block, or not its state any more.
    case noBlock(UInt64, reason: String)
    /// The chain has no such block yet.
    case ahead(UInt64, newest: UInt64)
    /// The node has another block at the fork's number.
    case reorganized(block: UInt64, hash: BlockHash, found: BlockHash)
    case otherChain(found: UInt64, kept: UInt64)
    /// Its contracts are no code of the EVM.
    case otherMachine(chain: UInt64)
    /// The chain's rules are newer than those that are known here.
    case newerRules(chain: UInt64)
    /// Nothing can be fetched, and this was never fetched.
    case offline(String, point: ForkPoint)
    /// As above, of the chain's past; the words say of what.
    case offlinePast(String, point: ForkPoint)
    /// More was fetched than is kept.
    case full
    /// A run goes on asking for more.
    case endless

    package var description: String {
        switch self {
        case .silent(let reason): "The live chain's node gives no usable answer: \(reason)."
        case .noBlock(let number, let reason):
            "The node does not have the state of block \(number) (\(reason)). Most nodes keep that of "
                + "the last 128 blocks: give a newer --block, or an archive node."
        case .ahead(let number, let newest):
            "Block \(number) cannot be forked: the node's newest is \(newest)."
        case .reorganized(let number, let hash, let found):
            "The live chain has replaced block \(number), on which this fork is: it was \(hash.hex), and "
                + "the node now has \(found.hex). Nothing is read from that node any more; run `dex "
                + "sandbox reset`, and fork again."
        case .otherChain(let found, let kept):
            "The node is one of chain \(found), and this fork is of chain \(kept). Give a node of that "
                + "chain, or run `dex sandbox reset` first."
        case .otherMachine(let chain):
            "Chain \(chain) cannot be forked: its contracts are no code of the EVM."
        case .newerRules(let chain):
            "Chain \(chain) cannot be forked: its rules are newer than those that dex knows."
        case .offline(let what, let point):
            "This fork has never fetched \(what) of block \(point.block.number) of chain "
                + "\(point.chainID), and has no node to ask: start it with `dex sandbox up --fork "
                + "URL` of a node that still has the block."
        case .offlinePast(let what, let point):
            "This fork has never fetched \(what) of chain \(point.chainID), and has no node to ask: "
                + "start it with `dex sandbox up --fork URL` of a node of that chain."
        case .full:
            "This fork keeps \(ForkSource.maximumValues) accounts and words and "
                + "\(ForkSource.maximumCode >> 20) MB of code of the live chain, and no more. Run `dex "
                + "sandbox reset`, and fork again."
        case .endless: "The call asks for more and more of the live chain's state."
        }
    }
}

/// An error that can say why a fork does not have what is asked for.
protocol ForkFailure: Error {
    static func fork(_ error: ForkError) -> Self
}

extension NodeError: ForkFailure {
    static func fork(_ error: ForkError) -> NodeError {
        NodeError(code: -32000, message: error.description)
    }
}
