import EVM
package import Ethereum

extension SandboxChain {
    /// Makes a block from executable pending transactions, empty or not.
    ///
    /// - Returns: the block.
    /// - Throws: `SandboxError` if it cannot be stored; the chain is then unchanged.
    @discardableResult
    package func mine() async throws(SandboxError) -> Block {
        do throws(SandboxError) {
            return try await onState { () throws(SandboxError) in
                try makeBlock(maximumTransactions: .max).block
            }
        } catch .fork {
            // What a waiting transaction needs cannot be fetched: it goes on waiting.
            return try makeBlock(maximumTransactions: 0).block
        }
    }

    /// Makes blocks at the interval of timed mining until the task is cancelled; otherwise only
    /// waits.
    ///
    /// - Throws: `SandboxError` if a block cannot be stored; `CancellationError`.
    package nonisolated func makeTimedBlocks() async throws {
        var period: UInt64 = 3_600
        var isTimed = false
        if case .interval(let seconds) = configuration.mining {
            isTimed = true
            period = min(max(seconds, 1), period)
        }
        while true {
            try await Task.sleep(for: .seconds(Int64(period)))
            if isTimed { try await mine() }
        }
    }

    /// Gives each executable transaction its own block.
    func mineWaiting() async throws(SandboxError) {
        while true {
            do throws(SandboxError) {
                let block = try await onState { () throws(SandboxError) in
                    hasNext ? try makeBlock(maximumTransactions: 1) : nil
                }
                // An admitted transaction can run; if it cannot, it waits instead of an endless retry.
                guard let block, !block.transactions.isEmpty else { return }
            } catch .fork {
                // What it needs cannot be fetched: it waits.
                return
            }
        }
    }

    private var hasNext: Bool {
        pool.best(baseFee: nextContext.baseFee.rawValue, excluding: []) { sender in
            world.value(StorageKey(sender, .nonce)).uint64
        } != nil
    }

    /// Makes a block from waiting transactions, best tips first.
    ///
    /// - Parameters:
    ///   - coinbase: the producer, instead of the usual one.
    ///   - setting: values that no transaction changes, such as what the deployer does.
    @discardableResult
    func makeBlock(
        maximumTransactions: Int,
        coinbase: Address? = nil,
        setting: [StorageKey: UInt256] = [:]
    ) throws(SandboxError) -> BlockRecord {
        var context = nextContext
        if let coinbase { context.coinbase = coinbase }
        var draft = BlockDraft(context, on: self)
        var unfit: Set<Address> = []
        var refused: [PooledTransaction] = []
        while draft.included.count < maximumTransactions {
            let candidate = pool.best(baseFee: context.baseFee.rawValue, excluding: unfit) {
                draft.nonce(of: $0)
            }
            guard let candidate else { break }
            do throws(Execution.Gap) {
                guard candidate.signed.transaction.gasLimit <= head.header.gasLimit - draft.gasUsed
                else { throw .refused(.gasTooHigh(maximum: head.header.gasLimit - draft.gasUsed)) }
                try draft.run(candidate, on: self)
            } catch {
                // It stays in the pool: ether may arrive, and the next block has its own gas limit.
                // What this chain cannot run does not.
                unfit.insert(candidate.signed.sender)
                if error.refusal != nil { refused.append(candidate) }
            }
        }
        var effects = draft.effects
        effects.changes.merge(setting) { _, set in set }
        let commitment = world.commitment(with: effects.changes)
        let block = seal(draft, root: commitment.root)
        try append(
            block,
            included: draft.included,
            effects: effects,
            commitment: commitment,
            refused: refused
        )
        return block
    }

    /// Stores a block that was made or verified, with what it changes.
    ///
    /// - Parameters:
    ///   - commitment: of the state after it.
    ///   - refused: transactions of the pool that cannot run here.
    func append(
        _ block: BlockRecord,
        included: [(PooledTransaction, TransactionOutcome)],
        effects: BlockEffects,
        commitment: StateCommitment,
        refused: [PooledTransaction] = []
    ) throws(SandboxError) {
        let number = block.header.number
        let changes = effects.changes
        let records = TransactionRecord.list(
            included.map { ($0.0.signed, $0.0.hash, $0.1) },
            block: number
        )
        let before = changes.reduce(into: [:]) { before, change in
            before[change.key] = world.value(change.key)
        }
        let stale = staleAfter(changes: changes, included: included.map(\.0)) + refused
        try checkKnown(as: SandboxError.self)
        try store?.append(
            block: block,
            transactions: records,
            effects: effects,
            before: before,
            leavingPool: stale.map(\.hash)
        )
        world.commit(effects, commitment: commitment, before: before, block: number)
        blocks.append(block)
        blockNumbers[block.hash] = number
        for record in records { mined[record.hash] = record }
        for pooled in stale { pool.remove(pooled) }
        nextBaseFee = nil
        nextTimestamp = nil
    }

    /// The transactions that leave the pool with a block: its own, and those with a used nonce.
    private func staleAfter(
        changes: [StorageKey: UInt256],
        included: [PooledTransaction]
    ) -> [PooledTransaction] {
        let hashes = Set(included.map(\.hash))
        guard !hashes.isEmpty else { return [] }
        return pool.all.filter { pooled in
            let key = StorageKey(pooled.signed.sender, .nonce)
            return hashes.contains(pooled.hash)
                || UInt256(pooled.nonce) < changes[key] ?? world.value(key)
        }
    }

    /// The block of executed transactions, on the newest one.
    ///
    /// - Parameter root: of the state after it.
    func seal(_ draft: BlockDraft, root: Bytes32) -> BlockRecord {
        var bloom = Bloom.empty
        var receipts: [[UInt8]] = []
        var cumulative: UInt64 = 0
        for (pooled, outcome) in draft.included {
            cumulative += outcome.gasUsed
            let receipt = ReceiptPayload(
                type: pooled.signed.transaction.type,
                succeeded: outcome.succeeded,
                cumulativeGasUsed: cumulative,
                logs: outcome.logs
            )
            bloom.formUnion(receipt.bloom)
            receipts.append(receipt.encoded)
        }
        let transactions = draft.included.map(\.0.signed.raw)
        let header = SandboxHeader(
            parentHash: head.hash.word,
            coinbase: draft.context.coinbase,
            stateRoot: root,
            transactionsRoot: MerkleTrie(list: transactions).root,
            receiptsRoot: MerkleTrie(list: receipts).root,
            bloom: bloom,
            number: draft.context.number,
            gasLimit: head.header.gasLimit,
            gasUsed: draft.gasUsed,
            timestamp: draft.context.timestamp,
            baseFee: draft.context.baseFee.rawValue.w0
        )
        return BlockRecord(
            header: header,
            transactions: draft.included.map(\.0.hash),
            transactionBytes: transactions.reduce(0) { $0 + UInt64($1.count) }
        )
    }
}
