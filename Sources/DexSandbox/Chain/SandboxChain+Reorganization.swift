import EVM
package import Ethereum

/// The handling of transactions in replaced blocks.
package enum ReplacedTransactions: String, CaseIterable, Sendable {
    /// They wait in the pool for the block after the new ones.
    case pool
    /// The node forgets them.
    case gone
    /// They are in the new blocks, with their outcome there.
    case mined
}

package struct Reorganization: Hashable, Sendable {
    package struct Transaction: Hashable, Sendable {
        package let hash: TransactionHash
        /// The block that it was in.
        package let block: UInt64
        package let fate: ReplacedTransactions
    }

    /// The newest block that old and new chain share.
    package let fork: UInt64
    /// The newest block now.
    package let head: UInt64
    /// The number of replaced blocks.
    package let replaced: UInt64
    /// The transactions of the replaced blocks, in order.
    package let transactions: [Transaction]
}

extension SandboxChain {
    /// The maximum number of replaced blocks: finalized ones stay.
    package static let maximumReorganization = finalizedDistance

    /// The producer of the other branch, so that its blocks differ from the replaced ones.
    static let otherProducer = Address(
        truncating: Keccak256.hash("dex sandbox: producer of the other branch".utf8)
    )

    /// Replaces the newest blocks with a branch that is one block longer.
    ///
    /// Filters report the new blocks and their logs; they do not report the removal of the old
    /// ones.
    ///
    /// - Parameter count: at least 1, and at most the number of blocks above the first.
    /// - Throws: `SandboxError` if there are too few blocks, or the change cannot be stored. The
    ///   chain is then unchanged, or shorter if it failed within the new blocks.
    package func reorganize(
        blocks count: UInt64,
        transactions fate: ReplacedTransactions
    ) throws(SandboxError) -> Reorganization {
        let newest = head.header.number - first
        guard count >= 1, count <= Self.maximumReorganization else {
            throw .badReorganization(
                "1 to \(Self.maximumReorganization) blocks can be replaced, not \(count)"
            )
        }
        guard count <= newest else {
            throw .badReorganization(
                "the chain has \(newest) blocks behind its first, and \(count) cannot be replaced"
            )
        }
        let fork = head.header.number - count
        let replaced = blocks[index(fork + 1)...].flatMap(\.transactions).compactMap { mined[$0] }
        let fees = blocks[index(fork + 1)].header.baseFee
        try rollBack(to: fork, waiting: fate == .gone ? [] : replaced.map(\.signed))
        let room = fate == .mined ? Int.max : 0
        for index in 0...count {
            // The branch starts with the base fee that the old one had there.
            if index == 0 { nextBaseFee = fees }
            try makeBlock(maximumTransactions: room, coinbase: Self.otherProducer)
        }
        return Reorganization(
            fork: fork,
            head: head.header.number,
            replaced: count,
            transactions: replaced.map { record in
                let isMined = mined[record.hash] != nil
                return Reorganization.Transaction(
                    hash: record.hash,
                    block: record.block,
                    fate: isMined ? .mined : fate == .gone ? .gone : .pool
                )
            }
        )
    }

    /// Removes the blocks after a number.
    ///
    /// - Parameters:
    ///   - fork: below the newest block.
    ///   - waiting: the transactions that wait again.
    /// - Throws: `SandboxError` if the state of that block is not kept any more, or the change
    ///   cannot be stored. The chain is then unchanged.
    func rollBack(to fork: UInt64, waiting: [SignedTransaction]) throws(SandboxError) {
        guard let changes = world.changes(backTo: fork) else {
            throw .badReorganization("the state of block \(fork) is not kept any more")
        }
        let removed = blocks[index(fork + 1)...]
        try store?.rollBack(to: blocks[index(fork)], changes: changes, waiting: waiting)
        world.rollBack(changes, to: fork, root: blocks[index(fork)].header.stateRoot)
        for block in removed {
            blockNumbers[block.hash] = nil
            for hash in block.transactions { mined[hash] = nil }
        }
        blocks.removeSubrange(index(fork + 1)...)
        for signed in waiting { pool.insert(signed, hash: signed.hash) }
        filters.rewind(to: fork + 1)
    }

    /// Sets the base fee of the next block, in wei; nil computes it from the newest block again.
    package func setNextBaseFee(_ fee: UInt64?) {
        nextBaseFee = fee
    }

    /// The base fee that the next block will have, in wei.
    package var baseFeeOfNextBlock: UInt64 {
        nextContext.baseFee.rawValue.w0
    }

    /// Reports another chain id to clients; nil reports the true one again.
    package func claim(chainID: UInt64?) {
        claimedChainID = chainID
    }

    /// Mines the executable waiting transactions if mining is instant.
    ///
    /// - Throws: `SandboxError` if a block cannot be stored.
    package func mineWhatCanRun() async throws(SandboxError) {
        if isAutomining { try await mineWaiting() }
    }

    /// The waiting transactions, in order of arrival.
    package var waiting: [TransactionHash] {
        pool.all.map(\.hash)
    }
}
