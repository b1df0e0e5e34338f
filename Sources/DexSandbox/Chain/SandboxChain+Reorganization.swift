package import Ethereum

/// What becomes of the transactions of blocks that are replaced.
package enum ReplacedTransactions: String, CaseIterable, Sendable {
    /// They wait in the pool for the block after the new ones.
    case pool
    /// The node forgets them.
    case gone
    /// They are in the new blocks, each as it runs there.
    case mined
}

/// What a reorganization did.
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
    /// How many blocks were replaced.
    package let replaced: UInt64
    /// Those of the replaced blocks, in their order.
    package let transactions: [Transaction]
}

extension SandboxChain {
    /// The most blocks that can be replaced: what is finalized stays.
    package static let maximumReorganization = finalizedDistance

    /// Who makes the blocks of the other branch, so that they differ from those they replace.
    private static let otherProducer = Address(
        truncating: Keccak256.hash("dex sandbox: producer of the other branch".utf8)
    )

    /// Replaces the newest blocks by a branch that is one block longer.
    ///
    /// Filters report the new blocks and their logs; that the old ones are gone they do not.
    ///
    /// - Parameter count: at least 1, and at most what there is above the first block.
    /// - Throws: `SandboxError` where there are not so many blocks, or the change cannot be kept;
    ///   the chain is then as before, or shorter where it broke off within the new blocks.
    package func reorganize(
        blocks count: UInt64,
        transactions fate: ReplacedTransactions
    ) throws(SandboxError) -> Reorganization {
        let newest = head.header.number
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
        let fork = newest - count
        guard let changes = world.changes(backTo: fork) else {
            throw .badReorganization("the state of block \(fork) is not kept any more")
        }
        let replaced = blocks[Int(fork + 1)...].flatMap(\.transactions).compactMap { mined[$0] }
        let waiting = fate == .gone ? [] : replaced.map(\.signed)
        let fees = blocks[Int(fork + 1)].header.baseFee
        try store?.rollBack(to: blocks[Int(fork)], changes: changes, waiting: waiting)
        world.rollBack(changes, to: fork)
        for block in blocks[Int(fork + 1)...] { blockNumbers[block.hash] = nil }
        blocks.removeSubrange(Int(fork + 1)...)
        for record in replaced { mined[record.hash] = nil }
        for signed in waiting { pool.insert(signed, hash: signed.hash) }
        filters.rewind(to: fork + 1)

        let room = fate == .mined ? Int.max : 0
        for index in 0...count {
            // The branch begins with the base fee that the old one had there.
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

    /// Sets the base fee of the next block, in wei; nil lets it follow from the newest one again.
    package func setNextBaseFee(_ fee: UInt64?) {
        nextBaseFee = fee
    }

    /// The base fee that the next block will have, in wei.
    package var baseFeeOfNextBlock: UInt64 {
        nextContext.baseFee
    }

    /// Claims to be another chain towards clients; nil tells the truth again.
    package func claim(chainID: UInt64?) {
        claimedChainID = chainID
    }

    /// Mines what waits and can run, where each transaction gets its block at once.
    ///
    /// - Throws: `SandboxError` where a block cannot be kept.
    package func mineWhatCanRun() throws(SandboxError) {
        if isAutomining { try mineWaiting() }
    }

    /// The transactions that wait, in the order of their arrival.
    package var waiting: [TransactionHash] {
        pool.all.map(\.hash)
    }
}
