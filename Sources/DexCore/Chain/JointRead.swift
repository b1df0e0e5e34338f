import Ethereum
import ZeroEx

extension ReadBatch {
    /// Sends the questions; no request where there are none.
    ///
    /// - Throws: `DexError`, exit 4, where no answer came at all.
    func send(to chain: any ChainClient) async throws(DexError) -> ReadAnswers {
        do {
            return try await chain.read(self)
        } catch {
            throw DexError(error)
        }
    }
}

/// The combined result of several reads of one batch, once it is answered.
struct JointRead<Value> {
    fileprivate let value: (ReadAnswers) throws(DexError) -> Value

    init(_ value: @escaping (ReadAnswers) throws(DexError) -> Value) {
        self.value = value
    }
}

extension ReadAnswers {
    /// An answer that the command cannot go on without.
    ///
    /// - Throws: `DexError`, exit 4: a read that failed is that read's error, and no other state.
    func value<Value>(_ slot: ReadSlot<Value>) throws(DexError) -> Value {
        do {
            return try self[slot].get()
        } catch {
            guard !error.isContractFailure else {
                // A view of the exchange never reverts: this is not a trade that would fail.
                throw DexError(ExchangeError.unreadableAnswer("a read of its state reverted"))
            }
            throw DexError(error)
        }
    }

    /// Answers that are needed, all of them.
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

    /// The same with its failure kept, for one that may not matter.
    func result<Value>(_ read: JointRead<Value>) -> Result<Value, DexError> {
        Result { () throws(DexError) in try read.value(self) }
    }

    /// An answer that is useful and not needed; nil where the node did not give it.
    func optional<Value>(_ slot: ReadSlot<Value>) -> Value? {
        try? self[slot].get()  // nil: not given
    }

    /// The same where an answer may be nil.
    func optional<Value>(_ slot: ReadSlot<Value?>) -> Value? {
        (try? self[slot].get()) ?? nil  // nil: not given
    }

    /// What a call returned; nil where the contract failed: one bad token must not fail a whole
    /// command.
    ///
    /// - Throws: the node's failure, which says nothing about the contract.
    func returned(_ slot: ReadSlot<[UInt8]>) throws(DexError) -> [UInt8]? {
        do {
            return try self[slot].get()
        } catch {
            guard error.isContractFailure else { throw DexError(error) }
            return nil
        }
    }

    /// The word that a call returned; nil where the contract failed in any way or returned less,
    /// as an address without code does.
    ///
    /// - Throws: as `returned`.
    func word(_ slot: ReadSlot<[UInt8]>) throws(DexError) -> UInt256? {
        try returned(slot).flatMap(TokenAnswers.word)
    }

    /// A question was about a block that this node does not have (yet, or any more), as happens
    /// behind a load balancer and in a reorganisation.
    var isBlockMissing: Bool {
        failures.contains { if case .missingBlock = $0 { true } else { false } }
    }
}
