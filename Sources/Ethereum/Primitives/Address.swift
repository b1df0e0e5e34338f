/// The address of an Ethereum account or contract.
///
/// Shape: 20 bytes, big-endian, held as three words for cheap comparison and hashing.
public struct Address: Hashable, Sendable {
    private let high: UInt64
    private let middle: UInt64
    private let low: UInt32

    /// The zero address: in an order "anyone" (taker) or "no fees" (feeRecipient).
    public static let zero = Address(high: 0, middle: 0, low: 0)

    private init(high: UInt64, middle: UInt64, low: UInt32) {
        self.high = high
        self.middle = middle
        self.low = low
    }

    /// An address from exactly 20 bytes; nil for any other number.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 20 else { return nil }
        // Other modules call this unspecialized; contiguous bytes are loaded at once.
        let direct = bytes.withContiguousStorageIfAvailable { buffer in
            Address(loading: UnsafeRawBufferPointer(buffer))
        }
        self = direct ?? Array(bytes).withUnsafeBytes { Address(loading: $0) }
    }

    /// An address from the first 20 bytes in memory; the caller makes sure that they exist.
    private init(loading bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        middle = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        low = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    }

    /// The address in the last 20 bytes of a word, whatever is in the first 12.
    public init(truncating word: Bytes32) {
        let limbs = word.limbs
        high = limbs.1 << 32 | limbs.2 >> 32
        middle = limbs.2 << 32 | limbs.3 >> 32
        low = UInt32(truncatingIfNeeded: limbs.3)
    }

    /// The address that a word holds; nil if its first 12 bytes are not zero.
    public init?(ifWord word: Bytes32) {
        self.init(truncating: word)
        guard self.word == word else { return nil }
    }

    /// An address as users type it: `0x` and 40 digits.
    ///
    /// All letters have one case, or the EIP-55 checksum is correct.
    ///
    /// Example: `try Address("0xd8da6bf26964af9d7eed9e03e53415d37aa96045")` is
    /// `0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045`.
    ///
    /// - Throws: `AddressError`: not 40 digits, or mixed letter case with a wrong checksum.
    /// Source: https://eips.ethereum.org/EIPS/eip-55
    public init(_ text: String) throws(AddressError) {
        try self.init(lenient: text)
        // Bit 5 separates the two cases of an ASCII letter; digits are below both.
        var hasUpper = false
        var hasLower = false
        var text = text
        text.withUTF8 { characters in
            for character in characters.dropFirst(2) where character > UInt8(ascii: "9") {
                if character & 0x20 == 0 { hasUpper = true } else { hasLower = true }
            }
        }
        guard hasUpper, hasLower else { return }
        let expected = checksummed
        guard text.utf8.dropFirst(2).elementsEqual(expected.utf8.dropFirst(2)) else {
            throw .wrongChecksum(text, expected: expected)
        }
    }

    /// An address as relays and nodes write it: `0x` and 40 digits in any letter case.
    ///
    /// The checksum is NOT checked.
    ///
    /// - Throws: `AddressError.malformed`.
    public init(lenient text: String) throws(AddressError) {
        guard let address = Address(ifHex: text) else { throw .malformed(text) }
        self = address
    }

    /// The address of a user's text; nil where `init(_:)` throws.
    public init?(ifValid text: String) {
        guard let address = try? Address(text) else { return nil }  // nil: not an address
        self = address
    }

    /// The address of a relay's or node's text; nil where `init(lenient:)` throws.
    public init?(ifHex text: String) {
        var text = text
        guard let address = text.withUTF8({ Address(hex: $0) }) else { return nil }
        self = address
    }

    /// An address from ASCII characters in memory; nil unless they are `0x` and 40 digits.
    package init?(hex characters: UnsafeBufferPointer<UInt8>) {
        guard characters.count == 42, Hex.hasPrefix(characters),
            let word0 = Hex.word(ofDigitsAt: 2, in: characters),
            let word1 = Hex.word(ofDigitsAt: 10, in: characters),
            let word2 = Hex.word(ofDigitsAt: 18, in: characters),
            let word3 = Hex.word(ofDigitsAt: 26, in: characters),
            let word4 = Hex.word(ofDigitsAt: 34, in: characters)
        else { return nil }
        self.init(
            high: UInt64(word0) << 32 | UInt64(word1),
            middle: UInt64(word2) << 32 | UInt64(word3),
            low: word4
        )
    }

    /// The 20 bytes.
    public var bytes: [UInt8] {
        word.withUnsafeBytes { Array($0[12...]) }
    }

    /// The address as an ABI word: 12 zero bytes, then the address.
    public var word: Bytes32 {
        Bytes32(
            limbs: (0, high >> 32, high << 32 | middle >> 32, middle << 32 | UInt64(low))
        )
    }

    /// `0x` and 40 lower-case digits, the form of the relay API and JSON-RPC.
    ///
    /// Example: `try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045").lowercaseHex` is
    /// `0xd8da6bf26964af9d7eed9e03e53415d37aa96045`.
    public var lowercaseHex: String {
        word.withUnsafeBytes { Hex.encode(UnsafeRawBufferPointer(rebasing: $0[12...])) }
    }

    /// `0x` and 40 digits with the EIP-55 checksum in their letter case.
    ///
    /// Example: `try Address("0xd8da6bf26964af9d7eed9e03e53415d37aa96045").checksummed` is
    /// `0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045`.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-55
    public var checksummed: String {
        let lower = lowercaseHex.utf8.dropFirst(2)
        var hash = UInt256(Keccak256.hash(lower))
        return String(unsafeUninitializedCapacity: 42) { text in
            text[0] = UInt8(ascii: "0")
            text[1] = UInt8(ascii: "x")
            for (index, character) in lower.enumerated() {
                let isUpper = character >= UInt8(ascii: "a") && hash.w3 >> 63 == 1
                text[2 + index] = isUpper ? character - 32 : character
                hash = hash &<< 4
            }
            return 42
        }
    }

    /// The first and last four digits, for narrow tables only: `0xd8dA…6045`.
    ///
    /// Example: `try Address("0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045").shortened` is
    /// `0xd8dA…6045`.
    public var shortened: String {
        let text = checksummed
        return "\(text.prefix(6))…\(text.suffix(4))"
    }
}

extension Address: Comparable {
    /// Orders addresses as 160-bit numbers.
    public static func < (left: Address, right: Address) -> Bool {
        (left.high, left.middle, left.low) < (right.high, right.middle, right.low)
    }
}

extension Address: CustomStringConvertible {
    /// The checksummed text.
    public var description: String {
        checksummed
    }
}

/// The reason why a text is not an address.
public enum AddressError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(String)
    case wrongChecksum(String, expected: String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformed(let text):
            "\(text.quotedExcerpt) is not an address: 0x and 40 hexadecimal digits are expected."
        case .wrongChecksum(let text, let expected):
            "The address \(text.excerpt) has a wrong checksum, so a digit may be mistyped; "
                + "it would be \(expected)."
        }
    }
}
