import EVM
package import Ethereum

/// The node of a live chain, asked for the state of one block.
package struct ForkUpstream: Sendable {
    package let point: ForkPoint
    private let client: any ChainClient
    /// The node takes a block's hash where a state is asked for (EIP-1898).
    private let takesHashes: Bool

    /// Blocks behind the newest at which a fork begins unless another one is asked for: a younger one
    /// may still be replaced.
    package static let distance: UInt64 = 16
    /// Seconds after which the newest block of a chain is old enough to be taken.
    static let settledAge: UInt64 = 60

    private init(point: ForkPoint, client: any ChainClient, takesHashes: Bool) {
        (self.point, self.client, self.takesHashes) = (point, client, takesHashes)
    }

    /// Finds the block at which a new fork begins.
    ///
    /// - Parameters:
    ///   - number: nil takes one some blocks behind the newest.
    ///   - now: seconds since 1970.
    /// - Throws: `ForkError`.
    package static func begin(
        _ client: any ChainClient,
        at number: UInt64?,
        now: UInt64
    ) async throws(ForkError) -> ForkUpstream {
        var batch = ReadBatch()
        let chain = batch.add(.chainID)
        let newest = batch.add(.block(.latest))
        let answers = try await read(batch, client)
        let id = try value(answers[chain])
        guard let head = try value(answers[newest]) else {
            throw .silent(reason: "it has no newest block")
        }
        let isSettled = head.timestamp.addingSaturating(settledAge) < now
        let usual = isSettled ? head.number : head.number - min(distance, head.number)
        let wanted = number ?? usual
        guard wanted <= head.number else {
            throw .ahead(wanted, newest: head.number)
        }
        let block = wanted == head.number ? head : try await block(wanted, client)
        let point = ForkPoint(chainID: id, block: block)
        guard !BlockContext(home: id).hasOtherMachine else { throw .otherMachine(chain: id) }
        guard point.revision <= .osaka else { throw .newerRules(chain: id) }
        return try await upstream(point, client)
    }

    /// Goes on with a fork that was begun before.
    ///
    /// - Throws: `ForkError`, also if the chain has another block there now.
    package static func resume(
        _ client: any ChainClient,
        at point: ForkPoint
    ) async throws(ForkError) -> ForkUpstream {
        var batch = ReadBatch()
        let chain = batch.add(.chainID)
        let id = try value(try await read(batch, client)[chain])
        guard id == point.chainID else { throw .otherChain(found: id, kept: point.chainID) }
        try check(try await block(point.block.number, client), point)
        return try await upstream(point, client)
    }

    private static func block(
        _ number: UInt64,
        _ client: any ChainClient
    ) async throws(ForkError) -> Block {
        var batch = ReadBatch()
        let slot = batch.add(.block(.number(number)))
        guard let block = try value(try await read(batch, client)[slot]) else {
            throw .noBlock(number, reason: "it has no such block")
        }
        guard block.number == number else {
            throw .silent(reason: "asked for block \(number), it gave block \(block.number)")
        }
        return block
    }

    private static func check(_ block: Block, _ point: ForkPoint) throws(ForkError) {
        guard block.hash == point.block.hash else {
            throw .reorganized(
                block: point.block.number,
                hash: point.block.hash,
                found: block.hash
            )
        }
    }

    /// Asks for the state once, to see how the node takes the block.
    private static func upstream(
        _ point: ForkPoint,
        _ client: any ChainClient
    ) async throws(ForkError) -> ForkUpstream {
        var batch = ReadBatch()
        let byHash = batch.add(.balance(.zero, .hash(point.block.hash)))
        let byNumber = batch.add(.balance(.zero, .number(point.block.number)))
        let answers = try await read(batch, client)
        if case .failure(let error) = answers[byNumber] {
            throw .noBlock(point.block.number, reason: error.reason)
        }
        var takesHashes = false
        if case .success = answers[byHash] { takesHashes = true }
        return ForkUpstream(point: point, client: client, takesHashes: takesHashes)
    }

    // MARK: State

    /// Parts of the state that the node was asked for.
    struct Answer {
        fileprivate let reads: StateReads
        fileprivate let answers: ReadAnswers
        fileprivate let trace: ReadSlot<AccessListTrace>?

        /// What the node says that the call reads, as a hint: it may be wrong, or for a newer block.
        var hints: Set<StateKey> {
            // nil: many nodes have no such method
            guard let trace, let found = try? answers[trace].get() else { return [] }
            return found.entries.reduce(into: []) { keys, entry in
                keys.insert(.account(entry.address))
                for slot in entry.storageKeys {
                    keys.insert(.word(UInt256(slot), of: entry.address))
                }
            }
        }

        func put(into state: FetchedState) throws(ForkError) {
            do throws(ChainError) {
                try reads.put(into: state, answers)
            } catch {
                throw ForkUpstream.silent(error)
            }
        }
    }

    /// Asks for parts of the block's state, and in the same batch whether the chain still has the
    /// block.
    ///
    /// - Parameter call: what the node is asked the accesses of; nil for nothing.
    func ask(_ keys: Set<StateKey>, for call: CallRequest?) async throws(ForkError) -> Answer {
        var batch = ReadBatch()
        let number = BlockTag.number(point.block.number)
        let block = batch.add(.block(number))
        let tag = takesHashes ? BlockTag.hash(point.block.hash) : number
        let reads = StateReads.ask(keys, at: tag, in: &batch)
        let trace = call.map { batch.add(.accessList($0)) }
        let answers = try await Self.read(batch, client)
        try checkBlock(answers[block])
        return Answer(reads: reads, answers: answers, trace: trace)
    }

    /// Asks something else, and in the same batch whether the chain still has the block.
    func past<Value>(
        _ reads: [Read<Value>]
    ) async throws(ForkError) -> [Result<Value, ChainError>] {
        var batch = ReadBatch(capacity: reads.count + 1)
        let block = batch.add(.block(.number(point.block.number)))
        let slots = reads.map { batch.add($0) }
        let answers = try await Self.read(batch, client)
        try checkBlock(answers[block])
        return slots.map { answers[$0] }
    }

    private func checkBlock(_ answer: Result<Block?, ChainError>) throws(ForkError) {
        guard let now = try Self.value(answer) else {
            throw .noBlock(point.block.number, reason: "it has no such block any more")
        }
        try Self.check(now, point)
    }

    private static func read(
        _ batch: ReadBatch,
        _ client: any ChainClient
    ) async throws(ForkError) -> ReadAnswers {
        do throws(ChainError) {
            return try await client.read(batch)
        } catch {
            throw silent(error)
        }
    }

    private static func value<Value>(
        _ result: Result<Value, ChainError>
    ) throws(ForkError) -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error): throw silent(error)
        }
    }

    fileprivate static func silent(_ error: ChainError) -> ForkError {
        .silent(reason: error.reason)
    }
}

extension BlockContext {
    fileprivate init(home: UInt64) {
        self.init(chainID: home, number: 0, timestamp: 0, gasLimit: 0)
    }
}
