import Ethereum
import StrictJSON

extension SandboxChain {
    /// The answer to web3_clientVersion.
    static let clientVersion = "dex-sandbox/2"

    /// The result of a method as JSON.
    func json(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) throws(NodeError) -> JSONValue {
        switch method {
        case .web3_clientVersion: return .string(Self.clientVersion)
        case .net_version: return .string(String(claimedChainID ?? genesis.chainID))
        case .net_listening: return true
        case .eth_syncing: return false
        case .eth_accounts: return []
        case .eth_chainId: return RPCEncoding.quantity(claimedChainID ?? genesis.chainID)
        case .eth_blockNumber: return RPCEncoding.quantity(head.header.number)
        case .eth_gasPrice: return RPCEncoding.quantity(gasPrice.rawValue)
        case .eth_maxPriorityFeePerGas: return RPCEncoding.quantity(suggestedTip)
        case .eth_getBlockByNumber, .eth_getBlockByHash: return try blockJSON(method, parameters)
        case .eth_getBlockTransactionCountByNumber, .eth_getBlockTransactionCountByHash:
            guard let record = try record(method, parameters) else { return .null }
            return RPCEncoding.quantity(UInt64(record.transactions.count))
        case .eth_getBalance:
            return RPCEncoding.quantity(
                try value(parameters.address(0), .ether, at: tag(parameters.block(1)))
            )
        case .eth_getTransactionCount:
            return RPCEncoding.quantity(
                try transactionCount(of: parameters.address(0), at: tag(parameters.block(1)))
            )
        case .eth_getCode:
            let address = try parameters.address(0)
            return RPCEncoding.data(try code(of: address, at: try tag(parameters.block(1))))
        case .eth_getStorageAt:
            let place = try parameters.place(1)
            let word = try value(parameters.address(0), .word(place), at: tag(parameters.block(2)))
            return .string(word.word.hex)
        case .eth_getProof: return try proofJSON(parameters)
        case .eth_estimateGas:
            guard parameters.optional(2) == nil else {
                throw .invalidParameters("state overrides are not supported by this chain")
            }
            return RPCEncoding.quantity(
                try estimateGas(parameters.call(0), at: tag(parameters.block(1)))
            )
        case .eth_createAccessList: return try accessListJSON(parameters)
        case .eth_feeHistory: return try feeHistoryJSON(parameters)
        case .eth_getLogs, .eth_newFilter, .eth_newBlockFilter, .eth_getFilterChanges,
            .eth_getFilterLogs, .eth_uninstallFilter, .eth_newPendingTransactionFilter:
            return try filterJSON(method, parameters)
        case .eth_getTransactionByHash:
            return transactionJSON(TransactionHash(try parameters.word(0))) ?? .null
        case .eth_getTransactionByBlockNumberAndIndex, .eth_getTransactionByBlockHashAndIndex:
            let index = try parameters.quantity(1)
            guard let record = try record(method, parameters),
                index < UInt64(record.transactions.count)
            else { return .null }
            return transactionJSON(record.transactions[Int(index)]) ?? .null
        case .eth_getTransactionReceipt:
            let hash = TransactionHash(try parameters.word(0))
            return mined[hash].map(receiptJSON) ?? .null
        case .eth_getBlockReceipts:
            guard let record = record(at: try tag(parameters.block(0))) else { return .null }
            return .array(record.transactions.compactMap { mined[$0].map(receiptJSON) })
        case .sandbox_fork:
            guard let point = forkPoint else { return .null }
            return [
                "chainId": .integer(point.chainID), "block": .integer(point.block.number),
                "values": .integer(fetched.values), "code": .integer(fetched.code),
                "trips": .integer(fetched.trips),
            ]
        case .eth_sendRawTransaction, .evm_mine, .evm_setAutomine, .evm_increaseTime,
            .evm_setNextBlockTimestamp, .hardhat_setNextBlockBaseFeePerGas, .evm_snapshot,
            .evm_revert:
            throw NodeError(code: -32603, message: "\(method) is none that only reads")
        }
    }

    /// The result of a method that changes the chain; nil for any other.
    func change(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) async throws(NodeError) -> JSONValue? {
        switch method {
        case .eth_sendRawTransaction:
            .string(try await submit(raw: try parameters.bytes(0)).hex)
        default: try await control(method, parameters)
        }
    }

    /// The block in the first parameter, by its hash if the method takes one; nil if there is none.
    private func record(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) throws(NodeError) -> BlockRecord? {
        switch method {
        case .eth_getBlockByHash, .eth_getBlockTransactionCountByHash,
            .eth_getTransactionByBlockHashAndIndex:
            let number = blockNumbers[BlockHash(try parameters.word(0))]
            return number.map { blocks[index($0)] }
        default:
            return record(at: try tag(try parameters.block(named: 0)))
        }
    }

    private func blockJSON(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) throws(NodeError) -> JSONValue {
        let record = try record(method, parameters)
        var isFull = false
        if let flag = parameters.optional(1) {
            guard let value = flag.boolValue else {
                throw .invalidParameters("invalid argument 1: a boolean is wanted")
            }
            isFull = value
        }
        return record.map { blockJSON($0, isFull: isFull) } ?? .null
    }

    private func blockJSON(_ record: BlockRecord, isFull: Bool) -> JSONValue {
        RPCEncoding.block(
            record,
            transactions: record.transactions.map { hash in
                isFull ? transactionJSON(hash) ?? .null : .string(hash.hex)
            }
        )
    }

    /// A record as a request for it is answered.
    ///
    /// - Throws: `NodeError`, also for what is no record.
    func json(_ read: ChainRead) throws(NodeError) -> JSONValue {
        switch read {
        case .block(let tag): record(at: tag).map { blockJSON($0, isFull: false) } ?? .null
        case .fullBlock(let tag): record(at: tag).map { blockJSON($0, isFull: true) } ?? .null
        case .transaction(let hash): transactionJSON(hash) ?? .null
        case .receipt(let hash): mined[hash].map(receiptJSON) ?? .null
        case .logs(let filter): .array(try logs(filter).map(logJSON))
        default: throw .refused("this is no record of the chain")
        }
    }

    private func transactionJSON(_ hash: TransactionHash) -> JSONValue? {
        let record = mined[hash]
        guard let signed = record?.signed ?? pool[hash]?.signed else { return nil }
        return RPCEncoding.transaction(
            signed,
            record: record,
            blockHash: record.map { blocks[index($0.block)].hash }
        )
    }

    private func receiptJSON(_ record: TransactionRecord) -> JSONValue {
        RPCEncoding.receipt(
            record,
            blockHash: blocks[index(record.block)].hash,
            logs: logs(of: record).map(logJSON)
        )
    }

    /// A log of a mined transaction.
    func logJSON(_ log: Log) -> JSONValue {
        let record = log.transactionHash.flatMap { mined[$0] }
        return RPCEncoding.log(
            log,
            transactionIndex: record?.index ?? 0,
            timestamp: record.map { blocks[index($0.block)].header.timestamp } ?? 0
        )
    }

    private func accessListJSON(_ parameters: RPCParameters) throws(NodeError) -> JSONValue {
        let outcome = try accessList(parameters.call(0), at: tag(parameters.block(1)))
        var object = JSONObject()
        object["accessList"] = .array(outcome.entries.map(\.json))
        object["gasUsed"] = RPCEncoding.quantity(outcome.gasUsed)
        if let failure = outcome.failure { object["error"] = .string(failure) }
        return .object(object)
    }

    private func feeHistoryJSON(_ parameters: RPCParameters) throws(NodeError) -> JSONValue {
        let count = try RPCParameters.looseQuantity(try parameters.value(0), "argument 0")
        _ = try parameters.value(1)
        let percentiles = try parameters.percentiles(2)
        let (history, gas) = try feeHistory(
            blocks: Int(min(count, UInt64(Self.maximumFeeHistory))),
            newest: try tag(parameters.block(1)),
            percentiles: percentiles
        )
        var object = JSONObject()
        object["oldestBlock"] = RPCEncoding.quantity(history.oldestBlock)
        object["baseFeePerGas"] = .array(
            history.baseFeePerGas.map { RPCEncoding.quantity($0.rawValue) }
        )
        object["gasUsedRatio"] = .array(gas.map { RPCEncoding.ratio($0.used, of: $0.limit) })
        if !percentiles.isEmpty {
            object["reward"] = .array(
                history.rewards.map { tips in
                    .array(tips.map { RPCEncoding.quantity($0.rawValue) })
                }
            )
        }
        return .object(object)
    }
}
