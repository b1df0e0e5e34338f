import Ethereum
import StrictJSON

/// What the live chain did up to the block that was forked: asked of its node, and kept.
extension SandboxChain {
    /// The result of a method about these blocks; nil for any other.
    func past(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) async throws(NodeError) -> JSONValue? {
        guard fork != nil else { return nil }
        switch method {
        case .eth_getLogs: return try await pastLogs(parameters)
        case .eth_getBlockByNumber, .eth_getBlockByHash:
            let isFull = parameters.optional(1)?.boolValue == true
            return try await pastBlock(method, parameters, isFull: isFull)
        case .eth_getBlockTransactionCountByNumber, .eth_getBlockTransactionCountByHash:
            guard let block = try await pastBlock(method, parameters, isFull: true) else {
                return nil
            }
            return Self.transactions(of: block).map { RPCEncoding.quantity(UInt64($0.count)) }
                ?? .null
        case .eth_getTransactionByBlockNumberAndIndex, .eth_getTransactionByBlockHashAndIndex:
            let index = try parameters.quantity(1)
            guard let block = try await pastBlock(method, parameters, isFull: true) else {
                return nil
            }
            guard let all = Self.transactions(of: block), index < UInt64(all.count),
                let hash = Self.hash(all[Int(index)])
            else { return .null }
            return try await pastTransactions([hash]).first ?? .null
        case .eth_getTransactionByHash:
            let hash = TransactionHash(try parameters.word(0))
            guard try !isOwn(hash) else { return nil }
            return try await pastTransactions([hash]).first ?? .null
        case .eth_getTransactionReceipt:
            let hash = TransactionHash(try parameters.word(0))
            guard try !isOwn(hash) else { return nil }
            return try await pastReceipts([hash]).first ?? .null
        case .eth_getBlockReceipts:
            let reference = try parameters.block(0)
            let place = try place(of: reference)
            guard let place else { return nil }
            guard let all = Self.transactions(of: try await pastBlock(place, isFull: true)) else {
                return .null
            }
            return .array(try await pastReceipts(all.compactMap(Self.hash)))
        default: return nil
        }
    }

    /// Fetches the receipts and transactions that a batch asks for together.
    func foreseePast(_ requests: [RPCRequest]) async {
        guard fork != nil else { return }
        var receipts: [TransactionHash] = []
        var transactions: [TransactionHash] = []
        for case .success(.method(let method, let parameters)) in requests.map(\.content) {
            guard let word = try? parameters.word(0) else { continue }  // nil: no hash
            switch RPCMethod(rawValue: method) {
            case .eth_getTransactionReceipt: receipts.append(TransactionHash(word))
            case .eth_getTransactionByHash: transactions.append(TransactionHash(word))
            default: continue
            }
        }
        do throws(NodeError) {
            _ = try await pastReceipts(try others(receipts))
            _ = try await pastTransactions(try others(transactions))
        } catch {
            // Each request tells why it is not answered.
        }
    }

    /// Those that are not the fork's own.
    private func others(_ hashes: [TransactionHash]) throws(NodeError) -> [TransactionHash] {
        var others: [TransactionHash] = []
        for hash in hashes where try !isOwn(hash) { others.append(hash) }
        return others
    }

    // MARK: Own transactions

    /// A transaction that was sent to the fork, also one that was replaced since.
    private func isOwn(_ hash: TransactionHash) throws(NodeError) -> Bool {
        if mined[hash] != nil || pool[hash] != nil { return true }
        return try pastAnswer(Self.ownKey(hash)) != nil
    }

    private static func ownKey(_ hash: TransactionHash) -> String { "own \(hash.hex)" }

    /// Notes that a transaction is the fork's own, so that the live chain's node is not asked about
    /// it.
    func noteOwn(_ hash: TransactionHash) throws(SandboxError) {
        try fork?.past.keep([Self.ownKey(hash): true])
    }

    // MARK: Blocks

    /// nil for a block of the fork's own.
    private func place(of reference: BlockReference) throws(NodeError) -> BlockTag? {
        switch reference {
        case .hash(let hash):
            guard let number = blockNumbers[hash] else { return .hash(hash) }
            return number == first ? .number(first) : nil
        case .safe: return place(number: behind(Self.safeDistance))
        case .tag(.earliest): return place(number: 0)
        case .tag(.number(let number)): return place(number: number)
        case .tag(.hash(let hash)): return try place(of: .hash(hash))
        case .tag(.latest), .tag(.pending), .tag(.finalized):
            return head.header.number == first ? .number(first) : nil
        }
    }

    private func place(number: UInt64) -> BlockTag? { number <= first ? .number(number) : nil }

    private func pastBlock(
        _ method: RPCMethod,
        _ parameters: RPCParameters,
        isFull: Bool
    ) async throws(NodeError) -> JSONValue? {
        let place: BlockTag?
        switch method {
        case .eth_getBlockByHash, .eth_getBlockTransactionCountByHash,
            .eth_getTransactionByBlockHashAndIndex:
            place = try self.place(of: .hash(BlockHash(try parameters.word(0))))
        default: place = try self.place(of: try parameters.block(named: 0))
        }
        // The header of the forked block is known.
        if case .number(first)? = place, !isFull { return nil }
        guard let place else { return nil }
        return try await pastBlock(place, isFull: isFull)
    }

    /// null if the live chain has no such block up to the fork's.
    private func pastBlock(_ place: BlockTag, isFull: Bool) async throws(NodeError) -> JSONValue {
        let kind = isFull ? "full" : "header"
        if let kept = try pastAnswer("\(kind) \(place.parameter)") { return kept }
        let found =
            isFull
            ? try await record(.fullBlock(place), Self.words(place), \.block)
            : try await record(.block(place), Self.words(place), \.self)
        guard let (block, json) = found, block.number <= first else { return .null }
        try check(block, place)
        try keepPast([
            "\(kind) \(BlockTag.number(block.number).parameter)": json,
            "\(kind) \(block.hash.hex)": json,
        ])
        return json
    }

    /// A block and what the live chain's node says of it; nil if it has none.
    private func record<Found>(
        _ read: Read<Found?>,
        _ what: String,
        _ block: (Found) -> Block
    ) async throws(NodeError) -> (Block, JSONValue)? {
        let answer = try await ask([read.verbatim], what).first
        return answer?.value.map { (block($0), answer?.json ?? .null) }
    }

    /// - Throws: `NodeError`, if it is another block than the one that was asked for.
    private func check(_ block: Block, _ place: BlockTag) throws(NodeError) {
        let isRight =
            if case .hash(let hash) = place {
                block.hash == hash
            } else {
                place == .number(block.number)
                    && (block.number != first || block.hash == genesisHash)
            }
        guard !isRight else { return }
        let reason = "asked for \(Self.words(place)), it gave block \(block.number)"
        throw .fork(.silent(reason: reason))
    }

    private static func words(_ place: BlockTag) -> String {
        if case .number(let number) = place { return "block \(number)" }
        return "block \(place.parameter)"
    }

    private static func transactions(of block: JSONValue) -> [JSONValue]? {
        block["transactions"]?.arrayValue
    }

    private static func hash(_ transaction: JSONValue) -> TransactionHash? {
        transaction["hash"]?.stringValue.flatMap { Bytes32(ifHex: $0) }.map { TransactionHash($0) }
    }

    // MARK: Transactions

    private func pastTransactions(
        _ hashes: [TransactionHash]
    ) async throws(NodeError) -> [JSONValue] {
        let read: (TransactionHash) -> Read<TransactionInfo?> = { .transaction($0) }
        return try await past(hashes, "transaction", read, \.blockNumber)
    }

    private func pastReceipts(
        _ hashes: [TransactionHash]
    ) async throws(NodeError) -> [JSONValue] {
        let read: (TransactionHash) -> Read<TransactionReceipt?> = { .receipt($0) }
        return try await past(hashes, "receipt", read) { $0.blockNumber }
    }

    /// What the node says, in the order of the hashes; null for what the live chain does not have up
    /// to the fork's block.
    ///
    /// - Parameter number: the block that it is in; nil for a transaction that waits.
    private func past<Value>(
        _ hashes: [TransactionHash],
        _ kind: String,
        _ read: (TransactionHash) -> Read<Value?>,
        _ number: (Value) -> UInt64?
    ) async throws(NodeError) -> [JSONValue] {
        var answers: [TransactionHash: JSONValue] = [:]
        for hash in hashes { answers[hash] = try pastAnswer("\(kind) \(hash.hex)") }
        let missing = hashes.filter { answers[$0] == nil }
        guard let some = missing.first else { return hashes.map { answers[$0] ?? .null } }
        let what = "the \(kind) \(some.hex)" + (missing.count > 1 ? " and others" : "")
        var found: [String: JSONValue] = [:]
        let reads = missing.map { read($0).verbatim }
        for (hash, answer) in zip(missing, try await ask(reads, what)) {
            guard let number = answer.value.flatMap(number), number <= first else { continue }
            answers[hash] = answer.json
            found["\(kind) \(hash.hex)"] = answer.json
        }
        try keepPast(found)
        return hashes.map { answers[$0] ?? .null }
    }

    // MARK: Logs

    /// nil if the filter begins behind the forked block.
    private func pastLogs(_ parameters: RPCParameters) async throws(NodeError) -> JSONValue? {
        let (asked, block, _) = try parameters.filter(0)
        if case .hash(let hash) = block, blockNumbers[hash] == nil {
            guard try await !pastBlock(.hash(hash), isFull: false).isNull else { return nil }
            let filter = LogFilter(block: hash, addresses: asked.addresses, topics: asked.topics)
            return .array(try await pastLogs(filter, "block \(hash.hex)"))
        }
        let filter = try logFilter(parameters)
        let (from, to) = try range(of: filter)
        guard from <= first, from <= to else { return nil }
        let last = min(to, first)
        let before = LogFilter(
            fromBlock: .number(from),
            toBlock: .number(last),
            addresses: filter.addresses,
            topics: filter.topics
        )
        let found = try await pastLogs(before, "blocks \(from) to \(last)")
        let own = to > first ? try logs(filter, from: first + 1, to: to) : []
        return .array(found + own.map(logJSON))
    }

    private func pastLogs(
        _ filter: LogFilter,
        _ blocks: String
    ) async throws(NodeError) -> [JSONValue] {
        let topics = filter.topics.map { choices in
            choices.map(\.hex).sorted().joined(separator: ",")
        }
        let key = [
            "logs", filter.fromBlock.parameter, filter.toBlock.parameter,
            filter.addresses.map(\.lowercaseHex).sorted().joined(separator: ","),
            topics.joined(separator: ";"),
        ].joined(separator: " ")
        if let kept = try pastAnswer(key)?.arrayValue { return kept }
        let what = "these logs of \(blocks)"
        let read: Read<[Log]> = .logs(filter)
        guard let found = try await ask([read.verbatim], what).first?.json else { return [] }
        try keepPast([key: found])
        return found.arrayValue ?? []
    }

    // MARK: The node

    private func pastAnswer(_ key: String) throws(NodeError) -> JSONValue? {
        do throws(SandboxError) {
            return try fork?.past[key]
        } catch {
            throw .storage(error)
        }
    }

    private func keepPast(_ answers: [String: JSONValue]) throws(NodeError) {
        do throws(SandboxError) {
            try fork?.past.keep(answers)
        } catch {
            throw .storage(error)
        }
    }

    /// - Parameter what: for an error.
    private func ask<Value>(
        _ reads: [Read<Value>],
        _ what: String
    ) async throws(NodeError) -> [Value] {
        guard let fork else { throw .fork(.endless) }
        let answers: [Result<Value, ChainError>]
        do throws(ForkError) {
            answers = try await fork.pastNode(what).past(reads)
        } catch {
            fork.stop(error)
            throw .fork(error)
        }
        return try answers.map { answer throws(NodeError) in
            switch answer {
            case .success(let value): return value
            // Its own code: by that a client knows that it asked for too much at once.
            case .failure(.rpc(let code, let message)):
                throw NodeError(code: code, message: message)
            case .failure(let error): throw .fork(.silent(reason: error.reason))
            }
        }
    }
}
