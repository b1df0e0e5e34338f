import Ethereum
import StrictJSON

extension SandboxChain {
    /// The maximum number of requests in a batch, as in geth.
    package static let maximumBatch = 1_000
    /// The maximum bytes of a batch's results, as in geth; later calls are refused.
    static let maximumBatchAnswer = 25_000_000
    /// The maximum work of a batch, in gas or its equivalent in time; later calls are refused.
    ///
    /// A batch that reads 10,000 orders takes less than a fiftieth of it.
    static let maximumBatchWork: UInt64 = 1_000_000_000

    /// Answers one HTTP body: a JSON-RPC request, or a batch, which sees one state.
    ///
    /// - Parameter access: what the client may do.
    /// - Returns: JSON; empty if there were only notifications.
    @concurrent
    package nonisolated func answer(
        body: [UInt8],
        access: RPCAccess = .full
    ) async -> [UInt8] {
        await answer(body.withUnsafeBufferPointer { RPCBody($0) }, access)
    }

    /// Answers what was read of a body.
    func answer(_ body: RPCBody, _ access: RPCAccess) async -> [UInt8] {
        switch body {
        case .batch(let requests): return await perform(batch: requests, access)
        case .single(let request):
            var output: [UInt8] = []
            var base: CallBase?
            if let reply = await reply(to: request, access, &base) { reply.write(to: &output) }
            return output
        }
    }

    /// Answers requests in order, in one call to the chain.
    ///
    /// A fork fetches what all of them lack together.
    private func perform(batch requests: [RPCRequest], _ access: RPCAccess) async -> [UInt8] {
        await foresee(requests)
        await foreseePast(requests)
        var output: [UInt8] = []
        output.reserveCapacity(requests.count * 128)
        var base: CallBase?
        let begun = workDone
        for request in requests {
            var reply: RPCReply?
            if let excess = excess(bytes: output.count, work: workDone &- begun) {
                reply = request.id.map { RPCReply(id: $0, result: .failure(excess)) }
            } else {
                reply = await self.reply(to: request, access, &base)
            }
            guard let reply else { continue }
            output.append(UInt8(ascii: output.isEmpty ? "[" : ","))
            reply.write(to: &output)
        }
        if !output.isEmpty { output.append(UInt8(ascii: "]")) }
        return output
    }

    /// Lets a fork fetch what reads need, before they are answered one after another.
    private func foresee(_ requests: [RPCRequest]) async {
        guard fork != nil, requests.count > 1 else { return }
        do throws(NodeError) {
            try await onState { () throws(NodeError) in
                var base: CallBase?
                for request in requests { foresee(request, &base) }
            }
        } catch {
            // Each request tells why it is not answered.
        }
    }

    private func foresee(_ request: RPCRequest, _ base: inout CallBase?) {
        switch request.content {
        case .success(.call(let call, let block)):
            _ = try? answer(call, block, &base)  // nil: it throws again when it is answered
        case .success(.method("eth_call", let parameters)):
            // nil: as above
            if let call = try? parameters.call(0), let block = try? parameters.block(1) {
                _ = try? answer(call, block, &base)  // nil: as above
            }
        case .success(.method(let method, let parameters)):
            guard let rpc = RPCMethod(rawValue: method), rpc.readsState else { return }
            _ = try? json(rpc, parameters)  // nil: as above
        case .failure: break
        }
    }

    /// Why the rest of a batch is not answered, in geth's words; nil if it is.
    private func excess(bytes: Int, work: UInt64) -> NodeError? {
        guard bytes <= Self.maximumBatchAnswer else {
            return NodeError(code: -32003, message: "response too large")
        }
        guard work <= Self.maximumBatchWork else {
            return NodeError(code: -32002, message: "request timed out")
        }
        return nil
    }

    /// The reply to a request; a notification has none.
    ///
    /// - Parameter base: the base of the last call, for the next one.
    private func reply(
        to request: RPCRequest,
        _ access: RPCAccess,
        _ base: inout CallBase?
    ) async -> RPCReply? {
        let result: Result<RPCValue, NodeError>
        do throws(NodeError) {
            switch try request.content.get() {
            case .call(let call, let block):
                result = .success(.bytes(try await answer(call, at: block, &base)))
            case .method("eth_call", let parameters):
                let call = try parameters.call(0)
                let block = try parameters.block(1)
                result = .success(.bytes(try await answer(call, at: block, &base)))
            case .method(let method, let parameters):
                // It may change the chain.
                base = nil
                result = .success(.json(try await answer(method, parameters, access)))
            }
        } catch {
            result = .failure(error)
        }
        return request.id.map { RPCReply(id: $0, result: result) }
    }

    /// Answers eth_call, on a fork once it has what that needs.
    private func answer(
        _ call: CallMessage,
        at block: BlockReference,
        _ base: inout CallBase?
    ) async throws(NodeError) -> [UInt8] {
        guard fork != nil else { return try answer(call, block, &base) }
        return try await onState(for: call.request) { () throws(NodeError) in
            // What a run has guessed stays with its base.
            var base: CallBase?
            return try answer(call, block, &base)
        }
    }

    /// Answers eth_call.
    ///
    /// - Parameter base: the base of the last call, replaced by that of this one.
    func answer(
        _ call: CallMessage,
        _ block: BlockReference,
        _ base: inout CallBase?
    ) throws(NodeError) -> [UInt8] {
        let current = try self.base(at: try tag(block), known: base)
        base = current
        return try self.call(call, on: current)
    }

    /// Answers one method other than eth_call.
    private func answer(
        _ method: String,
        _ parameters: RPCParameters,
        _ access: RPCAccess
    ) async throws(NodeError) -> JSONValue {
        guard let rpc = RPCMethod(rawValue: method) else {
            throw NodeError(
                code: -32601,
                message: "the method \(method.prefix(64)) does not exist/is not available"
            )
        }
        guard access.allows(rpc) else { throw access.refusal(of: rpc) }
        try parameters.limit(rpc.maximumParameters)
        work(Self.workOfRequest)
        if let changed = try await change(rpc, parameters) { return changed }
        if let found = try await past(rpc, parameters) { return found }
        return try await onState { () throws(NodeError) in try json(rpc, parameters) }
    }

    func tag(_ reference: BlockReference) throws(NodeError) -> BlockTag {
        switch reference {
        case .tag(let tag): return tag
        case .safe:
            return .number(behind(Self.safeDistance))
        case .hash(let hash): return .number(try number(of: .hash(hash)))
        }
    }
}

/// The supported methods, besides eth_call.
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
    case eth_getBlockTransactionCountByHash
    case eth_getBalance
    case eth_getTransactionCount
    case eth_getCode
    case eth_getStorageAt
    case eth_getProof
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
    case eth_getTransactionByBlockNumberAndIndex
    case eth_getTransactionByBlockHashAndIndex
    case eth_getTransactionReceipt
    case eth_getBlockReceipts
    case evm_mine
    case evm_setAutomine
    case evm_increaseTime
    case evm_setNextBlockTimestamp
    case hardhat_setNextBlockBaseFeePerGas
    case evm_snapshot
    case evm_revert
    case sandbox_fork

    /// It asks for accounts or contracts, and changes nothing.
    var readsState: Bool {
        switch self {
        case .eth_getBalance, .eth_getTransactionCount, .eth_getCode, .eth_getStorageAt,
            .eth_estimateGas, .eth_createAccessList:
            true
        default: false
        }
    }

    var maximumParameters: Int {
        switch self {
        case .web3_clientVersion, .net_version, .net_listening, .eth_syncing, .eth_chainId,
            .eth_blockNumber, .eth_accounts, .eth_gasPrice, .eth_maxPriorityFeePerGas,
            .eth_newBlockFilter, .sandbox_fork, .evm_snapshot:
            0
        case .eth_getLogs, .eth_newFilter, .eth_getFilterChanges, .eth_getFilterLogs,
            .eth_uninstallFilter, .eth_sendRawTransaction, .eth_getTransactionByHash,
            .eth_getTransactionReceipt, .eth_getBlockReceipts, .evm_mine, .evm_setAutomine,
            .evm_increaseTime, .evm_setNextBlockTimestamp, .hardhat_setNextBlockBaseFeePerGas,
            .evm_revert, .eth_getBlockTransactionCountByNumber,
            .eth_getBlockTransactionCountByHash, .eth_newPendingTransactionFilter:
            1
        case .eth_getBlockByNumber, .eth_getBlockByHash, .eth_getBalance,
            .eth_getTransactionCount, .eth_getCode, .eth_createAccessList,
            .eth_getTransactionByBlockNumberAndIndex, .eth_getTransactionByBlockHashAndIndex:
            2
        // State and block overrides are refused with their own messages.
        case .eth_getStorageAt, .eth_getProof, .eth_feeHistory, .eth_estimateGas: 3
        }
    }
}
