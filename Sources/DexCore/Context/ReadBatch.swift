import Ethereum
import ZeroEx

/// Questions for one request to a node, each with the place of its answer.
struct ReadBatch {
    private(set) var reads: [ChainRead] = []

    /// - Parameter capacity: about how many questions there will be.
    init(capacity: Int = 0) {
        reads.reserveCapacity(capacity)
    }

    /// Adds a question; the place of its answer.
    mutating func add(_ read: ChainRead) -> Int {
        reads.append(read)
        return reads.count - 1
    }

    /// Adds calls at one block; the places of their answers.
    mutating func add(_ calls: [CallRequest], at block: BlockTag) -> Range<Int> {
        let start = reads.count
        for call in calls { reads.append(.call(call, block)) }
        return start..<reads.count
    }

    /// Sends the questions; as many answers as questions, in their order.
    func send(to chain: any ChainClient) async throws(DexError) -> ReadAnswers {
        guard !reads.isEmpty else { return ReadAnswers(results: []) }
        let results: [Result<ChainAnswer, ChainError>]
        do {
            results = try await chain.read(reads)
        } catch {
            throw DexError(error)
        }
        guard results.count == reads.count else {
            throw DexError(
                ChainError.nonsense(
                    "the node gave \(results.count) answers to \(reads.count) questions"
                )
            )
        }
        return ReadAnswers(results: results)
    }
}

/// The answers to a `ReadBatch`, by the places it handed out.
struct ReadAnswers {
    let results: [Result<ChainAnswer, ChainError>]

    subscript(place: Int) -> Result<ChainAnswer, ChainError> {
        results[place]
    }

    /// An answer that the command cannot go on without.
    func value<Value>(
        _ place: Int,
        _ read: (ChainAnswer) throws(ChainError) -> Value
    ) throws(DexError) -> Value {
        try results[place].value(read)
    }

    /// An answer that is useful and not needed; nil where the node did not give it.
    func optional<Value>(
        _ place: Int?,
        _ read: (ChainAnswer) throws(ChainError) -> Value?
    ) -> Value? {
        guard let place, case .success(let answer) = results[place] else { return nil }
        return (try? read(answer)) ?? nil
    }

    /// The bytes that calls returned, all of them needed.
    func bytes(_ places: Range<Int>) throws(DexError) -> [[UInt8]] {
        var answers: [[UInt8]] = []
        answers.reserveCapacity(places.count)
        for place in places {
            answers.append(try value(place) { answer throws(ChainError) in try answer.bytes() })
        }
        return answers
    }

    /// The word that a call returned; nil where the contract failed in any way or returned less,
    /// as an address without code does: one bad token must not fail a whole command.
    ///
    /// - Throws: the node's failure, which says nothing about the contract.
    func word(_ place: Int) throws(DexError) -> UInt256? {
        switch results[place] {
        case .failure(let error) where error.isContractFailure: return nil
        case .failure(let error): throw DexError(error)
        case .success(let answer):
            let bytes: [UInt8]
            do {
                bytes = try answer.bytes()
            } catch {
                throw DexError(error)
            }
            return bytes.count >= 32 ? UInt256(bigEndian: bytes.prefix(32)) : nil
        }
    }

    /// A question was about a block that this node does not have (yet, or any more), as happens
    /// behind a load balancer and in a reorganisation.
    var isBlockMissing: Bool {
        results.contains { result in
            if case .failure(.missingBlock) = result { true } else { false }
        }
    }
}

extension Result<ChainAnswer, ChainError> {
    /// The answer, where the command cannot go on without it.
    ///
    /// - Throws: `DexError`, exit 4: a read that failed is that read's error, and no other state.
    func value<Value>(
        _ read: (ChainAnswer) throws(ChainError) -> Value
    ) throws(DexError) -> Value {
        do {
            return try read(get())
        } catch {
            guard !error.isContractFailure else {
                // A view of the exchange never reverts: this is not a trade that would fail.
                throw DexError(ExchangeError.unreadableAnswer("a read of its state reverted"))
            }
            throw DexError(error)
        }
    }

    /// An account's ether.
    ///
    /// - Throws: as `value`.
    func ether() throws(DexError) -> Wei {
        try value { answer throws(ChainError) in try answer.wei() }
    }
}
