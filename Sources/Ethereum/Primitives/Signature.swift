/// A recoverable secp256k1 signature.
public struct Signature: Hashable, Sendable {
    /// The x coordinate of the nonce point, modulo the group's order.
    public let r: Bytes32
    /// The proof; our own signatures use the lower half of the group's order.
    public let s: Bytes32
    /// The parity of the nonce point's y coordinate: 0 or 1.
    public let yParity: UInt8

    /// A signature from its parts; nil if the parity is neither 0 nor 1.
    ///
    /// Recovering the signer checks that r and s are in range.
    public init?(r: Bytes32, s: Bytes32, yParity: UInt8) {
        guard yParity <= 1 else { return nil }
        self.r = r
        self.s = s
        self.yParity = yParity
    }

    /// The `v` of an Ethereum message signature: 27 or 28.
    public var v: UInt8 {
        27 + yParity
    }

    /// s is in the lower half of the group's order, as Ethereum requires of transactions.
    ///
    /// Source: https://eips.ethereum.org/EIPS/eip-2
    public var hasLowS: Bool {
        s <= Self.halfOrder
    }

    /// The group's order divided by two and rounded down.
    private static let halfOrder = Bytes32(
        limbs: (
            0x7FFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
            0x5D57_6E73_57A4_501D, 0xDFE9_2F46_681B_20A0
        )
    )
}

/// Recovers the account that made a signature; `EthereumWallet` does it with libsecp256k1.
public protocol SignatureRecovering: Sendable {
    /// The address whose key made this signature over a 32-byte digest.
    ///
    /// - Throws: `SignatureError` if r or s is out of range or no key fits.
    func recover(digest: Bytes32, signature: Signature) throws(SignatureError) -> Address

    /// The address whose key made this signature over a 32-byte message with its prefix.
    ///
    /// What knows the answer need not hash the message.
    ///
    /// - Throws: `SignatureError` as `recover(digest:signature:)`.
    ///
    /// Source: EIP-191, version 0x45.
    func recover(message: Bytes32, signature: Signature) throws(SignatureError) -> Address
}

extension SignatureRecovering {
    public func recover(
        message: Bytes32,
        signature: Signature
    ) throws(SignatureError) -> Address {
        try recover(digest: EthereumMessage.hash(message), signature: signature)
    }
}

/// The reason why no signer can be recovered from a signature.
public enum SignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    case outOfRange
    case noSigner

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .outOfRange: "The signature's r or s is zero or beyond the group's order."
        case .noSigner: "No key can have made this signature."
        }
    }
}
