/// A key of a Merkle-Patricia trie: the way from the root, two digits a byte.
///
/// Shape: 1 to 64 bytes, so no walk is deeper than 128 digits, whatever is asked for.
public struct TrieKey: Hashable, Sendable {
    /// The bytes; the first digit is the upper half of the first one.
    public let bytes: [UInt8]
    /// It was made as a hash: all keys of its trie are as long.
    let isHash: Bool

    /// The most bytes of a key.
    public static let maximumBytes = 64

    /// A key as it is; nil for no bytes or more than 64.
    public init?(bytes: [UInt8]) {
        guard (1...Self.maximumBytes).contains(bytes.count) else { return nil }
        self.init(bytes, isHash: false)
    }

    private init(_ bytes: [UInt8], isHash: Bool) {
        self.bytes = bytes
        self.isHash = isHash
    }

    /// The Keccak-256 hash of some bytes, as the tries of accounts and of storage have it.
    public static func hash(of bytes: some Sequence<UInt8>) -> TrieKey {
        TrieKey(Keccak256.hash(bytes).bytes, isHash: true)
    }

    /// The key of an account in the state.
    public static func account(_ address: Address) -> TrieKey {
        hash(of: address.bytes)
    }

    /// The key of a word in an account's storage.
    public static func slot(_ slot: Bytes32) -> TrieKey {
        hash(of: slot.bytes)
    }

    /// The RLP of a place in a list, from 0 on, as the tries of transactions, receipts and
    /// withdrawals have it.
    public static func index(_ index: UInt32) -> TrieKey {
        TrieKey(RLP.integer(UInt256(UInt64(index))).encoded, isHash: false)
    }

    /// The number of digits.
    var count: Int {
        2 * bytes.count
    }

    /// The digit at a place below `count`.
    subscript(place: Int) -> Int {
        let byte = bytes[place >> 1]
        return Int(place & 1 == 0 ? byte >> 4 : byte & 15)
    }

    /// The first place from one on at which two keys differ, or at which one ends.
    func divergence(from other: TrieKey, after start: Int) -> Int {
        let end = min(count, other.count)
        var place = start
        while place < end {
            // Whole bytes first; a key ends with a byte.
            if place & 1 == 0, bytes[place >> 1] == other.bytes[place >> 1] {
                place += 2
            } else if self[place] == other[place] {
                place += 1
            } else {
                return place
            }
        }
        return place
    }
}

extension TrieKey {
    /// Two keys are equal when their bytes are, however they were made.
    public static func == (left: TrieKey, right: TrieKey) -> Bool {
        left.bytes == right.bytes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}

extension TrieKey: Comparable {
    /// By digits: a key stands before those that begin with it.
    public static func < (left: TrieKey, right: TrieKey) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
