public import Ethereum

/// A signer whose private key is in this process's memory.
public struct PrivateKeySigner: Signer {
    /// The account of the key.
    public let address: Address

    /// A signer from 32 bytes of key.
    ///
    /// - Throws: `PrivateKeyError` where the key is zero or beyond the group's order.
    public init(key: Bytes32) throws(PrivateKeyError) {
        fatalError("unimplemented")
    }

    /// A signer from `0x` and 64 digits, or 64 digits; the text is never shown in an error.
    ///
    /// - Throws: `PrivateKeyError`.
    public init(hex: String) throws(PrivateKeyError) {
        fatalError("unimplemented")
    }

    /// Signs 32 bytes as they are: RFC 6979 nonce, low s.
    ///
    /// - Throws: `SignerError`.
    public func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        fatalError("unimplemented")
    }

    /// The same without suspension, for hot paths such as seeding a market.
    ///
    /// - Throws: `SignerError`.
    public func signature(over digest: Bytes32) throws(SignerError) -> Signature {
        fatalError("unimplemented")
    }
}

/// Why bytes are not a private key. Says nothing of the bytes themselves.
public enum PrivateKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case outOfRange

    /// The sentence for people.
    public var description: String {
        switch self {
        case .malformed: "The private key is not 64 hexadecimal digits (with or without 0x)."
        case .outOfRange: "The private key is zero or beyond the group's order."
        }
    }
}
