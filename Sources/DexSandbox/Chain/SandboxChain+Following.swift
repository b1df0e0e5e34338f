import EVM
package import Ethereum

/// Blocks for other machines, and those of another machine, verified by executing them.
extension SandboxChain {
    /// The blocks after a number, oldest first, as many as a batch takes.
    package func batch(after number: UInt64) -> BlockBatch {
        var batch = BlockBatch(
            newest: head.header.number,
            newestHash: head.hash,
            blocks: []
        )
        guard number < head.header.number else { return batch }
        var bytes = 0
        for record in blocks[index(number + 1)...].prefix(BlockBatch.maximumBlocks) {
            let block = shared(record)
            batch.blocks.append(block)
            bytes += block.size
            if bytes >= BlockBatch.fullBytes { break }
        }
        return batch
    }

    private func shared(_ record: BlockRecord) -> SharedBlock {
        SharedBlock(
            hash: record.hash,
            header: record.header.rlp.encoded,
            transactions: record.transactions.compactMap { mined[$0]?.signed.raw }
        )
    }

    /// The hash of a block; nil if there is none with the number.
    package func hash(ofBlock number: UInt64) -> BlockHash? {
        (first...head.header.number).contains(number) ? blocks[index(number)].hash : nil
    }

    /// A block with the hash is part of the chain.
    package func hasBlock(_ hash: BlockHash) -> Bool { blockNumbers[hash] != nil }

    /// Forgets a waiting transaction that the machine which makes the blocks has refused.
    ///
    /// - Throws: `SandboxError` if that cannot be stored.
    package func forget(_ hash: TransactionHash) throws(SandboxError) {
        guard let pooled = pool[hash] else { return }
        try store?.forget(hash)
        pool.remove(pooled)
    }

    /// The signed bytes of the waiting transactions, in order of arrival.
    package var waitingBytes: [[UInt8]] { pool.all.map(\.signed.raw) }

    /// Removes the blocks after a number; their transactions are forgotten.
    ///
    /// - Returns: the removed blocks, oldest first.
    /// - Throws: `SandboxError` if the state of that block is not kept any more, or the change
    ///   cannot be stored. The chain is then unchanged.
    package func removeBlocks(after fork: UInt64) throws(SandboxError) -> [SharedBlock] {
        guard fork < head.header.number else { return [] }
        let removed = blocks[index(fork + 1)...].map(shared)
        try rollBack(to: fork, waiting: [])
        return removed
    }

    /// Replaces the blocks after a number by those of another branch if all of them verify.
    ///
    /// No reader sees a part of the change.
    ///
    /// - Throws: `BlockMismatch`, and the chain is unchanged; `SandboxError` if the state of that block
    ///   is not kept any more, or the change cannot be stored.
    package func replaceBlocks(after fork: UInt64, with branch: [SharedBlock]) throws {
        let removed = try removeBlocks(after: fork)
        do {
            for block in branch { try append(block) }
        } catch {
            _ = try removeBlocks(after: fork)
            for block in removed { try append(block) }
            throw error
        }
    }

    /// Appends a block of another machine if it is what this chain's rules make of its transactions.
    ///
    /// Verified are the header's hash and its parent's, the producer, the signatures, and by
    /// executing it the roots of transactions, receipts and state, the logs and the gas. The time only
    /// has to rise, and the base fee is taken as it is, since the operator may set both.
    ///
    /// - Throws: `BlockMismatch`, or `SandboxError` if it cannot be stored; the chain is unchanged.
    package func append(_ shared: SharedBlock) throws {
        let header = try header(of: shared)
        var draft = BlockDraft(context(of: header), on: self)
        for (index, raw) in shared.transactions.enumerated() {
            func refused(_ reason: String) -> BlockMismatch {
                mismatch(.transaction(index: index, reason: reason))
            }
            let signed: SignedTransaction
            do throws(NodeError) {
                signed = try decoded(raw: raw)
                try checkByItself(signed)
            } catch {
                throw refused(error.message)
            }
            guard signed.transaction.gasLimit <= header.gasLimit - draft.gasUsed else {
                throw refused("the block has no gas left for it")
            }
            let hash = TransactionHash(Keccak256.hash(raw))
            do throws(Execution.Gap) {
                try draft.run(
                    PooledTransaction(signed: signed, hash: hash, arrival: 0),
                    on: self
                )
            } catch {
                throw refused(
                    error.refusal
                        ?? "its sender cannot send it with this nonce, price and value now"
                )
            }
        }
        var effects = draft.effects
        if draft.included.isEmpty { effects.changes = operatorChanges(to: header.stateRoot) }
        let commitment = world.commitment(with: effects.changes)
        let block = seal(draft, root: commitment.root)
        try compare(header, block.header)
        try append(block, included: draft.included, effects: effects, commitment: commitment)
    }

    /// The header of a block that follows on the newest one.
    private func header(of shared: SharedBlock) throws(BlockMismatch) -> SandboxHeader {
        guard shared.header.count <= BlockBatch.maximumHeaderBytes,
            let rlp = try? RLP.decode(shared.header),  // nil: no RLP
            let header = SandboxHeader(rlp: rlp)
        else { throw mismatch(.malformedHeader) }
        let computed = Keccak256.hash(shared.header)
        guard computed == shared.hash.word else {
            throw mismatch(.hash(announced: shared.hash.word, computed: computed))
        }
        guard header.parentHash == head.hash.word else {
            throw mismatch(.parent(announced: header.parentHash, expected: head.hash.word))
        }
        guard header.number == head.header.number + 1 else {
            throw mismatch(.rule("its number is announced as \(header.number)"))
        }
        guard header.timestamp > head.header.timestamp, header.timestamp < Genesis.endOfTime else {
            throw mismatch(
                .rule(
                    "its time is announced as \(header.timestamp), and that of the block before it "
                        + "is \(head.header.timestamp)"
                )
            )
        }
        guard header.gasLimit == head.header.gasLimit else {
            throw mismatch(
                .rule(
                    "its gas limit is announced as \(header.gasLimit), not \(head.header.gasLimit)"
                )
            )
        }
        guard [genesis.coinbase, Self.otherProducer].contains(header.coinbase) else {
            throw mismatch(.rule("its producer \(header.coinbase.checksummed) is not this chain's"))
        }
        return header
    }

    /// What the operator may change by a block without transactions: whether the swap venue is paused,
    /// or whether a token keeps a fee.
    ///
    /// - Returns: the change that gives a state root; none if no such change does.
    private func operatorChanges(to root: Bytes32) -> [StorageKey: UInt256] {
        guard root != head.header.stateRoot else { return [:] }
        let fees = genesis.tokens.filter(\.canStartFee).map(\.address).map { token in
            feeChanges(!hasTransferFee(token), of: token)
        }
        let pauses = genesis.swap.flatMap { swap in
            swapRegistry?.turned.slots(of: swap.registry)
        }
        return (fees + [pauses].compactMap { $0 }).first {
            world.commitment(with: $0).root == root
        } ?? [:]
    }

    private func compare(
        _ announced: SandboxHeader,
        _ computed: SandboxHeader
    ) throws(BlockMismatch) {
        func check(_ result: BlockMismatch.Result, _ text: (SandboxHeader) -> String)
            throws(BlockMismatch)
        {
            let (found, own) = (text(announced), text(computed))
            guard found == own else {
                throw mismatch(.result(result, announced: found, computed: own))
            }
        }
        try check(.transactionsRoot) { $0.transactionsRoot.hex }
        try check(.gasUsed) { "\($0.gasUsed)" }
        try check(.receiptsRoot) { $0.receiptsRoot.hex }
        try check(.bloom) { Keccak256.hash($0.bloom.bytes).hex }
        try check(.stateRoot) { $0.stateRoot.hex }
        // Every other member was compared before the execution.
        guard announced == computed else {
            throw mismatch(.rule("its header has a member that this chain's headers do not have"))
        }
    }

    private func mismatch(_ difference: BlockMismatch.Difference) -> BlockMismatch {
        BlockMismatch(block: head.header.number + 1, difference: difference)
    }
}
