/// A word of 32 bytes: a hash, an ABI slot, half a signature.
///
/// Shape: 32 bytes, big-endian, held as four 64-bit words, the most significant first.
public struct Bytes32: Hashable, Sendable {
    /// The four 64-bit words, the most significant first.
    public let limbs: (UInt64, UInt64, UInt64, UInt64)

    /// 32 zero bytes.
    public static let zero = Bytes32(limbs: (0, 0, 0, 0))

    /// A word from four 64-bit words, the most significant first.
    public init(limbs: (UInt64, UInt64, UInt64, UInt64)) {
        self.limbs = limbs
    }

    /// A word from exactly 32 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        let direct = bytes.withContiguousStorageIfAvailable { buffer in
            Bytes32(loading: UnsafeRawBufferPointer(buffer))
        }
        self = direct ?? Array(bytes).withUnsafeBytes { Bytes32(loading: $0) }
    }

    /// A word from the first 32 bytes in memory; the caller makes sure that they exist.
    init(loading bytes: UnsafeRawBufferPointer) {
        let limb = { (offset: Int) in
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        limbs = (limb(0), limb(8), limb(16), limb(24))
    }

    /// A word from `0x` and 64 digits in any letter case.
    ///
    /// - Throws: `Bytes32Error` for anything else.
    public init(hex text: String) throws(Bytes32Error) {
        guard let word = Bytes32(ifHex: text) else { throw Bytes32Error(text: text) }
        self = word
    }

    /// The word of a text; nil where `init(hex:)` throws.
    public init?(ifHex text: String) {
        var text = text
        guard let word = text.withUTF8({ Bytes32(hex: $0) }) else { return nil }
        self = word
    }

    /// A word from ASCII characters in memory; nil unless they are `0x` and 64 digits.
    package init?(hex characters: UnsafeBufferPointer<UInt8>) {
        guard characters.count == 66, Hex.hasPrefix(characters) else { return nil }
        var words: InlineArray<8, UInt32> = .init(repeating: 0)
        for index in 0..<8 {
            guard let word = Hex.word(ofDigitsAt: 2 + 8 * index, in: characters) else {
                return nil
            }
            words[index] = word
        }
        limbs = (
            UInt64(words[0]) << 32 | UInt64(words[1]),
            UInt64(words[2]) << 32 | UInt64(words[3]),
            UInt64(words[4]) << 32 | UInt64(words[5]),
            UInt64(words[6]) << 32 | UInt64(words[7])
        )
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        withUnsafeBytes { Array($0) }
    }

    /// Appends the 32 bytes.
    public func append(to output: inout [UInt8]) {
        withUnsafeBytes { output.append(contentsOf: $0) }
    }

    /// Lends the 32 bytes on the stack to a closure.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let bigEndian = (
            limbs.0.bigEndian, limbs.1.bigEndian, limbs.2.bigEndian, limbs.3.bigEndian
        )
        return Swift.withUnsafeBytes(of: bigEndian, body)
    }

    /// `0x` and 64 lower-case digits.
    public var hex: String {
        withUnsafeBytes { Hex.encode($0) }
    }

    /// Two words are equal when all their bytes are.
    public static func == (left: Bytes32, right: Bytes32) -> Bool {
        left.limbs == right.limbs
    }

    /// Feeds the four words to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(limbs.0)
        hasher.combine(limbs.1)
        hasher.combine(limbs.2)
        hasher.combine(limbs.3)
    }
}

extension Bytes32: CustomStringConvertible {
    /// `0x` and 64 lower-case digits.
    public var description: String {
        hex
    }
}

extension Bytes32: Comparable {
    /// Orders words as 256-bit numbers.
    public static func < (left: Bytes32, right: Bytes32) -> Bool {
        left.limbs < right.limbs
    }
}

/// A text is not `0x` and 64 hexadecimal digits.
public struct Bytes32Error: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rejected text.
    public let text: String

    /// The message shown to the user.
    public var description: String {
        "\(text.quotedExcerpt) is not a 32-byte word: 0x and 64 hexadecimal digits are expected."
    }
}
