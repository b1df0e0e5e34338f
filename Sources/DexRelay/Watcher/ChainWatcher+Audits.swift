import Ethereum
import Logging
import ZeroEx

/// The watcher's reads of the chain.
extension ChainWatcher {
    /// Orders that may fail by themselves in one round; with more, the node is at fault.
    private static let maximumUnread = 8
    /// Chunks that are read at the same time.
    private static let readsTogether = 2

    /// Asks a single question, and counts it.
    func ask<Value: Sendable>(_ read: Read<Value>) async throws(ChainError) -> Value {
        report { $0.nodeRequests += 1 }
        return try await chain.read(read)
    }

    /// Asks a batch, and counts it.
    func ask(_ batch: ReadBatch) async throws(ChainError) -> ReadAnswers {
        report { $0.nodeRequests += 1 }
        return try await chain.read(batch)
    }

    /// The audits of orders at a block, in chunks, and the orders whose own calls failed.
    ///
    /// - Throws: `ChainError` if the node lacks the block, or does not answer.
    func audits(
        of orders: [WatchedOrder],
        at block: BlockHash
    ) async throws(ChainError) -> (audits: [OrderHash: OrderAudit], unread: Set<OrderHash>) {
        var audits: [OrderHash: OrderAudit] = [:]
        var failures: [OrderHash: ChainError] = [:]
        let auditors = Dictionary(
            markets().map { market in
                let auditor = OrderAuditor(
                    exchangeProtocol: market.exchangeProtocol,
                    chain: chain,
                    contracts: market.contracts
                )
                return (market.exchangeProtocol.version, auditor)
            },
            uniquingKeysWith: { first, _ in first }
        )
        var chunks = orders.chunks(of: Self.chunk)[...]
        while !chunks.isEmpty {
            // While the node computes one, the next is on its way.
            let together = chunks.prefix(Self.readsTogether)
            chunks = chunks.dropFirst(together.count)
            let outcomes = try await outcomes(of: Array(together), auditors, at: block)
            for (order, result) in outcomes {
                switch result {
                case .success(let audit): audits[order.entry.hash] = audit
                case .failure(let error): failures[order.entry.hash] = error
                }
            }
        }
        if let (hash, error) = failures.first {
            guard failures.count <= max(Self.maximumUnread, orders.count / 10) else { throw error }
            logger.warning("The state of the order \(hash) cannot be read: \(error)")
        }
        return (audits, Set(failures.keys))
    }

    private typealias Outcome = (order: WatchedOrder, result: Result<OrderAudit, ChainError>)

    /// Reads chunks beside each other.
    ///
    /// - Throws: `ChainError` of any of them, once all have ended.
    private func outcomes(
        of chunks: [[WatchedOrder]],
        _ auditors: [ProtocolVersion: OrderAuditor],
        at block: BlockHash
    ) async throws(ChainError) -> [Outcome] {
        let parts = await chunks.concurrentMap { chunk in
            await Result { () async throws(ChainError) in
                try await self.outcomes(ofChunk: chunk, auditors, at: block)
            }
        }
        var all: [Outcome] = []
        for part in parts { all += try part.get() }
        return all
    }

    /// Reads one chunk in one batch, and alone what failed there.
    private func outcomes(
        ofChunk chunk: [WatchedOrder],
        _ auditors: [ProtocolVersion: OrderAuditor],
        at block: BlockHash
    ) async throws(ChainError) -> [Outcome] {
        let groups = Dictionary(grouping: chunk, by: \.version).map { version, group in
            (auditors[version], group)
        }
        var outcomes: [Outcome] = []
        var failed: [(OrderAuditor?, [WatchedOrder])] = []
        try await read(groups, at: block) { auditor, order, result in
            switch result {
            case .success: outcomes.append((order, result))
            case .failure: failed.append((auditor, [order]))
            }
        }
        // One order's token can make a call fail that asks for many.
        try await read(failed, at: block) { _, order, result in
            outcomes.append((order, result))
        }
        return outcomes
    }

    /// Reads groups of orders, each of one version, in one batch.
    ///
    /// - Throws: `ChainError` if the node lacks the block, or does not answer.
    private func read(
        _ groups: [(OrderAuditor?, [WatchedOrder])],
        at block: BlockHash,
        _ note: (OrderAuditor, WatchedOrder, Result<OrderAudit, ChainError>) -> Void
    ) async throws(ChainError) {
        guard !groups.isEmpty else { return }
        var batch = ReadBatch()
        let questions = groups.map { auditor, group in
            auditor?.ask(group.map(\.entry.order), at: .hash(block), in: &batch)
        }
        let answers = try await ask(batch)
        for ((auditor, group), question) in zip(groups, questions) {
            guard let auditor, let question else { continue }
            for (order, result) in zip(group, auditor.audits(question, from: answers)) {
                if case .failure(let error) = result, error.isOfNode { throw error }
                note(auditor, order, result)
            }
        }
    }
}

extension ChainError {
    /// The node could not answer at this block, whatever the question.
    fileprivate var isOfNode: Bool {
        switch self {
        case .missingBlock, .unreachable, .badStatus, .rateLimited: true
        default: false
        }
    }
}
