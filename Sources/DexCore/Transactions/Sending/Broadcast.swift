import DexStore
import Ethereum

/// Hands signed bytes to the network's nodes: always the same bytes, and every doubtful answer is
/// settled by asking for their hash.
struct Broadcast {
    let session: Session
    let journal: Journal

    enum Result: Hashable {
        /// The node has it, or says that its nonce is used: polling tells which.
        case accepted
        /// No node can have taken it, in one's words.
        case refused(String)
        /// Nobody knows; it may be on its way.
        case unknown(String)
    }

    /// Sends, up to three times where no answer tells that a node has it.
    ///
    /// Once an answer was doubtful nothing is a refusal any more: one of several servers behind a
    /// URL may have taken it, and another one speak.
    func send(_ raw: [UInt8], hash: TransactionHash) async throws(DexError) -> Result {
        var doubt: String?
        for attempt in 0..<3 {
            if attempt > 0 { try await Self.sleep(UInt64(200) << UInt64(attempt - 1), session) }
            let failure: ChainError
            do throws(ChainError) {
                let answered = try await session.chain.send(raw: raw)
                if answered == hash { return accepted(hash) }
                failure = .nonsense("the node answered with another hash")
            } catch {
                failure = error
            }
            if await isKnown(hash) { return accepted(hash) }
            switch failure {
            case .nonceUsed: return .accepted
            case .notTaken(_, let message) where doubt == nil:
                return .refused(PlainText.clean(message, limit: 300))
            default: doubt = doubt ?? PlainText.clean(failure.description, limit: 300)
            }
        }
        return .unknown(doubt ?? "")
    }

    /// What a doubtful answer means for a transaction that was sent, as sentences.
    static func doubt(_ reason: String) -> String {
        "No node confirmed that it has the transaction: \(PlainText.sentence(reason)) It may be "
            + "mined all the same. It is in the journal, and `dex resume` sends the same bytes "
            + "again."
    }

    /// Sleeps as the environment does; a cancellation is told as the user's.
    static func sleep(_ milliseconds: UInt64, _ session: Session) async throws(DexError) {
        do {
            try await session.environment.sleep(milliseconds)
        } catch {
            throw DexError.interrupted
        }
    }

    /// The bytes are durable already; a journal that fails now changes nothing that was done.
    private func accepted(_ hash: TransactionHash) -> Result {
        try? LifecycleLog(session: session, journal: journal).note(.send, hash)
        return .accepted
    }

    private func isKnown(_ hash: TransactionHash) async -> Bool {
        var batch = ReadBatch()
        let receipt = batch.add(.receipt(hash))
        let info = batch.add(.transaction(hash))
        guard let answers = try? await session.chain.read(batch) else { return false }
        let known =
            answers.optional(receipt)?.transactionHash ?? answers.optional(info)?.hash
        return known == hash
    }
}
