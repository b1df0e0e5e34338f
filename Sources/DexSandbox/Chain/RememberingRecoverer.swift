import Ethereum
import Synchronization

/// A recoverer that caches the signer of each signature.
///
/// A book's reader asks a v4 exchange about all orders' signatures repeatedly, on the same
/// processor as the sandbox.
final class RememberingRecoverer: SignatureRecovering {
    private struct Question: Hashable {
        /// A digest, or a message of which the prefixed hash is signed.
        let word: Bytes32
        let isMessage: Bool
        let signature: Signature
    }

    private let recoverer: any SignatureRecovering
    private let limit: Int
    private let known = Mutex<[Question: Address]>([:])

    /// - Parameter limit: the maximum number of cached signers; at the limit all are removed.
    init(_ recoverer: any SignatureRecovering, limit: Int = 131_072) {
        self.recoverer = recoverer
        self.limit = limit
    }

    func recover(digest: Bytes32, signature: Signature) throws(SignatureError) -> Address {
        let question = Question(word: digest, isMessage: false, signature: signature)
        if let signer = known(question) { return signer }
        return keep(try recoverer.recover(digest: digest, signature: signature), question)
    }

    func recover(message: Bytes32, signature: Signature) throws(SignatureError) -> Address {
        let question = Question(word: message, isMessage: true, signature: signature)
        if let signer = known(question) { return signer }
        return keep(try recoverer.recover(message: message, signature: signature), question)
    }

    private func known(_ question: Question) -> Address? {
        known.withLock { $0[question] }
    }

    private func keep(_ signer: Address, _ question: Question) -> Address {
        known.withLock { known in
            if known.count >= limit { known.removeAll(keepingCapacity: true) }
            known[question] = signer
        }
        return signer
    }
}
