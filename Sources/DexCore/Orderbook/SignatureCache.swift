package import Ethereum
import Synchronization
import ZeroEx

/// Remembers which signatures were verified, so that a book is verified once.
///
/// An entry says that an account made a signature over 32 bytes: a fact that never changes. An
/// order's hash is computed from its terms each time, and all other rules are checked each time.
/// Entries are digests by a secret key of this home, so nothing that a relay sends makes one.
///
/// Bitcoin Core's signature cache works the same way.
///
/// Source: https://github.com/bitcoin/bitcoin/blob/v28.0/src/script/sigcache.cpp
package final class SignatureCache: Sendable {
    private struct State {
        /// nil until something is asked.
        var key: Bytes32?
        /// The key is new: nothing that is kept is by this key.
        var isNewKey = false
        var known = VerifiedSignatures()
        /// Not yet kept.
        var fresh: [SignatureDigest] = []
    }

    private let state = Mutex(State())
    private let storage: any SignatureCacheStorage
    private let random: @Sendable () -> Bytes32

    /// - Parameter random: 32 unpredictable bytes, for a new key.
    package init(
        storage: any SignatureCacheStorage,
        random: @escaping @Sendable () -> Bytes32
    ) {
        self.storage = storage
        self.random = random
    }

    /// Recovers the signers of one exchange's orders, but for signatures that are known by now.
    ///
    /// - Parameter purpose: the version of 0x, chain and exchange.
    func recovery(for purpose: [UInt8], _ recoverer: any SignatureRecovering) -> CachedRecovery {
        state.withLock { state in
            CachedRecovery(
                digester: SignatureDigester(key: open(&state), purpose: purpose),
                known: state.known,
                recoverer: recoverer
            )
        }
    }

    /// Remembers what a recovery verified.
    func add(_ recovery: CachedRecovery) {
        let verified = recovery.verified
        guard !verified.isEmpty else { return }
        state.withLock { state in
            for digest in verified where !state.known.contains(digest) {
                state.known.insert(digest)
                state.fresh.append(digest)
            }
            // More would push each other out.
            if state.fresh.count > VerifiedSignatures.maximum {
                state.fresh.removeFirst(state.fresh.count - VerifiedSignatures.maximum)
            }
        }
    }

    /// Keeps what is new, beside what other commands kept meanwhile.
    ///
    /// Nothing is said where that fails: the next command verifies again.
    package func save() {
        state.withLock { state in
            guard let key = state.key, !state.fresh.isEmpty else { return }
            let kept = storage.read(.key).flatMap { Bytes32(bytes: $0) }
            if state.isNewKey {
                // Another command was first: its key and entries are as good.
                guard kept == nil else { return }
                guard storage.write(key.bytes, to: .key) else { return }
                state.isNewKey = false
            } else if kept != key {
                return
            }
            let file = SignatureCacheFile(key: key)
            var all = storage.read(.signatures).flatMap(file.signatures) ?? state.known
            for digest in state.fresh { all.insert(digest) }
            if storage.write(file.bytes(all), to: .signatures) { state.fresh = [] }
        }
    }

    /// The key; reads it and the entries at first.
    private func open(_ state: inout State) -> Bytes32 {
        if let key = state.key { return key }
        if let key = storage.read(.key).flatMap({ Bytes32(bytes: $0) }) {
            state.key = key
            let kept = storage.read(.signatures).flatMap(SignatureCacheFile(key: key).signatures)
            state.known = kept ?? VerifiedSignatures()
            return key
        }
        let key = random()
        state.key = key
        state.isNewKey = true
        return key
    }
}

/// Where a signature cache is kept: private files, or memory in tests.
package protocol SignatureCacheStorage: Sendable {
    /// The content; nil if it is absent, or another user could have written or read it.
    func read(_ part: SignatureCachePart) -> [UInt8]?

    /// Replaces the content completely or not at all; false where that fails.
    func write(_ content: [UInt8], to part: SignatureCachePart) -> Bool
}

/// The two things that a signature cache keeps.
package enum SignatureCachePart: Sendable, CaseIterable {
    /// 32 secret bytes; entries copied to another home are of no use there.
    case key
    case signatures

    /// The most bytes that are read.
    package var maximumBytes: Int {
        switch self {
        case .key: 32
        case .signatures: SignatureCacheFile.maximumBytes
        }
    }
}
