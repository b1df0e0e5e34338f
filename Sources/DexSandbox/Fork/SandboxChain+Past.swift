import Ethereum
import StrictJSON

/// What the live chain did up to the block that was forked: asked of its node, and not kept.
extension SandboxChain {
    /// The result of a method about these blocks; nil for any other.
    func past(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) async throws(NodeError) -> JSONValue? {
        guard fork != nil else { return nil }
        switch method {
        case .eth_getLogs: return try await pastLogs(try logFilter(parameters))
        case .eth_getBlockByNumber:
            guard case .tag(.number(let number)) = try parameters.block(named: 0), number < first
            else { return nil }
            return try await pastBlock(.number(number), parameters)
        case .eth_getBlockByHash:
            let hash = BlockHash(try parameters.word(0))
            return blockNumbers[hash] == nil ? try await pastBlock(.hash(hash), parameters) : nil
        default: return nil
        }
    }

    /// nil if the filter begins behind the forked block.
    private func pastLogs(_ filter: LogFilter) async throws(NodeError) -> JSONValue? {
        let (from, to) = try range(of: filter)
        guard from <= first, from <= to else { return nil }
        let before = LogFilter(
            fromBlock: .number(from),
            toBlock: .number(min(to, first)),
            addresses: filter.addresses,
            topics: filter.topics
        )
        let found = try await ask(.logs(before))
        let own = to > first ? try logs(filter, from: first + 1, to: to) : []
        return .array(found.map(RPCEncoding.log) + own.map(logJSON))
    }

    private func pastBlock(
        _ tag: BlockTag,
        _ parameters: RPCParameters
    ) async throws(NodeError) -> JSONValue {
        guard parameters.optional(1)?.boolValue != true else {
            throw .refused(
                "this fork does not have the transactions of blocks up to \(first): ask a node of the "
                    + "live chain"
            )
        }
        guard let block = try await ask(.block(tag)), block.number < first else { return .null }
        return RPCEncoding.block(BlockRecord(block), transactions: [])
    }

    private func ask<Value>(_ read: Read<Value>) async throws(NodeError) -> Value {
        guard let fork else { throw .fork(.endless) }
        let answer: Result<Value, ChainError>
        do throws(ForkError) {
            answer = try await fork.node { "the past" }.past(read)
        } catch {
            fork.stop(error)
            throw .fork(error)
        }
        switch answer {
        case .success(let value): return value
        // Its own code: by that a client knows that it asked for too much at once.
        case .failure(.rpc(let code, let message)): throw NodeError(code: code, message: message)
        case .failure(let error): throw .fork(.silent(reason: error.reason))
        }
    }
}
