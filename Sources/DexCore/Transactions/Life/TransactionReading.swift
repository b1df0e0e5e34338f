import DexStore
import Ethereum

/// Reads an observation of a transaction from a batch to a node; no other code does so.
struct TransactionReading: Hashable, Sendable {
    struct Slots: Sendable {
        let receipt: ReadSlot<TransactionReceipt?>
        let info: ReadSlot<TransactionInfo?>
    }

    let hash: TransactionHash
    /// nil if not known yet.
    let sender: Address?
    /// nil if not known yet.
    let nonce: UInt64?
    /// The maximum gas that it can use; nil if it is not ours.
    let gasLimit: UInt64?

    /// The chain charges all of it.
    private let paysLimit: Bool

    /// - Parameters:
    ///   - raw: its signed bytes; nil if it is not ours.
    ///   - rules: the chain's.
    init(
        hash: TransactionHash,
        sender: Address?,
        nonce: UInt64?,
        raw: [UInt8]?,
        rules: FeeRules
    ) {
        paysLimit = rules.charged == .limit
        self.hash = hash
        self.sender = sender
        self.nonce = nonce
        gasLimit = raw.flatMap { try? SignedTransaction.transaction(inRaw: $0).gasLimit }  // broken
    }

    /// From one of our transactions.
    init(_ transaction: JournalTransaction, rules: FeeRules) {
        self.init(
            hash: transaction.hash,
            sender: transaction.sender,
            nonce: transaction.nonce,
            raw: transaction.raw,
            rules: rules
        )
    }

    /// Adds its questions to a batch.
    func ask(in batch: inout ReadBatch) -> Slots {
        Slots(receipt: batch.add(.receipt(hash)), info: batch.add(.transaction(hash)))
    }

    /// The observation in the answers; a receipt is not checked against the chain yet.
    ///
    /// - Parameter head: the number of the latest block.
    /// - Throws: `DexError`, exit 4, if the node did not answer, or returned another transaction.
    func observation(
        _ slots: Slots,
        in answers: ReadAnswers,
        head: UInt64?
    ) throws(DexError) -> TransactionObservation {
        let receipt = try receipt(slots.receipt, in: answers)
        // With a receipt nothing else is needed.
        let info = try receipt == nil ? answers.value(slots.info) : answers.optional(slots.info)
        if let info, info.hash != hash {
            throw DexError(
                ChainError.nonsense(
                    "it is the transaction \(info.hash) where \(hash) was asked for"
                )
            )
        }
        return TransactionObservation(receipt: receipt, info: info, head: head)
    }

    /// The receipt in an answer, which must be the requested one.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer, or returned another transaction.
    func receipt(
        _ slot: ReadSlot<TransactionReceipt?>,
        in answers: ReadAnswers
    ) throws(DexError) -> TransactionReceipt? {
        guard let receipt = try answers.value(slot) else { return nil }
        guard receipt.transactionHash == hash else {
            throw DexError(
                ChainError.nonsense(
                    "it is the receipt of \(receipt.transactionHash) where \(hash) was asked for"
                )
            )
        }
        guard sender == nil || receipt.from == sender else {
            throw DexError(
                ChainError.nonsense(
                    "the receipt of \(hash) names \(receipt.from) as its sender, who did not "
                        + "sign it"
                )
            )
        }
        guard receipt.gasUsed <= gasLimit ?? .max else {
            throw DexError(
                ChainError.nonsense(
                    "the receipt of \(hash) reports \(receipt.gasUsed) gas, and the transaction "
                        + "can use no more than \(gasLimit ?? 0)"
                )
            )
        }
        guard paysLimit, let gasLimit else { return receipt }
        // Whatever the receipt says was used, this is what was paid.
        return receipt.charging(gasLimit)
    }

    // MARK: Canonical or not

    /// Checks receipts against the chain's blocks in one request; without receipts it sends none.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer.
    static func check(
        _ observations: inout [TransactionObservation],
        on chain: any ChainClient
    ) async throws(DexError) {
        let open = observations.filter { $0.isCanonical == nil }
        let blocks = try await chain.blocks(Set(open.compactMap(\.receipt?.blockNumber)))
        for index in observations.indices where observations[index].isCanonical == nil {
            guard let receipt = observations[index].receipt else { continue }
            let block = blocks[receipt.blockNumber]
            observations[index].isCanonical = block?.hash == receipt.blockHash
            observations[index].blockTime = block?.timestamp
        }
    }

    /// Checks one receipt; one in the latest block needs no request.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer.
    static func check(
        _ observation: TransactionObservation,
        head: Block,
        on chain: any ChainClient
    ) async throws(DexError) -> TransactionObservation {
        var observation = observation
        if let receipt = observation.receipt, receipt.blockNumber == head.number {
            observation.isCanonical = receipt.blockHash == head.hash
            observation.blockTime = head.timestamp
        }
        var all = [observation]
        try await check(&all, on: chain)
        return all.first ?? observation
    }

    /// Checks a receipt before it is final: its block again, and that the node still returns the
    /// same receipt.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer.
    func confirm(
        _ observation: TransactionObservation,
        on chain: any ChainClient
    ) async throws(DexError) -> TransactionObservation {
        guard let receipt = observation.receipt else { return observation }
        var batch = ReadBatch()
        let block = batch.add(.block(.number(receipt.blockNumber)))
        let again = batch.add(.receipt(hash))
        let answers = try await batch.send(to: chain)
        var observation = observation
        observation.isCanonical = try answers.value(block)?.hash == receipt.blockHash
        if try self.receipt(again, in: answers) != receipt { observation.isCanonical = false }
        return observation
    }
}
