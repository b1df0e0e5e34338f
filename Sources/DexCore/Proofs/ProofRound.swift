import EVM
import Ethereum

/// One round trip to several nodes at once: the header of a block, their newest one, and proofs.
struct ProofRound {
    /// What one node answers.
    struct View {
        let member: QuorumChainClient.Member
        /// Of the block that was asked for.
        let header: Result<BlockHeader?, ChainError>
        let latest: Result<BlockHeader?, ChainError>
        /// In the order of the questions.
        let proofs: [Result<AccountProof, ChainError>]
        /// What it says of the values that it was to repeat; nil if it does not.
        let claims: FetchedState?

        /// nil: it does not have the block, or says none that is one.
        var block: BlockHeader? { (try? header.get()) ?? nil }  // nil: the reason is in the result
        /// nil: as above.
        var newest: BlockHeader? { (try? latest.get()) ?? nil }  // nil: as above
        /// It has a block that can be verified.
        var isUsable: Bool { block != nil || newest != nil }
    }

    let number: UInt64
    let questions: [ProofQuestion]
    private(set) var views: [View] = []
    /// Why nodes gave no answer at all, as clauses.
    private(set) var failures: [String] = []

    /// What is asked about one block.
    private struct Question {
        let number: UInt64
        let header: ReadSlot<BlockHeader?>
        let proofs: [ReadSlot<AccountProof>]
        let reads: StateReads
    }

    /// Asks nodes about one block, or about several at once.
    ///
    /// - Parameters:
    ///   - proofs: what is to be proven.
    ///   - claims: what each node is to say once more, of the same block.
    /// - Returns: a round for each block, in their order.
    static func ask(
        _ members: [QuorumChainClient.Member],
        proofs: Set<StateKey>,
        claims: Set<StateKey> = [],
        at numbers: [UInt64]
    ) async -> [ProofRound] {
        let questions = ProofQuestion.list(proofs)
        var batch = ReadBatch()
        let latest = batch.add(.header(.latest))
        let blocks = numbers.map { number in
            Question(
                number: number,
                header: batch.add(.header(.number(number))),
                proofs: questions.map { batch.add($0.read(at: .number(number))) },
                reads: StateReads.ask(claims, at: .number(number), in: &batch)
            )
        }
        let asked = batch
        let views = await members.concurrentMap { member in
            await Result { () async throws(ChainError) in try await member.client.read(asked) }
        }
        return blocks.map { block in
            var round = ProofRound(number: block.number, questions: questions)
            for (member, view) in zip(members, views) {
                switch view {
                case .success(let answers):
                    round.views.append(
                        View(
                            member: member,
                            header: answers[block.header],
                            latest: answers[latest],
                            proofs: block.proofs.map { answers[$0] },
                            claims: repeated(block.reads, answers)
                        )
                    )
                case .failure(let error):
                    round.failures.append("\(member.name) gives no header: \(error.reason)")
                }
            }
            return round
        }
    }

    /// nil: a value is missing.
    private static func repeated(_ reads: StateReads, _ answers: ReadAnswers) -> FetchedState? {
        let state = FetchedState(producer: .zero)
        do throws(ChainError) {
            try reads.put(into: state, answers)
            return state
        } catch {
            return nil
        }
    }

    // MARK: The header

    /// Two headers of the block; nil unless they differ.
    var disagreement: NodeDisagreement? {
        let found = views.filter { $0.block != nil }
        guard let first = found.first,
            let other = found.first(where: { $0.block?.hash != first.block?.hash })
        else { return nil }
        return NodeDisagreement(
            about: "block \(number)",
            NodeDisagreement.Statement(node: first.member.name, said: said(first)),
            NodeDisagreement.Statement(node: other.member.name, said: said(other))
        )
    }

    private func said(_ view: View) -> String {
        view.block.map { "\($0.hash)" } ?? "there is none"
    }

    /// The header of some views, with the nodes that give it; nil if none of them does.
    func header(of views: [View]) -> (header: BlockHeader, nodes: [String])? {
        let found = views.filter { $0.block != nil }
        return found.first?.block.map { ($0, found.map(\.member.name)) }
    }

    /// Why there is no header, as a clause.
    var reason: String {
        for view in views {
            switch view.header {
            case .failure(let error):
                return "\(view.member.name) gives no header that can be verified: \(error.reason)"
            case .success(nil): return "\(view.member.name) has no block \(number)"
            case .success: continue
            }
        }
        return failures.first ?? "no node is configured"
    }

    /// The views that have the block, and those whose newest block is close to the newest of all.
    var close: [View] {
        let newest = views.compactMap(\.newest).max { $0.number < $1.number }
        return views.filter { view in
            guard view.block == nil else { return true }
            guard let newest, let own = view.newest else { return false }
            return NodeView.isClose(Block(newest), Block(own))
        }
    }

    /// The newest block that all of some views have; nil if none of them says one.
    func shared(by views: [View]) -> UInt64? {
        views.compactMap { view in
            switch (view.newest, view.block) {
            case (let newest?, let block?): max(newest.number, block.number)
            case (let newest, let block): newest?.number ?? block?.number
            }
        }
        .min()
    }

    /// The newest block of each node, as a clause.
    var newest: String {
        let blocks = views.compactMap { view in
            view.newest.map { "\(view.member.name) is at block \($0.number)" }
        }
        return blocks.joined(separator: ", ")
    }

    /// Whether a node says that it has a block of this number, or a newer one.
    static func has(_ number: UInt64, _ view: View) -> Bool {
        max(view.newest?.number ?? 0, view.block?.number ?? 0) >= number
    }
}

extension Block {
    /// The block of a header.
    init(_ header: BlockHeader) {
        self.init(
            number: header.number,
            hash: header.hash,
            parentHash: header.parentHash,
            timestamp: header.timestamp,
            baseFeePerGas: header.baseFeePerGas,
            gasLimit: header.gasLimit,
            gasUsed: header.gasUsed,
            coinbase: header.beneficiary,
            random: header.mixHash
        )
    }
}
