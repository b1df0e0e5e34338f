package import Ethereum
import Synchronization

/// The freshest of a network's nodes.
///
/// Reads go to the node that the client prefers. If the latest block in its answers is older than the
/// network's rule, the same reads go to each of the nodes, and the one that is furthest answers, now
/// and from then on. If all are behind, the state is noted as old; nothing is signed on it.
package struct FreshChainClient: ChainClient {
    private let chain: any ChainClient
    private let nodes: (any NodeChoice)?
    private let chainID: UInt64
    private let rule: FreshnessRule
    private let now: @Sendable () -> UInt64
    private let elapsed: @Sendable () -> UInt64
    private let memory: FreshnessMemory
    /// Milliseconds of the steady clock when all nodes were last found behind.
    private let compared: ComparisonTime

    /// Milliseconds until nodes that were all behind are compared again.
    static let comparisonInterval: UInt64 = 10_000

    private final class ComparisonTime: Sendable {
        private let time = Mutex<UInt64?>(nil)

        func isDue(at now: UInt64) -> Bool {
            time.withLock {
                $0.map { now - min(now, $0) >= FreshChainClient.comparisonInterval } ?? true
            }
        }

        func set(_ now: UInt64) {
            time.withLock { $0 = now }
        }
    }

    /// - Parameters:
    ///   - nodes: the same nodes one by one; nil where they must agree, or there is only one.
    ///   - chainID: that of the network: a node of another chain is never the freshest.
    ///   - now: seconds since 1970.
    ///   - elapsed: milliseconds of a steady clock.
    ///   - memory: takes whether the state that was read last is old.
    package init(
        _ chain: any ChainClient,
        nodes: (any NodeChoice)?,
        chainID: UInt64,
        rule: FreshnessRule,
        now: @escaping @Sendable () -> UInt64,
        elapsed: @escaping @Sendable () -> UInt64,
        memory: FreshnessMemory
    ) {
        self.chain = chain
        self.nodes = nodes
        self.chainID = chainID
        self.rule = rule
        self.now = now
        self.elapsed = elapsed
        self.memory = memory
        compared = ComparisonTime()
    }

    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        let answers = try await chain.read(reads)
        guard let limit = rule.limit, let place = reads.firstIndex(of: .block(.latest)),
            let head = Self.block(answers, place)
        else { return answers }
        let time = now()
        guard rule.isStale(head, now: time) else {
            memory.note(nil)
            return answers
        }
        let count = nodes?.nodeCount ?? 1
        if let nodes, count > 1, compared.isDue(at: elapsed()),
            let (node, fresher, block) = await furthest(nodes, reads, place, beyond: head)
        {
            nodes.prefer(node)
            if !rule.isStale(block, now: time) {
                memory.note(nil)
                return fresher
            }
            compared.set(elapsed())
            memory.note(stale(block, time, limit, count))
            return fresher
        }
        compared.set(elapsed())
        memory.note(stale(head, time, limit, count))
        return answers
    }

    private func stale(_ block: Block, _ now: UInt64, _ limit: UInt64, _ nodes: Int) -> StaleChain {
        StaleChain(
            block: block.number,
            age: FreshnessRule.age(block, now: now),
            limit: limit,
            nodes: nodes
        )
    }

    /// The node whose latest block is the furthest beyond another one, with its answers.
    ///
    /// One that does not answer, is on another chain, or says to be in the future proves nothing.
    private func furthest(
        _ nodes: any NodeChoice,
        _ reads: [ChainRead],
        _ place: Int,
        beyond head: Block
    ) async -> (node: Int, answers: [Result<ChainAnswer, ChainError>], block: Block)? {
        let asked = reads + [.chainID]
        let views = await Array(0..<nodes.nodeCount).concurrentMap { node in
            await Result { () async throws(ChainError) in try await nodes.read(asked, at: node) }
        }
        var found: (node: Int, answers: [Result<ChainAnswer, ChainError>], block: Block)?
        for (node, view) in views.enumerated() {
            guard case .success(let answers) = view, answers.count == asked.count,
                case .success(.number(chainID)) = answers[reads.count],
                let block = Self.block(answers, place), !FreshnessRule.isAhead(block, now: now()),
                block.number > (found?.block ?? head).number
            else { continue }
            found = (node, Array(answers.dropLast()), block)
        }
        return found
    }

    private static func block(
        _ answers: [Result<ChainAnswer, ChainError>],
        _ place: Int
    ) -> Block? {
        guard answers.indices.contains(place), case .success(.block(let block)) = answers[place]
        else { return nil }
        return block
    }

    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        try await chain.send(raw: raw)
    }
}
