import OpenSSL

extension ExtendedKey {
    /// Reads `xprv...`, the text of BIP-32.
    ///
    /// - Throws: `ExtendedKeyError.malformed`, which never quotes the text.
    public init(text: borrowing SecretBytes) throws(ExtendedKeyError) {
        let content = try text.withBytes { text throws(ExtendedKeyError) in
            try Self.base58(text)
        }
        try content.withBytes { bytes throws(ExtendedKeyError) in try Self.check(bytes) }
        let key = content.withBytes { SecretBytes(copying: $0[46..<78]) }
        guard Self.isKey(key) else {
            throw .malformed("its key is zero or beyond the group's order")
        }
        self.init(
            key: key,
            chainCode: content.withBytes { SecretBytes(copying: $0[13..<45]) },
            depth: content.withBytes { $0[4] },
            number: content.withBytes { $0[9..<13].reduce(0) { $0 << 8 | UInt32($1) } }
        )
    }

    /// Version, depth, parent's fingerprint, number, chain code, key, and a checksum.
    private static let size = 78 + 4

    private static func check(_ bytes: UnsafeRawBufferPointer) throws(ExtendedKeyError) {
        let content = UnsafeRawBufferPointer(rebasing: bytes[..<78])
        let hash = HashFunction.sha256.hash(HashFunction.sha256.hash(content))
        guard hash.prefix(4).elementsEqual(bytes[78...]) else {
            throw .malformed("its checksum does not fit")
        }
        let isPublic = bytes.starts(with: [0x04, 0x88, 0xB2, 0x1E])
        guard !isPublic else { throw .malformed("it is a public one, which cannot sign") }
        guard bytes.starts(with: [0x04, 0x88, 0xAD, 0xE4]) else {
            throw .malformed("its version is unknown; xprv is expected")
        }
        if bytes[4] == 0 {
            guard bytes[5..<9].allSatisfy({ $0 == 0 }) else {
                throw .malformed("it is a master key, but names a parent")
            }
            guard bytes[9..<13].allSatisfy({ $0 == 0 }) else {
                throw .malformed("it is a master key, but has a number")
            }
        }
        guard bytes[45] == 0 else { throw .malformed("its key has not the form of a private one") }
    }

    /// The 82 bytes of a Base58 text.
    private static func base58(
        _ text: UnsafeRawBufferPointer
    ) throws(ExtendedKeyError) -> SecretBytes {
        let alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
        guard text.count <= 120 else { throw .malformed("it is too long") }
        return try SecretBytes(count: size) { output throws(ExtendedKeyError) in
            for character in text {
                guard let digit = alphabet.utf8.firstIndex(of: character) else {
                    throw .malformed("it has a character that Base58 has not")
                }
                var carry = alphabet.utf8.distance(from: alphabet.startIndex, to: digit)
                for index in output.indices.reversed() {
                    carry += Int(output[index]) * 58
                    output[index] = UInt8(truncatingIfNeeded: carry)
                    carry >>= 8
                }
                guard carry == 0 else { throw .malformed("it is too long") }
            }
            // The version's first byte is 4; a shorter text has a zero there.
            guard output[0] != 0 else { throw .malformed("it is too short") }
        }
    }
}
