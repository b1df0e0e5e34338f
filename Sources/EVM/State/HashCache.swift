import Ethereum

/// The hashes of short messages that were hashed lately: a book asks for the same balances and
/// allowances of a few makers again and again, and each word of them is found by a hash.
final class HashCache {
    /// A message of at most `maximumBytes`, with zeros behind it, its length and its hash.
    private struct Entry {
        var message: Message
        var count = -1
        var hash = Bytes32.zero
    }

    private typealias Word = SIMD8<UInt64>
    private struct Message: Equatable {
        var first = Word.zero
        var second = Word.zero
        var third = Word.zero
    }

    private static let maximumBytes = 192
    private static let count = 512
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.count)
        entries.initialize(repeating: Entry(message: Message()), count: Self.count)
    }

    deinit { entries.deallocate() }

    /// The keccak-256 of bytes.
    func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        // Below a word it is not worth it.
        guard bytes.count >= 32, bytes.count <= Self.maximumBytes else {
            return Keccak256.hash(bytes)
        }
        var message = Message()
        withUnsafeMutableBytes(of: &message) { $0.copyMemory(from: bytes) }
        let mixed = message.first ^ message.second &* 3 ^ message.third &* 5
        let sum = (mixed &* Self.factors).wrappedSum()
        let entry = entries + Int(truncatingIfNeeded: (sum ^ sum >> 32) % UInt64(Self.count))
        if entry.pointee.count == bytes.count, entry.pointee.message == message {
            return entry.pointee.hash
        }
        let hash = Keccak256.hash(bytes)
        entry.pointee = Entry(message: message, count: bytes.count, hash: hash)
        return hash
    }

    /// Odd, and of no meaning.
    private static let factors = Word(
        0x9E37_79B9_7F4A_7C15,
        0xC2B2_AE3D_27D4_EB4F,
        0x1656_67B1_9E37_79F9,
        0x27D4_EB2F_1656_67C5,
        0xD6E8_FEB8_6659_FD93,
        0xFF51_AFD7_ED55_8CCD,
        0xC4CE_B9FE_1A85_EC53,
        0x94D0_49BB_1331_11EB
    )
}
