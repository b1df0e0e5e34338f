/// Typed data that a user can read before signing, and the hash that is signed.
///
/// `init(json:)` reads what `eth_signTypedData_v4` takes. From values:
///
/// ```swift
/// let vote = try TypedData(
///     types: TypedDataTypes([
///         TypedDataStruct("Vote", [("proposal", "uint256"), ("approves", "bool")])
///     ]),
///     primaryType: "Vote",
///     domain: TypedDataDomain(name: "Council", version: "1", chainID: 1),
///     message: .tuple([.uint(7), .bool(true)])
/// )
/// print(vote.digest)
/// // Prints "0xf02c84409f17fbf86a28051c1c767354d9e8ef0ab592d4849b5d504d4522e90c"
/// ```
///
/// Source: https://eips.ethereum.org/EIPS/eip-712
public struct TypedData: Hashable, Sendable {
    /// The structs of the message, without the domain's.
    public let types: TypedDataTypes
    /// The struct of the message.
    public let primaryType: String
    public let domain: TypedDataDomain
    /// A tuple with a value for each member of the struct.
    public let message: ABIValue
    /// The signed digest: `keccak256(0x19 0x01 ++ domain separator ++ hash of the message)`.
    public let digest: Bytes32

    /// Joins a message with its types and its domain, and hashes them.
    ///
    /// - Throws: `TypedDataError`: the struct does not exist, or the message does not fit it.
    public init(
        types: TypedDataTypes,
        primaryType: String,
        domain: TypedDataDomain,
        message: ABIValue
    ) throws(TypedDataError) {
        let hash = try TypedDataError.within("message") { () throws(TypedDataError) in
            try types.hash(message, of: primaryType)
        }
        self.types = types
        self.primaryType = primaryType
        self.domain = domain
        self.message = message
        digest = Self.digest(domainSeparator: domain.separator, structHash: hash)
    }

    /// `0x19 0x01`, then two words.
    private static let digestLength = 66

    /// The signed digest of two hashes, without allocation.
    public static func digest(domainSeparator: Bytes32, structHash: Bytes32) -> Bytes32 {
        withUnsafeTemporaryAllocation(byteCount: digestLength, alignment: 8) { bytes in
            put(domainSeparator, structHash, into: bytes)
            return Keccak256.hash(UnsafeRawBufferPointer(bytes))
        }
    }

    /// The signed digests of several pairs of hashes, hashed together.
    public static func digests(
        _ parts: [(domainSeparator: Bytes32, structHash: Bytes32)]
    ) -> [Bytes32] {
        withUnsafeTemporaryAllocation(
            byteCount: digestLength * parts.count,
            alignment: 8
        ) { bytes in
            for (index, part) in parts.enumerated() {
                let start = index * digestLength
                let message = bytes[start..<start + digestLength]
                put(
                    part.domainSeparator,
                    part.structHash,
                    into: UnsafeMutableRawBufferPointer(rebasing: message)
                )
            }
            return Keccak256.hashes(UnsafeRawBufferPointer(bytes), length: digestLength)
        }
    }

    private static func put(
        _ domainSeparator: Bytes32,
        _ structHash: Bytes32,
        into bytes: UnsafeMutableRawBufferPointer
    ) {
        bytes[0] = 0x19
        bytes[1] = 0x01
        domainSeparator.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: bytes[2...]).copyBytes(from: $0)
        }
        structHash.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: bytes[34...]).copyBytes(from: $0)
        }
    }
}
