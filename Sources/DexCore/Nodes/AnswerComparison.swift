import Ethereum

/// Thrown where two nodes cannot both be right.
extension NodeDisagreement: Error {}

/// One answer from those of several nodes to the same question.
struct AnswerComparison {
    typealias Answer = Result<ChainAnswer, ChainError>

    let views: [NodeView]
    let batch: QuorumBatch
    /// The questions as the nodes got them.
    let reads: [ChainRead]

    /// The answer that counts; a node's failure to answer is one.
    ///
    /// - Throws: `NodeDisagreement`.
    func answer(_ place: Int) throws(NodeDisagreement) -> Answer {
        let read = reads[place]
        let answers = self.answers(place)
        switch read {
        case .chainID, .block, .fullBlock, .header, .balance, .call, .code, .storage, .logs,
            .verbatim:
            return try same(answers, place)
        case .transactionCount(_, .pending): return try pendingCount(answers, place)
        case .transactionCount: return try same(answers, place)
        case .blockNumber: return Self.all(answers) { .number(Self.numbers($0).min() ?? 0) }
        case .syncing: return Self.all(answers) { .number(Self.numbers($0).max() ?? 0) }
        case .estimateGas: return Self.all(answers) { .number(Self.numbers($0).max() ?? 0) }
        case .gasPrice, .maxPriorityFeePerGas, .lineaTip: return Self.any(answers, Self.lowest)
        case .feeHistory: return try feeHistory(answers, place)
        case .accessList, .proof: return Self.any(answers) { $0.first }
        case .transaction(let hash): return try transaction(answers, hash, place)
        case .receipt(let hash): return try receipt(answers, hash, place)
        }
    }

    /// What each node said; one that is behind a block says nothing about it.
    func answers(_ place: Int) -> [Answer] {
        guard let number = reads[place].blockNumber else { return views.map { $0.answers[place] } }
        return views.map { view in
            guard number > view.head.number else { return view.answers[place] }
            switch reads[place] {
            case .block: return .success(.block(nil))
            case .fullBlock: return .success(.fullBlock(nil))
            case .header: return .success(.header(nil))
            default:
                return .failure(
                    .missingBlock(
                        code: -32_000,
                        message: "\(view.name) is at block \(view.head.number), before \(number)"
                    )
                )
            }
        }
    }

    // MARK: The same

    /// The answer of all nodes.
    ///
    /// A node without an answer, or without the block, leaves none. Where a call fails at all nodes,
    /// only what the contract itself returned is compared: each client has its own words.
    private func same(_ answers: [Answer], _ place: Int) throws(NodeDisagreement) -> Answer {
        guard let first = answers.first else { return Self.none }
        if let open = answers.firstIndex(where: Self.isOpen) {
            return answers[open].mapError { $0.said(by: views[open].name) }
        }
        var reported = first
        for (index, answer) in answers.enumerated().dropFirst() {
            switch (first, answer) {
            case (.success(let one), .success(let other)) where one == other: continue
            case (.failure(let one), .failure(let other)):
                let data = (Self.revertData(one), Self.revertData(other))
                if data.0 == data.1 || data.1.isEmpty { continue }
                guard data.0.isEmpty else { throw difference(place, 0, index) }
                reported = answer
            default: throw difference(place, 0, index)
            }
        }
        return reported
    }

    /// The node did not answer, or has no such block.
    static func isOpen(_ answer: Answer) -> Bool {
        switch answer {
        case .failure(let error): !error.isExecutionFailure
        case .success(.block(nil)), .success(.fullBlock(nil)), .success(.header(nil)): true
        case .success: false
        }
    }

    private static func revertData(_ error: ChainError) -> [UInt8] {
        if case .reverted(let data, _) = error { data } else { [] }
    }

    func difference(_ place: Int, _ one: Int, _ other: Int) -> NodeDisagreement {
        NodeDisagreement(
            asked: reads[place],
            (views[one].name, answers(place)[one]),
            (views[other].name, answers(place)[other])
        )
    }

    // MARK: Bounded

    /// A value of the answers of all nodes; a failure of one is the answer.
    private static func all(_ answers: [Answer], _ value: ([ChainAnswer]) -> ChainAnswer) -> Answer
    {
        var reported: [ChainAnswer] = []
        for answer in answers {
            guard case .success(let one) = answer else { return answer }
            reported.append(one)
        }
        return .success(value(reported))
    }

    /// A value of the answers that there are; a failure if there are none.
    private static func any(_ answers: [Answer], _ value: ([ChainAnswer]) -> ChainAnswer?) -> Answer
    {
        let reported = answers.compactMap { try? $0.get() }  // a failure is told below
        return value(reported).map { .success($0) } ?? answers.first ?? none
    }

    private static let none = Answer.failure(.nonsense("no node was asked"))

    private static func numbers(_ answers: [ChainAnswer]) -> [UInt64] {
        answers.compactMap { if case .number(let number) = $0 { number } else { nil } }
    }

    private static func lowest(_ answers: [ChainAnswer]) -> ChainAnswer? {
        answers.compactMap { if case .wei(let wei) = $0 { wei } else { nil } }.min()
            .map { .wei($0) }
    }

    /// The pending transactions that all nodes know of, and at least the mined ones.
    ///
    /// A higher count of one node alone would leave a gap, in which nothing is mined; a lower one
    /// than the mined ones would be refused.
    private func pendingCount(_ answers: [Answer], _ place: Int) throws(NodeDisagreement) -> Answer
    {
        guard let minedPlace = batch.mined[place] else { return try same(answers, place) }
        let mined: ChainAnswer
        switch try same(self.answers(minedPlace), minedPlace) {
        case .success(let reported): mined = reported
        case .failure(let error): return .failure(error)
        }
        return Self.all(answers) { reported in
            let lowest = Self.numbers(reported).min() ?? 0
            return .number(max(lowest, Self.numbers([mined]).first ?? 0))
        }
    }

    /// The history up to the earliest of the nodes' blocks, with the lowest tips.
    ///
    /// The base fees of blocks that several of them list are compared, but for the last one, which
    /// is a forecast: of it the lowest counts.
    private func feeHistory(_ answers: [Answer], _ place: Int) throws(NodeDisagreement) -> Answer {
        var histories: [(index: Int, history: FeeHistory)] = []
        for (index, answer) in answers.enumerated() {
            if case .success(.feeHistory(let history)) = answer {
                histories.append((index, history))
            }
        }
        guard
            let (base, earliest) = histories.min(by: {
                $0.history.oldestBlock < $1.history.oldestBlock
            })
        else { return answers.first ?? Self.none }
        var baseFees = earliest.baseFeePerGas
        var rewards = earliest.rewards
        for (index, other) in histories where index != base {
            let shift = other.oldestBlock - earliest.oldestBlock
            guard shift < UInt64(baseFees.count), let offset = Int(exactly: shift) else { continue }
            for (row, fee) in other.baseFeePerGas.enumerated() {
                let mine = row + offset
                guard mine < baseFees.count, fee != earliest.baseFeePerGas[mine] else { continue }
                let isForecast =
                    mine == baseFees.count - 1 || row == other.baseFeePerGas.count - 1
                guard isForecast else { throw difference(place, base, index) }
                baseFees[mine] = min(baseFees[mine], fee)
            }
            for (row, tips) in other.rewards.enumerated() {
                let mine = row + offset
                guard mine < rewards.count, rewards[mine].count == tips.count else { continue }
                rewards[mine] = zip(rewards[mine], tips).map { min($0, $1) }
            }
        }
        return .success(
            .feeHistory(
                FeeHistory(
                    oldestBlock: earliest.oldestBlock,
                    baseFeePerGas: baseFees,
                    rewards: rewards
                )
            )
        )
    }
}

extension ChainError {
    /// The same error with the node that answered so.
    fileprivate func said(by node: String) -> ChainError {
        switch self {
        case .rpc(let code, let message): .rpc(code: code, message: "\(node): \(message)")
        case .nonsense(let reason): .nonsense("\(node): \(reason)")
        default: self
        }
    }
}
