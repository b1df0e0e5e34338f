/// Questions sent to a node together; each gets a slot with the type of its answer.
///
///     var batch = ReadBatch()
///     let ether = batch.add(.balance(account, .latest))
///     let nonce = batch.add(.transactionCount(account, .pending))
///     let answers = try await chain.read(batch)
///     let wei: Wei = try answers[ether].get()
public struct ReadBatch: Sendable {
    /// In the order of `add`.
    public private(set) var questions: [ChainRead] = []

    /// - Parameter capacity: the expected number of questions.
    public init(capacity: Int = 0) {
        questions.reserveCapacity(capacity)
    }

    /// Adds a question.
    public mutating func add<Value>(_ read: Read<Value>) -> ReadSlot<Value> {
        questions.append(read.question)
        return ReadSlot(index: questions.count - 1, unwrap: read.unwrap)
    }

    /// Adds calls at one block.
    public mutating func add(
        _ calls: [CallRequest],
        at block: BlockTag
    ) -> [ReadSlot<[UInt8]>] {
        calls.map { add(.call($0, block)) }
    }
}

/// The slot of one answer in a batch.
public struct ReadSlot<Value: Sendable>: Sendable {
    let index: Int
    let unwrap: @Sendable (ChainAnswer) throws(ChainError) -> Value
}

/// A node's answers to a `ReadBatch`, read by slot.
public struct ReadAnswers: Sendable {
    let results: [Result<ChainAnswer, ChainError>]

    /// The answer, or why there is none; each question fails separately.
    public subscript<Value>(slot: ReadSlot<Value>) -> Result<Value, ChainError> {
        guard results.indices.contains(slot.index) else {
            return .failure(.nonsense("answers to other questions"))
        }
        switch results[slot.index] {
        case .success(let answer):
            return Result { () throws(ChainError) in try slot.unwrap(answer) }
        case .failure(let error): return .failure(error)
        }
    }

    /// The errors of the questions that failed.
    public var failures: [ChainError] {
        results.compactMap { result in
            if case .failure(let error) = result { error } else { nil }
        }
    }
}

extension ChainClient {
    /// Asks a whole batch; an empty one sends no request.
    ///
    /// - Throws: `ChainError` if no answer came at all, or the number of answers is wrong.
    public func read(_ batch: ReadBatch) async throws(ChainError) -> ReadAnswers {
        let questions = batch.questions
        guard !questions.isEmpty else { return ReadAnswers(results: []) }
        let results = try await read(questions)
        guard results.count == questions.count else {
            throw .nonsense(
                "the node gave \(results.count) answers to \(questions.count) questions"
            )
        }
        return ReadAnswers(results: results)
    }
}
