/// A keyed digest of a verified signature: what was signed, the signature, and who signed.
///
/// Shape: the first 128 bits of a Keccak-256 hash that starts with a secret key.
package struct SignatureDigest: Hashable, Sendable {
    /// The 16 bytes as a big-endian number.
    package let value: UInt128

    package init(value: UInt128) {
        self.value = value
    }
}

/// Makes the digests of signatures for one purpose, by a secret key.
///
/// Without the key no digest can be made, and none of another purpose or key is equal to one of
/// these. Keccak, unlike SHA-256, is a secure message authentication code with the key in front.
///
/// Source: https://keccak.team/files/CSF-0.1.pdf, 4.2.2 (authentication).
package struct SignatureDigester: Sendable {
    /// Half a hash: with it the message fits one block of Keccak-256.
    private let key: (UInt64, UInt64)

    private static let length = 16 + 32 + 32 + 32 + 1 + 20

    /// - Parameters:
    ///   - key: 32 secret random bytes.
    ///   - purpose: what the signatures are for, such as a chain and a contract.
    package init(key: Bytes32, purpose: [UInt8]) {
        let limbs = Keccak256.hash(key.bytes + purpose).limbs
        self.key = (limbs.0, limbs.1)
    }

    /// The digest of a signature that an account made over 32 bytes.
    ///
    /// - Parameter hasPrefix: what it signed is the hash of the Ethereum message of these bytes, not
    ///   they themselves: another fact.
    package func digest(
        of message: Bytes32,
        hasPrefix: Bool = false,
        _ signature: Signature,
        by signer: Address
    ) -> SignatureDigest {
        withUnsafeTemporaryAllocation(byteCount: Self.length, alignment: 8) { block in
            var position = 0
            func put(_ limb: some FixedWidthInteger) {
                block.storeBytes(of: limb.bigEndian, toByteOffset: position, as: type(of: limb))
                position += limb.bitWidth / 8
            }
            put(key.0)
            put(key.1)
            func put(word: Bytes32) {
                put(word.limbs.0)
                put(word.limbs.1)
                put(word.limbs.2)
                put(word.limbs.3)
            }
            put(word: message)
            put(word: signature.r)
            put(word: signature.s)
            let account = signer.word.limbs
            put(UInt32(truncatingIfNeeded: account.1))
            put(account.2)
            put(account.3)
            put(signature.yParity | (hasPrefix ? 2 : 0))
            let limbs = Keccak256.hash(UnsafeRawBufferPointer(block)).limbs
            return SignatureDigest(value: UInt128(limbs.0) << 64 | UInt128(limbs.1))
        }
    }
}
