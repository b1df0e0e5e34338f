/// A 32-byte Keccak-256 hash, typed by what it is a hash of.
public struct Hash<Kind>: Hashable, Sendable {
    /// The 32 bytes.
    public let word: Bytes32

    /// Marks a word as a hash of this kind.
    public init(_ word: Bytes32) {
        self.word = word
    }

    /// A hash from `0x` and 64 digits in any letter case.
    ///
    /// - Throws: `Bytes32Error` for anything else.
    public init(hex text: String) throws(Bytes32Error) {
        word = try Bytes32(hex: text)
    }

    /// The hash of a text; nil where `init(hex:)` throws.
    public init?(ifHex text: String) {
        guard let word = Bytes32(ifHex: text) else { return nil }
        self.word = word
    }

    /// `0x` and 64 lower-case digits.
    public var hex: String {
        word.hex
    }
}

extension Hash: CustomStringConvertible {
    /// `0x` and 64 lower-case digits.
    public var description: String {
        hex
    }
}

extension Hash: Comparable {
    /// Orders hashes as 256-bit numbers.
    public static func < (left: Hash, right: Hash) -> Bool {
        left.word < right.word
    }
}

/// The kind of `TransactionHash`.
public enum TransactionKind {}
/// The kind of `BlockHash`.
public enum BlockKind {}

/// The Keccak-256 hash of a signed transaction's encoding.
public typealias TransactionHash = Hash<TransactionKind>
/// The Keccak-256 hash of a block's RLP header.
public typealias BlockHash = Hash<BlockKind>

extension Hash {
    /// Feeds two of the four words: those of a hash function's output are as good as all.
    ///
    /// Who looks for hashes that agree in 64 bits, to slow a table down, finds two in some 2^32
    /// attempts, and many never.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(word.limbs.0 ^ word.limbs.3)
    }
}
