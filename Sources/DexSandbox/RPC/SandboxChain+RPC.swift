import Ethereum
import StrictJSON

extension SandboxChain {
    /// The most requests of a batch, as geth has it.
    package static let maximumBatch = 1_000

    /// Answers one HTTP body: a JSON-RPC request or a batch; all of a batch sees one state.
    ///
    /// - Returns: JSON; nothing where there were only notifications.
    @concurrent
    package nonisolated func answer(body: [UInt8]) async -> [UInt8] {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(body)
        } catch {
            return Self.failure(NodeError(code: -32700, message: "parse error: \(error)"))
        }
        guard case .array(let items) = json else {
            let replies = await perform([RPCRequest(json)])
            var output: [UInt8] = []
            replies.first?.write(to: &output)
            return output
        }
        guard !items.isEmpty else {
            return Self.failure(NodeError(code: -32600, message: "empty batch"))
        }
        guard items.count <= Self.maximumBatch else {
            return Self.failure(NodeError(code: -32600, message: "batch too large"))
        }
        let replies = await perform(items.map { RPCRequest($0) })
        guard !replies.isEmpty else { return [] }
        var output: [UInt8] = []
        output.reserveCapacity(replies.count * 128)
        for (index, reply) in replies.enumerated() {
            output.append(UInt8(ascii: index == 0 ? "[" : ","))
            reply.write(to: &output)
        }
        output.append(UInt8(ascii: "]"))
        return output
    }

    private static func failure(_ error: NodeError) -> [UInt8] {
        var output: [UInt8] = []
        RPCReply(id: .null, result: .failure(error)).write(to: &output)
        return output
    }

    /// Answers requests in their order, in one visit to the chain.
    private func perform(_ requests: [RPCRequest]) -> [RPCReply] {
        var replies: [RPCReply] = []
        replies.reserveCapacity(requests.count)
        for request in requests {
            let result: Result<RPCValue, NodeError>
            do throws(NodeError) {
                let call = try request.content.get()
                result = .success(try answer(call.method, call.parameters))
            } catch {
                result = .failure(error)
            }
            if let id = request.id { replies.append(RPCReply(id: id, result: result)) }
        }
        return replies
    }

    /// Answers one method.
    private func answer(
        _ method: String,
        _ parameters: RPCParameters
    ) throws(NodeError) -> RPCValue {
        if method == "eth_call" {
            let request = try parameters.call(0)
            return .bytes(try call(request, at: try tag(parameters.block(1))))
        }
        guard let rpc = RPCMethod(rawValue: method) else {
            throw NodeError(
                code: -32601,
                message: "the method \(method.prefix(64)) does not exist/is not available"
            )
        }
        try parameters.limit(rpc.maximumParameters)
        return .json(try json(rpc, parameters))
    }

    /// The tag of a block as a request names it.
    func tag(_ reference: BlockReference) throws(NodeError) -> BlockTag {
        switch reference {
        case .tag(let tag): return tag
        case .safe:
            let newest = head.header.number
            return .number(newest > Self.safeDistance ? newest - Self.safeDistance : 0)
        case .hash(let hash):
            guard let number = blockNumbers[hash] else {
                throw .refused("header for hash not found")
            }
            return .number(number)
        }
    }
}

/// The methods that are answered, beside eth_call.
enum RPCMethod: String, CaseIterable {
    case web3_clientVersion
    case net_version
    case net_listening
    case eth_syncing
    case eth_chainId
    case eth_blockNumber
    case eth_accounts
    case eth_getBlockByNumber
    case eth_getBlockByHash
    case eth_getBlockTransactionCountByNumber
    case eth_getBalance
    case eth_getTransactionCount
    case eth_getCode
    case eth_getStorageAt
    case eth_estimateGas
    case eth_createAccessList
    case eth_gasPrice
    case eth_maxPriorityFeePerGas
    case eth_feeHistory
    case eth_getLogs
    case eth_newFilter
    case eth_newBlockFilter
    case eth_newPendingTransactionFilter
    case eth_getFilterChanges
    case eth_getFilterLogs
    case eth_uninstallFilter
    case eth_sendRawTransaction
    case eth_getTransactionByHash
    case eth_getTransactionReceipt
    case eth_getBlockReceipts
    case evm_mine
    case evm_setAutomine
    case evm_increaseTime

    /// How many parameters the method takes at most.
    var maximumParameters: Int {
        switch self {
        case .web3_clientVersion, .net_version, .net_listening, .eth_syncing, .eth_chainId,
            .eth_blockNumber, .eth_accounts, .eth_gasPrice, .eth_maxPriorityFeePerGas,
            .eth_newBlockFilter:
            0
        case .eth_getLogs, .eth_newFilter, .eth_getFilterChanges, .eth_getFilterLogs,
            .eth_uninstallFilter, .eth_sendRawTransaction, .eth_getTransactionByHash,
            .eth_getTransactionReceipt, .eth_getBlockReceipts, .evm_mine, .evm_setAutomine,
            .evm_increaseTime, .eth_getBlockTransactionCountByNumber,
            .eth_newPendingTransactionFilter:
            1
        case .eth_getBlockByNumber, .eth_getBlockByHash, .eth_getBalance,
            .eth_getTransactionCount, .eth_getCode, .eth_createAccessList:
            2
        // State and block overrides are refused by their own words.
        case .eth_getStorageAt, .eth_feeHistory, .eth_estimateGas: 3
        }
    }
}
