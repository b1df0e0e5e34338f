import DexCore
import Ethereum
import Synchronization

/// What a command remembers for later ones; kept at its end, after its outcome is shown.
final class CommandCaches: Sendable {
    private let cache = Mutex<SignatureCache?>(nil)

    /// The verified signatures of a home, one object for all sessions of a command.
    func signatures(_ home: Home, random: @escaping @Sendable () -> Bytes32) -> SignatureCache {
        cache.withLock { cache in
            if let cache { return cache }
            let made = SignatureCache(
                storage: SignatureCacheFiles(folder: home.cache),
                random: random
            )
            cache = made
            return made
        }
    }

    /// Keeps what is new.
    func save() {
        cache.withLock { $0 }?.save()
    }
}
