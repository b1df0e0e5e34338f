import Ethereum

/// The content of the file of verified signatures.
///
/// Shape: `dexsigs1`, 32 bytes of a keyed digest of all that follows, then 16 bytes a signature,
/// the oldest first.
struct SignatureCacheFile {
    private static let magic = Array("dexsigs1".utf8)
    private static let header = magic.count + 32
    private static let entry = 16
    /// The most bytes of a file.
    static let maximumBytes = header + entry * VerifiedSignatures.maximum

    let key: Bytes32

    /// The file's bytes.
    func bytes(_ signatures: VerifiedSignatures) -> [UInt8] {
        let newest = signatures.newest
        let body = [UInt8](unsafeUninitializedCapacity: Self.entry * newest.count) {
            buffer,
            count in
            for digest in newest {
                UnsafeMutableRawBufferPointer(buffer).storeBytes(
                    of: digest.value.bigEndian,
                    toByteOffset: count,
                    as: UInt128.self
                )
                count += Self.entry
            }
        }
        return Self.magic + seal(body[...]).bytes + body
    }

    /// The signatures of a file; nil unless it is whole and was written with this key.
    func signatures(_ bytes: [UInt8]) -> VerifiedSignatures? {
        guard bytes.count >= Self.header, bytes.count <= Self.maximumBytes,
            (bytes.count - Self.header).isMultiple(of: Self.entry),
            bytes.starts(with: Self.magic),
            bytes[Self.magic.count..<Self.header].elementsEqual(seal(bytes[Self.header...]).bytes)
        else { return nil }
        return bytes.withUnsafeBytes { bytes in
            VerifiedSignatures(
                stride(from: Self.header, to: bytes.count, by: Self.entry).map { offset in
                    let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt128.self)
                    return SignatureDigest(value: UInt128(bigEndian: value))
                }
            )
        }
    }

    /// Finds damage, and files of other homes: they have another key.
    private func seal(_ body: ArraySlice<UInt8>) -> Bytes32 {
        Keccak256.hash(key.bytes + Self.magic + body)
    }
}
