import CSecp256k1
public import Ethereum

/// A signer whose private key is in this process's memory.
///
/// The key's bytes are overwritten when the last copy of the signer is released.
///
/// ```swift
/// // The key of EIP-155's example; `SecretBytes(random: 32)` makes a new one.
/// let signer = try PrivateKeySigner(hex: "0x" + String(repeating: "46", count: 32))
/// print(signer.address)
/// // Prints "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"
///
/// let payment = Transaction(
///     chainID: 1,
///     nonce: 9,
///     fee: .legacy(gasPrice: Wei(20_000_000_000)),
///     gasLimit: 21_000,
///     to: try Address(lenient: "0x3535353535353535353535353535353535353535"),
///     value: Wei(1_000_000_000_000_000_000)
/// )
/// let signed = try await signer.sign(payment, chainID: 1)
/// print(signed.hash)
/// // Prints "0x33469b22e9f636356c4160a87eb19df52b7412e8eac32a4a55ffe88ea8350788"
///
/// // `signed.raw` is what eth_sendRawTransaction takes, and it names its sender.
/// let read = try SignedTransaction(raw: signed.raw, recoverer: Secp256k1())
/// print(read.sender == signer.address)
/// // Prints "true"
/// ```
public struct PrivateKeySigner: Signer {
    /// The account of the key.
    public let address: Address

    private let key: SharedKey

    /// A signer from 32 bytes of key.
    ///
    /// - Throws: `PrivateKeyError` if the key is zero or not below the group's order.
    public init(key: Bytes32) throws(PrivateKeyError) {
        try self.init(secret: SecretBytes(copying: key))
    }

    /// A signer from `0x` and 64 digits, or 64 digits; an error never shows the text.
    public init(hex: String) throws(PrivateKeyError) {
        guard let secret = SecretBytes(hex: hex.utf8, count: 32) else { throw .malformed }
        try self.init(secret: secret)
    }

    /// A signer that takes ownership of 32 secret bytes.
    public init(secret: consuming SecretBytes) throws(PrivateKeyError) {
        guard secret.count == 32 else { throw .malformed }
        let shared = SharedKey(secret)
        var publicKey = secp256k1_pubkey()
        let isKey = shared.secret.withKey { bytes in
            secp256k1_ec_pubkey_create(Secp256k1Context.shared.pointer, &publicKey, bytes)
        }
        guard isKey == 1 else { throw .outOfRange }
        address = Secp256k1.address(of: &publicKey)
        key = shared
    }

    /// Signs 32 bytes unchanged: RFC 6979 nonce, low s.
    public func sign(digest: Bytes32) async throws(SignerError) -> Signature {
        try signature(over: digest)
    }

    /// Signs without suspension, for hot paths such as seeding a market.
    public func signature(over digest: Bytes32) throws(SignerError) -> Signature {
        let context = Secp256k1Context.shared.pointer
        var signed = secp256k1_ecdsa_recoverable_signature()
        let isSigned = digest.withBytes { message in
            key.secret.withKey { secret in
                // No nonce function: the library uses its own, RFC 6979, and returns a low s.
                secp256k1_ecdsa_sign_recoverable(context, &signed, message, secret, nil, nil)
            }
        }
        var compact = CompactSignature()
        var parity: Int32 = 0
        _ = compact.withMutableBytes { bytes in
            secp256k1_ecdsa_recoverable_signature_serialize_compact(
                context,
                bytes,
                &parity,
                &signed
            )
        }
        // A parity of 2 or 3 (r beyond the order) has a chance of 2^-127.
        guard isSigned == 1, let yParity = UInt8(exactly: parity),
            let signature = Signature(r: compact.r, s: compact.s, yParity: yParity)
        else { throw .refused("it made a signature that Ethereum cannot carry.") }
        return signature
    }

    /// Lends the 32 bytes of the key to a closure, which must not keep them.
    ///
    /// It is for keystores, and for showing the key to its owner on request.
    public func withSecret<Result: ~Copyable, Failure: Error>(
        _ body: (borrowing SecretBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(key.secret)
    }
}

/// The key behind copies of one signer.
private final class SharedKey: Sendable {
    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) {
        self.secret = secret
    }
}

extension SecretBytes {
    /// Lends 32 bytes of key to a function of libsecp256k1.
    borrowing func withKey<Result>(_ body: (UnsafePointer<UInt8>) -> Result) -> Result {
        withBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count == 32 else {
                preconditionFailure("a private key has 32 bytes")
            }
            return body(base.assumingMemoryBound(to: UInt8.self))
        }
    }
}

/// The reason why bytes are not a private key; it holds nothing of the bytes.
public enum PrivateKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed
    case outOfRange

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformed: "The private key is not 64 hexadecimal digits (with or without 0x)."
        case .outOfRange: "The private key is zero or beyond the group's order."
        }
    }
}
