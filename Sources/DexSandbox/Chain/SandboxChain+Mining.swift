package import Ethereum

extension SandboxChain {
    /// Makes a block from executable pending transactions, empty or not.
    ///
    /// - Returns: the block.
    /// - Throws: `SandboxError` if it cannot be stored; the chain is then unchanged.
    @discardableResult
    package func mine() throws(SandboxError) -> Block {
        try makeBlock(maximumTransactions: .max).block
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
    func mineWaiting() throws(SandboxError) {
        while next(in: nextContext, view: world.latest, excluding: []) != nil {
            let block = try makeBlock(maximumTransactions: 1)
            // An admitted transaction can run; if it cannot, it waits instead of an endless retry.
            if block.transactions.isEmpty { break }
        }
    }

    private func next(
        in context: BlockContext,
        view: StateView,
        excluding: Set<Address>
    ) -> PooledTransaction? {
        pool.best(baseFee: context.baseFee, excluding: excluding) { sender in
            view[StorageKey(sender, .nonce)].uint64
        }
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
        var changes = setting
        var included: [(PooledTransaction, TransactionOutcome)] = []
        var unfit: Set<Address> = []
        var gasUsed: UInt64 = 0
        while included.count < maximumTransactions {
            let view = StateView(world: world, past: changes)
            guard let candidate = next(in: context, view: view, excluding: unfit) else { break }
            let room = head.header.gasLimit - gasUsed
            guard candidate.signed.transaction.gasLimit <= room,
                let run = runner.run(candidate.signed, on: view, in: context)
            else {
                // It stays in the pool: ether may arrive, and the next block has its own gas limit.
                unfit.insert(candidate.signed.sender)
                continue
            }
            changes.merge(run.changes) { _, newer in newer }
            included.append((candidate, run.outcome))
            gasUsed += run.outcome.gasUsed
        }
        let block = seal(context, gasUsed: gasUsed, changes: changes, included: included)
        try append(block, included: included, changes: changes)
        return block
    }

    /// Stores a block that was made or verified, with what it changes.
    func append(
        _ block: BlockRecord,
        included: [(PooledTransaction, TransactionOutcome)],
        changes: [StorageKey: UInt256]
    ) throws(SandboxError) {
        let number = block.header.number
        let records = records(of: included, block: number)
        let before = changes.reduce(into: [:]) { before, change in
            before[change.key] = world.value(change.key)
        }
        let stale = staleAfter(changes: changes, included: included.map(\.0))
        try store?.append(
            block: block,
            transactions: records,
            changes: changes,
            before: before,
            leavingPool: stale.map(\.hash)
        )
        world.commit(changes, before: before, block: number)
        blocks.append(block)
        blockNumbers[block.hash] = number
        for record in records { mined[record.hash] = record }
        for pooled in stale { pool.remove(pooled) }
        nextBaseFee = nil
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
    func seal(
        _ context: BlockContext,
        gasUsed: UInt64,
        changes: [StorageKey: UInt256],
        included: [(PooledTransaction, TransactionOutcome)]
    ) -> BlockRecord {
        var bloom = Bloom.empty
        var transactions: [RLP] = []
        var receipts: [RLP] = []
        var size: UInt64 = 0
        for (pooled, outcome) in included {
            if !outcome.logs.isEmpty { bloom.formUnion(Bloom(outcome.logs)) }
            let raw = pooled.signed.raw
            size += UInt64(raw.count)
            transactions.append(.bytes(raw))
            receipts.append(RecordCodec.rlp(outcome))
        }
        let header = SandboxHeader(
            parentHash: head.hash.word,
            coinbase: context.coinbase,
            stateRoot: StateRoot.after(head.header.stateRoot, changes: changes),
            transactionsRoot: Keccak256.hash(RLP.list(transactions).encoded),
            receiptsRoot: Keccak256.hash(RLP.list(receipts).encoded),
            bloom: bloom,
            number: context.number,
            gasLimit: head.header.gasLimit,
            gasUsed: gasUsed,
            timestamp: context.timestamp,
            baseFee: context.baseFee
        )
        return BlockRecord(
            header: header,
            transactions: included.map(\.0.hash),
            transactionBytes: size
        )
    }

    private func records(
        of included: [(PooledTransaction, TransactionOutcome)],
        block: UInt64
    ) -> [TransactionRecord] {
        var cumulative: UInt64 = 0
        var logs: UInt64 = 0
        return included.enumerated().map { index, item in
            cumulative += item.1.gasUsed
            defer { logs += UInt64(item.1.logs.count) }
            return TransactionRecord(
                signed: item.0.signed,
                hash: item.0.hash,
                outcome: item.1,
                block: block,
                index: UInt64(index),
                cumulativeGasUsed: cumulative,
                firstLogIndex: logs
            )
        }
    }
}

/// The running hash over all state changes, in place of Ethereum's trie root.
enum StateRoot {
    /// `keccak(root ++ key ++ value ++ ...)`, in the order of the keys.
    static func after(_ root: Bytes32, changes: [StorageKey: UInt256]) -> Bytes32 {
        guard !changes.isEmpty else { return root }
        var bytes = root.bytes
        let sorted = changes.map { (key: $0.key.encoded, value: $0.value) }
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
        for (key, value) in sorted {
            bytes += key
            value.word.append(to: &bytes)
        }
        return Keccak256.hash(bytes)
    }
}
