import DexStore
import Ethereum

/// Hands signed bytes to the node: always the same bytes, and every ambiguous answer is settled by
/// looking for their hash.
struct Broadcast {
    let session: Session
    let journal: any Journal

    enum Result: Hashable {
        /// The node has it, or says that its nonce is used: polling tells which.
        case accepted
        /// The node will not have it, in its words; it is in no pool.
        case refused(String)
        /// Nobody knows; it may be on its way.
        case unknown(String)
    }

    /// Sends, up to three times where the answer is lost.
    func send(_ raw: [UInt8], hash: TransactionHash) async throws(DexError) -> Result {
        var reason = ""
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
            if case .rpc(_, let words) = failure, Self.means(words, Self.knownWords) {
                return accepted(hash)
            }
            if await isKnown(hash) { return accepted(hash) }
            switch failure {
            case .rpc(_, let words) where Self.means(words, Self.nonceWords): return .accepted
            case .rpc(_, let words), .reverted(_, let words):
                return .refused(PlainText.clean(words, limit: 300))
            case .unreachable, .nonsense, .rateLimited:
                reason = PlainText.clean(failure.description, limit: 300)
            }
        }
        return .unknown(reason)
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
        try? journal.mark(hash, as: .sent, now: session.environment.now())
        return .accepted
    }

    private func isKnown(_ hash: TransactionHash) async -> Bool {
        guard
            let answers = try? await session.chain.read([.receipt(hash), .transaction(hash)]),
            answers.count == 2
        else { return false }
        if case .success(.receipt(let receipt?)) = answers[0] {
            return receipt.transactionHash == hash
        }
        if case .success(.transaction(let info?)) = answers[1] { return info.hash == hash }
        return false
    }

    private static let knownWords = [
        "already known", "known transaction", "already imported", "alreadyknown",
        "already exists", "already in mempool",
    ]
    private static let nonceWords = ["nonce too low", "nonce is too low", "old nonce"]

    private static func means(_ message: String, _ words: [String]) -> Bool {
        let text = message.lowercased()
        return words.contains { text.contains($0) }
    }
}
