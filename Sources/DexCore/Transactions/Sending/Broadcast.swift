import DexStore
import Ethereum

/// Sends signed bytes to the network's nodes.
///
/// The bytes are always the same, and a doubtful answer is resolved by asking for their hash.
struct Broadcast {
    let session: Session
    let journal: Journal

    enum Result: Hashable {
        /// A node has it, or reports its nonce as used: polling shows which.
        case accepted
        /// No node can have accepted it; in one node's words.
        case refused(String)
        /// Every node answered each time that it does not take it; in one node's words. A server
        /// behind one of them may have it all the same.
        case declined(String)
        /// It is unknown whether it is on its way.
        case unknown(String)
    }

    /// Sends, up to three times while no answer confirms that a node has it.
    ///
    /// After a doubtful answer a refusal no longer counts: one of several servers behind a URL may
    /// have accepted it while another one answers.
    func send(_ raw: [UInt8], hash: TransactionHash) async throws(DexError) -> Result {
        var doubt: String?
        var declined: String?
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
            case .notTaken(_, let message) where doubt == nil && declined == nil:
                return .refused(PlainText.quoted(message, limit: 300))
            case .notTaken(_, let message), .declined(_, let message):
                declined = declined ?? PlainText.quoted(message, limit: 300)
            default: doubt = doubt ?? PlainText.clean(failure.description)
            }
        }
        if doubt == nil, let declined { return .declined(declined) }
        return .unknown(doubt ?? "")
    }

    /// The meaning of a doubtful answer after a transaction was sent, as sentences.
    static func doubt(_ reason: String) -> String {
        "No node confirmed that it has the transaction: \(PlainText.sentence(reason)) It may be "
            + "mined all the same. It is in the journal, and `dex resume` sends the same bytes "
            + "again."
    }

    /// Sleeps with the environment's clock; a cancellation counts as the user's.
    static func sleep(_ milliseconds: UInt64, _ session: Session) async throws(DexError) {
        do {
            try await session.environment.sleep(milliseconds)
        } catch {
            throw DexError.interrupted
        }
    }

    /// The bytes are already durable; a journal that fails now does not change what was done.
    private func accepted(_ hash: TransactionHash) -> Result {
        let life = LifecycleLog(session: session, journal: journal)
        life.attempt(try life.note(.send, hash))
        return .accepted
    }

    private func isKnown(_ hash: TransactionHash) async -> Bool {
        let reading = TransactionReading(
            hash: hash,
            sender: nil,
            nonce: nil,
            raw: nil,
            rules: session.network.fees
        )
        let answers = try? await TransactionObserver(session: session).ask([reading])  // none
        let observation = try? answers?.observation(0)  // as above
        return observation?.isEmpty == false
    }
}
