import Ethereum
import ZeroEx

extension ReadBatch {
    /// Sends the reads; no request if there are none.
    ///
    /// - Throws: `DexError`, exit 4, if there was no answer at all.
    func send(to chain: any ChainClient) async throws(DexError) -> ReadAnswers {
        do {
            return try await chain.read(self)
        } catch {
            throw DexError(error)
        }
    }
}

extension ChainClient {
    /// Blocks by number, as the chain has them now; no request if there are none.
    ///
    /// - Returns: without the blocks that the node does not have.
    /// - Throws: `DexError`, exit 4, if the node did not answer.
    func blocks(_ numbers: Set<UInt64>) async throws(DexError) -> [UInt64: Block] {
        var batch = ReadBatch()
        let slots = numbers.sorted().map { ($0, batch.add(.block(.number($0)))) }
        let answers = try await batch.send(to: self)
        var blocks: [UInt64: Block] = [:]
        for (number, slot) in slots { blocks[number] = try answers.value(slot) }
        return blocks
    }
}

/// Data that a node does not report, and why.
struct Unavailable: Error {
    /// A sentence.
    let reason: String
}

extension Result {
    /// The error; nil for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// A value from several reads of one batch, such as the head of the chain with an account's nonce.
struct JointRead<Value> {
    fileprivate let value: (ReadAnswers) throws(DexError) -> Value

    init(_ value: @escaping (ReadAnswers) throws(DexError) -> Value) {
        self.value = value
    }
}

extension ReadAnswers {
    /// A required answer.
    ///
    /// - Throws: `DexError`, exit 4: the error of that read.
    func value<Value>(_ slot: ReadSlot<Value>) throws(DexError) -> Value {
        do {
            return try self[slot].get()
        } catch {
            guard !error.isContractFailure else {
                // A view of the exchange never reverts, so this is not a trade that would fail.
                throw DexError(ExchangeError.unreadableAnswer("a read of its state reverted"))
            }
            throw DexError(error)
        }
    }

    /// A required answer, or why the node does not report it, such as the state of an old block.
    ///
    /// - Throws: `DexError`, exit 4, if the node is gone or limits us, which says nothing about the
    ///   data.
    func valueOrReason<Value>(_ slot: ReadSlot<Value>) throws(DexError) -> Result<
        Value, Unavailable
    > {
        switch self[slot] {
        case .success(let value): return .success(value)
        case .failure(let error):
            guard !error.isUnanswered else { throw DexError(error) }
            return .failure(Unavailable(reason: PlainText.sentence(error.description)))
        }
    }

    /// Required answers, all of them.
    ///
    /// - Throws: as of one.
    func values<Value>(_ slots: [ReadSlot<Value>]) throws(DexError) -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(slots.count)
        for slot in slots { values.append(try value(slot)) }
        return values
    }

    /// The combined result of several answers.
    ///
    /// - Throws: `DexError`, as the read defines.
    func value<Value>(_ read: JointRead<Value>) throws(DexError) -> Value {
        try read.value(self)
    }

    /// The same with its error kept, for an optional value.
    func result<Value>(_ read: JointRead<Value>) -> Result<Value, DexError> {
        Result { () throws(DexError) in try read.value(self) }
    }

    /// An optional answer; nil if the node did not give it.
    func optional<Value>(_ slot: ReadSlot<Value>) -> Value? {
        try? self[slot].get()  // nil: not given
    }

    /// The same for an answer that may be nil.
    func optional<Value>(_ slot: ReadSlot<Value?>) -> Value? {
        (try? self[slot].get()) ?? nil  // nil: not given
    }

    /// What a call returned; nil if the contract failed: one bad token must not fail a whole
    /// command.
    ///
    /// - Throws: the node's failure, which says nothing about the contract.
    func returned(_ slot: ReadSlot<[UInt8]>) throws(DexError) -> [UInt8]? {
        do throws(ChainError) {
            return try answer(slot)
        } catch {
            throw DexError(error)
        }
    }

    /// The same, for what throws the node's failure as it is.
    func answer(_ slot: ReadSlot<[UInt8]>) throws(ChainError) -> [UInt8]? {
        do {
            return try self[slot].get()
        } catch {
            guard error.isContractFailure else { throw error }
            return nil
        }
    }

    /// The word that a call returned; nil if the contract failed or returned less.
    ///
    /// An address without code returns nothing.
    ///
    /// - Throws: as `returned`.
    func word(_ slot: ReadSlot<[UInt8]>) throws(DexError) -> UInt256? {
        try returned(slot).flatMap(TokenAnswers.word)
    }

    /// The node does not have a requested block (yet, or any more).
    ///
    /// This happens behind a load balancer and in a reorganization.
    var isBlockMissing: Bool {
        failures.contains { if case .missingBlock = $0 { true } else { false } }
    }
}
