import DexCore
import Ethereum
import EthereumWallet
import Synchronization

/// A signature cache's files in memory.
final class MemorySignatures: SignatureCacheStorage {
    private let parts = Mutex<[SignatureCachePart: [UInt8]]>([:])
    private let written = Mutex(0)
    private let refuses: Bool

    /// - Parameter refuses: nothing can be written.
    init(refuses: Bool = false) {
        self.refuses = refuses
    }

    /// How often something was written.
    var writes: Int { written.withLock { $0 } }

    subscript(part: SignatureCachePart) -> [UInt8]? {
        get { parts.withLock { $0[part] } }
        set { parts.withLock { $0[part] = newValue } }
    }

    func read(_ part: SignatureCachePart) -> [UInt8]? {
        self[part].flatMap { $0.count <= part.maximumBytes ? $0 : nil }
    }

    func write(_ content: [UInt8], to part: SignatureCachePart) -> Bool {
        guard !refuses else { return false }
        self[part] = content
        written.withLock { $0 += 1 }
        return true
    }
}

/// Counts what is recovered.
final class CountingRecoverer: SignatureRecovering {
    private let recovered = Mutex(0)

    /// How many since this was asked last.
    func taken() -> Int {
        recovered.withLock { count in
            defer { count = 0 }
            return count
        }
    }

    func recover(digest: Bytes32, signature: Signature) throws(SignatureError) -> Address {
        recovered.withLock { $0 += 1 }
        return try Secp256k1().recover(digest: digest, signature: signature)
    }
}
