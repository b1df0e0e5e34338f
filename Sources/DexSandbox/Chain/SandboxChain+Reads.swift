import Ethereum

extension SandboxChain {
    /// Answers one question of an in-process client, without changing the chain.
    ///
    /// - Parameter base: the base of the last call, for the next one.
    func answer(_ read: ChainRead, _ base: inout CallBase?) throws(NodeError) -> ChainAnswer {
        switch read {
        case .chainID: .number(genesis.chainID)
        case .blockNumber: .number(head.header.number)
        case .block(let tag): .block(record(at: tag)?.block)
        case .fullBlock(let tag): .fullBlock(record(at: tag).map(fullBlock))
        case .balance(let address, let tag): .wei(Wei(try value(address, .ether, at: tag)))
        case .transactionCount(let address, let tag):
            .number(try transactionCount(of: address, at: tag))
        case .call(let request, let tag):
            .bytes(try answer(CallMessage(request), .tag(tag), &base))
        case .estimateGas(let request):
            .number(try estimateGas(CallMessage(request), at: .latest))
        case .syncing: .number(0)
        case .gasPrice: .wei(gasPrice)
        case .maxPriorityFeePerGas, .lineaTip: .wei(Wei(suggestedTip))
        case .feeHistory(let blocks, let percentiles):
            .feeHistory(
                try feeHistory(
                    blocks: blocks,
                    newest: .latest,
                    percentiles: percentiles.map { UInt64(min(max($0, 0), 1_000)) * 1_000 }
                ).history
            )
        case .logs(let filter): .logs(try logs(filter))
        case .transaction(let hash): .transaction(transaction(hash))
        case .receipt(let hash): .receipt(mined[hash].map(receipt))
        case .code(let address, let tag): .bytes(try code(of: address, at: tag))
        case .storage(let address, let slot, let tag):
            .word(try value(address, .word(UInt256(slot)), at: tag))
        case .accessList(let request):
            .accessList(try accessList(CallMessage(request), at: .latest))
        case .header(let tag): .header(record(at: tag)?.header.header)
        case .proof(let address, let slots, let tag):
            .proof(try proof(of: address, slots, at: tag))
        case .verbatim(let read): .verbatim(try json(read), try answer(read, &base))
        }
    }

    /// The block of a tag; nil for a future one.
    func record(at tag: BlockTag) -> BlockRecord? {
        guard let number = try? number(of: tag) else { return nil }  // a future block
        return blocks[index(number)]
    }

    private func fullBlock(_ record: BlockRecord) -> FullBlock {
        FullBlock(
            block: record.block,
            transactions: record.transactions.compactMap { hash in
                mined[hash].map { mined in
                    BlockTransaction(
                        hash: hash,
                        from: mined.signed.sender,
                        to: mined.signed.transaction.to,
                        value: mined.signed.transaction.value,
                        data: mined.signed.transaction.data
                    )
                }
            }
        )
    }

    func value(
        _ address: Address,
        _ slot: Slot,
        at tag: BlockTag
    ) throws(NodeError) -> UInt256 {
        try view(at: tag)[StorageKey(address, slot)]
    }

    /// eth_getTransactionCount; at pending it counts waiting transactions without a gap.
    func transactionCount(of address: Address, at tag: BlockTag) throws(NodeError) -> UInt64 {
        let nonce = try value(address, .nonce, at: tag).uint64 ?? 0
        return tag == .pending ? pool.nextNonce(of: address, from: nonce) : nonce
    }

    /// eth_getCode.
    func code(of address: Address, at tag: BlockTag) throws(NodeError) -> [UInt8] {
        try view(at: tag).code(of: address)
    }

    func transaction(_ hash: TransactionHash) -> TransactionInfo? {
        let record = mined[hash]
        guard let signed = record?.signed ?? pool[hash]?.signed else { return nil }
        let transaction = signed.transaction
        return TransactionInfo(
            hash: hash,
            from: signed.sender,
            to: transaction.to,
            nonce: transaction.nonce,
            value: transaction.value,
            gasLimit: transaction.gasLimit,
            data: transaction.data,
            authorizations: transaction.authorizations,
            blockNumber: record?.block,
            blockHash: record.map { blocks[index($0.block)].hash }
        )
    }

    func receipt(_ record: TransactionRecord) -> TransactionReceipt {
        TransactionReceipt(
            transactionHash: record.hash,
            blockNumber: record.block,
            blockHash: blocks[index(record.block)].hash,
            from: record.signed.sender,
            to: record.signed.transaction.to,
            succeeded: record.outcome.succeeded,
            gasUsed: record.outcome.gasUsed,
            effectiveGasPrice: Wei(UInt256(record.outcome.gasPrice)),
            logs: logs(of: record)
        )
    }

    /// The logs of a mined transaction, with their position.
    func logs(of record: TransactionRecord) -> [Log] {
        let blockHash = blocks[index(record.block)].hash
        return record.outcome.logs.enumerated().map { index, log in
            Log(
                address: log.address,
                topics: log.topics,
                data: log.data,
                blockNumber: record.block,
                blockHash: blockHash,
                transactionHash: record.hash,
                logIndex: record.firstLogIndex + UInt64(index)
            )
        }
    }

    // MARK: Logs

    /// The maximum number of logs in an answer.
    static let maximumLogs = 10_000
    /// The maximum number of addresses, topic positions and topics of a filter.
    static let maximumFilterTerms = 1_000

    /// eth_getLogs over a range of blocks.
    ///
    /// - Throws: `NodeError` for a reversed range, an unknown hash, or too many logs.
    func logs(_ filter: LogFilter) throws(NodeError) -> [Log] {
        let (from, to) = try range(of: filter)
        return try logs(filter, from: from, to: to)
    }

    /// The blocks of a filter, as far as they are there.
    ///
    /// - Throws: `NodeError` for a reversed range, or an unknown hash.
    func range(of filter: LogFilter) throws(NodeError) -> (from: UInt64, to: UInt64) {
        if let hash = filter.blockHash { try check(hash) }
        let from: UInt64
        switch filter.fromBlock {
        case .number(let number): from = number
        case .earliest: from = 0
        default: from = try number(of: filter.fromBlock)
        }
        var to = head.header.number
        if case .number(let number) = filter.toBlock {
            guard number >= from else { throw .refused("invalid block range params") }
            to = min(number, to)
        } else {
            to = try number(of: filter.toBlock)
        }
        return (from, to)
    }

    /// Refuses the logs of a block that is not in the chain, in geth's words.
    func check(_ block: BlockHash) throws(NodeError) {
        guard blockNumbers[block] == nil else { return }
        throw .refused("unknown block", as: ChainError.missingBlock)
    }

    /// The logs of a range of block numbers that match a filter.
    func logs(
        _ filter: LogFilter,
        from: UInt64,
        to: UInt64
    ) throws(NodeError) -> [Log] {
        guard from <= to else { return [] }
        guard fork == nil || from > first else {
            throw .refused(
                "this fork has no logs of up to block \(first), where it begins: ask a node of the "
                    + "live chain"
            )
        }
        guard filter.topics.count <= 4 else { throw .refused("exceed max topics") }
        let pattern = LogPattern(contracts: filter.addresses, topics: filter.topics)
        var found: [Log] = []
        for number in from...to {
            work(Self.workOfBlock)
            let block = blocks[index(number)]
            guard !block.transactions.isEmpty, block.header.bloom.mayMatch(filter) else { continue }
            for hash in block.transactions {
                guard let record = mined[hash], !record.outcome.logs.isEmpty else { continue }
                for log in logs(of: record) where pattern.matches(log) {
                    found.append(log)
                    work(Self.workOfLog)
                    guard found.count <= Self.maximumLogs else {
                        throw NodeError(
                            code: -32005,
                            message: "query returned more than \(Self.maximumLogs) results"
                        )
                    }
                }
            }
        }
        return found
    }
}
