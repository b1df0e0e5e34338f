package import Ethereum

/// Several nodes as one: an answer counts only if a required number of them gives it.
///
/// Each read goes to that many nodes at once, with the question for their latest block. If they are
/// at the same block and say the same, that is the answer, and it took as long as a read of the
/// slowest. Otherwise all of them are asked once more at the block of the one that is behind, where
/// honest nodes say the same. A node that cannot be used is replaced by the next one of the list.
///
/// What nodes may differ in is not compared but bounded (`QuorumAnswers`).
package struct QuorumChainClient: ChainClient {
    /// A node with the part of its address that may be shown.
    package struct Member: Sendable {
        package let name: String
        package let client: any ChainClient

        package init(name: String, client: any ChainClient) {
            self.name = name
            self.client = client
        }
    }

    /// A node may be that far behind another one; more of it is not the present.
    static let lag: (blocks: UInt64, seconds: UInt64) = (2, 12)
    /// Tries while the block of the node that is behind does not stay in the chain of all.
    private static let tries = 2

    private let members: [Member]
    private let quorum: Int
    private let memory: QuorumMemory

    /// - Parameters:
    ///   - members: the nodes, the preferred ones first.
    ///   - quorum: how many of them must agree, at least 1.
    ///   - memory: takes what only some of the nodes know.
    package init(_ members: [Member], quorum: Int, memory: QuorumMemory = QuorumMemory()) {
        self.members = members
        self.quorum = max(1, quorum)
        self.memory = memory
    }

    // MARK: Reads

    /// - Throws: `ChainError`: `.disagreement`, or `.tooFewAnswers`.
    package func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        guard !reads.isEmpty else { return [] }
        let batch = QuorumBatch(reads)
        var missing: ChainError?
        for _ in 0..<Self.tries {
            let views = try await views(batch)
            let latest = QuorumAnswers(batch, batch.latest, views)
            if latest.isAtOneBlock, latest.disagreement == nil { return settled(latest) }
            guard let head = views.map(\.head).min(by: { $0.number < $1.number }) else { break }
            let pinned = QuorumAnswers(
                batch,
                batch.pinned(to: head.number),
                try await again(views, batch.pinned(to: head.number), batch)
            )
            switch pinned.standing(of: head) {
            case .shared:
                if let disagreement = pinned.disagreement { throw .disagreement(disagreement) }
                return settled(pinned)
            // Reorganized away, or a lie: the next latest block shows which.
            case .other(let disagreement): missing = .disagreement(disagreement)
            case .missing(let error): missing = error
            }
            if Task.isCancelled { break }
        }
        throw missing ?? .nonsense("the nodes gave no answers")
    }

    private func settled(_ answers: QuorumAnswers) -> [Result<ChainAnswer, ChainError>] {
        memory.note(answers.receiptsOfSome)
        return answers.merged
    }

    /// The views of as many nodes as must agree, none of them far behind another.
    ///
    /// - Throws: `ChainError.tooFewAnswers`, or `.disagreement` about the latest block.
    private func views(_ batch: QuorumBatch) async throws(ChainError) -> [NodeView] {
        var queue = memory.order(of: members.count)[...]
        var views: [NodeView] = []
        var failures: [(name: String, error: ChainError)] = []
        while true {
            if let group = NodeView.close(views, count: quorum) {
                let used = Set(group.map(\.index))
                for view in views where !used.contains(view.index) { memory.postpone(view.index) }
                return group
            }
            let next = queue.prefix(max(1, quorum - views.count))
            guard !next.isEmpty, !Task.isCancelled else { break }
            queue = queue.dropFirst(next.count)
            for (index, answers) in await ask(Array(next), batch.latest) {
                do throws(ChainError) {
                    let answers = try answers.get()
                    views.append(try NodeView(index, members[index].name, answers, batch))
                } catch {
                    memory.postpone(index)
                    failures.append((members[index].name, error))
                }
            }
        }
        guard views.count >= quorum, let disagreement = NodeView.apart(views) else {
            throw tooFew(views.count, failures)
        }
        throw .disagreement(disagreement)
    }

    /// The same nodes at one block.
    ///
    /// - Throws: `ChainError.tooFewAnswers`.
    private func again(
        _ views: [NodeView],
        _ reads: [ChainRead],
        _ batch: QuorumBatch
    ) async throws(ChainError) -> [NodeView] {
        let answers = await ask(views.map(\.index), reads)
        var pinned: [NodeView] = []
        var failures: [(name: String, error: ChainError)] = []
        for (view, (_, results)) in zip(views, answers) {
            do throws(ChainError) {
                pinned.append(try view.answering(results.get(), to: batch))
            } catch {
                memory.postpone(view.index)
                failures.append((view.name, error))
            }
        }
        guard failures.isEmpty else { throw tooFew(pinned.count, failures) }
        return pinned
    }

    /// Asks nodes at once.
    ///
    /// - Returns: the answers in the order of the nodes.
    private func ask(
        _ nodes: [Int],
        _ reads: [ChainRead]
    ) async -> [(index: Int, answers: Result<[Result<ChainAnswer, ChainError>], ChainError>)] {
        await nodes.concurrentMap { node in
            let answers = await Result { () async throws(ChainError) in
                try await members[node].client.read(reads)
            }
            return (node, answers)
        }
    }

    private func tooFew(
        _ answered: Int,
        _ failures: [(name: String, error: ChainError)]
    ) -> ChainError {
        // One or none is configured; the settings are checked before.
        let none = "No further node is configured."
        let reasons = failures.map { failure in
            switch failure.error {
            case .unreachable, .badStatus, .rateLimited: failure.error.description
            default: "\(failure.name): \(failure.error.description)"
            }
        }
        return .tooFewAnswers(
            needed: quorum,
            answered: answered,
            reason: reasons.isEmpty ? none : reasons.joined(separator: " ")
        )
    }

    // MARK: Broadcasts

    /// Broadcasts to all nodes at once: one that keeps the transaction to itself withholds nothing.
    ///
    /// - Throws: `ChainError`; `.nonceUsed` and `.notTaken` only if all nodes refuse it.
    package func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        // All of them: the fastest may be the one that lies.
        let answers = await members.concurrentMap { member in
            await Result { () async throws(ChainError) in try await member.client.send(raw: raw) }
        }
        let hash = TransactionHash(Keccak256.hash(raw))
        var refusal: ChainError?
        var declined: ChainError?
        var doubt: ChainError?
        for answer in answers {
            switch answer {
            case .success(let reported) where reported == hash: return hash
            case .success: doubt = .nonsense("the node took a transaction with another hash")
            case .failure(.nonceUsed(let code, let message)):
                refusal = .nonceUsed(code: code, message: message)
            case .failure(.notTaken(let code, let message)):
                refusal = refusal ?? .notTaken(code: code, message: message)
            case .failure(.declined(let code, let message)):
                declined = declined ?? .declined(code: code, message: message)
            case .failure(let error): doubt = error
            }
        }
        // Where its nonce is used, another node may have it in a block.
        if case .declined(let code, let message) = declined, case .nonceUsed = refusal {
            doubt = doubt ?? .rpc(code: code, message: message)
        }
        throw doubt ?? declined ?? refusal
            ?? .nonsense("no node was asked to take the transaction")
    }
}
