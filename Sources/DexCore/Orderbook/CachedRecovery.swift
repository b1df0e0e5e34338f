import Ethereum
import Synchronization

/// One pass over orders with a signature cache: recovers what it lacks, and notes what is verified.
final class CachedRecovery: Sendable {
    private let digester: SignatureDigester
    private let known: VerifiedSignatures
    private let recoverer: any SignatureRecovering
    private let fresh = Mutex<[SignatureDigest]>([])

    init(
        digester: SignatureDigester,
        known: VerifiedSignatures,
        recoverer: any SignatureRecovering
    ) {
        self.digester = digester
        self.known = known
        self.recoverer = recoverer
    }

    /// The signatures that were recovered and are their claimed signers'.
    var verified: [SignatureDigest] { fresh.withLock { $0 } }

    /// Recovers signatures of which an account is said to be the signer.
    func recoverer(claiming signer: Address) -> any SignatureRecovering {
        Claim(signer: signer, recovery: self)
    }

    private struct Claim: SignatureRecovering {
        let signer: Address
        let recovery: CachedRecovery

        func recover(digest: Bytes32, signature: Signature) throws(SignatureError) -> Address {
            let fact = recovery.digester.digest(of: digest, signature, by: signer)
            if recovery.known.contains(fact) { return signer }
            return keep(
                fact,
                try recovery.recoverer.recover(digest: digest, signature: signature)
            )
        }

        func recover(message: Bytes32, signature: Signature) throws(SignatureError) -> Address {
            let fact = recovery.digester.digest(of: message, hasPrefix: true, signature, by: signer)
            if recovery.known.contains(fact) { return signer }
            return keep(
                fact,
                try recovery.recoverer.recover(message: message, signature: signature)
            )
        }

        /// Another signer is no fact that any order needs again.
        private func keep(_ fact: SignatureDigest, _ recovered: Address) -> Address {
            if recovered == signer { recovery.fresh.withLock { $0.append(fact) } }
            return recovered
        }
    }
}
