public import Ethereum

/// What a v4 maker signs: the order's hash itself, or the wallet message of it.
public enum SignatureKindV4: UInt8, Hashable, Sendable, CaseIterable {
    /// The order's hash itself.
    case eip712 = 2
    /// The EIP-191 message of the order's hash.
    case ethSign = 3

    /// The contract's number for a way to sign.
    public init(_ signing: OrderSigning) {
        self =
            switch signing {
            case .eip712: .eip712
            case .ethSign: .ethSign
            }
    }

    /// The way to sign.
    public var signing: OrderSigning {
        switch self {
        case .eip712: .eip712
        case .ethSign: .ethSign
        }
    }

    /// The 32 bytes that the maker's key signs.
    public func digest(of hash: OrderHash) -> Bytes32 {
        signing.digest(of: hash)
    }
}

/// A signature in the v4 contract's calls, unchecked.
public struct SignatureV4: Hashable, Sendable {
    /// 2 and 3 are `SignatureKindV4`; 0, 1 and 4 are known and never accepted for an order.
    public var type: UInt8
    /// 27 or 28; other values are refused.
    public var v: UInt8
    public var r: Bytes32
    public var s: Bytes32

    /// The four parts, unchecked.
    public init(type: UInt8, v: UInt8, r: Bytes32, s: Bytes32) {
        self.type = type
        self.v = v
        self.r = r
        self.s = s
    }

    /// The parts of a signature.
    public init(_ signature: Signature, kind: SignatureKindV4) {
        self.init(type: kind.rawValue, v: signature.v, r: signature.r, s: signature.s)
    }

    /// The contract knows the type, even if it never accepts it for an order.
    public var isOfKnownType: Bool {
        type <= Self.lastKnownType
    }

    private static let lastKnownType: UInt8 = 4
    /// The order of the group of secp256k1.
    private static let groupOrder: UInt256 =
        0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFE_BAAE_DCE6_AF48_A03B_BFD2_5E8C_D036_4141

    /// The contract accepts the ranges of r and s: s is in the lower half.
    public var hasPartsInRange: Bool {
        UInt256(r) < Self.groupOrder && Signature(r: r, s: s, yParity: 0)?.hasLowS == true
    }

    /// Recovers the signer of an order's hash, as the contract does: a high s is refused.
    ///
    /// Like the contract, it checks the ranges of r and s before the type.
    ///
    /// - Throws: `SignatureErrorV4`.
    public func signer(
        of hash: OrderHash,
        recoverer: any SignatureRecovering
    ) throws(SignatureErrorV4) -> Address {
        let (signing, signature) = try accepted()
        do throws(SignatureError) {
            return try signing.signer(of: hash, signature, by: recoverer)
        } catch {
            // Zeros are in the contract's range, but no key makes them.
            throw rangeError
        }
    }

    /// How the hash is signed, and the signature, if the contract accepts its form.
    ///
    /// - Throws: `SignatureErrorV4`.
    func accepted() throws(SignatureErrorV4) -> (signing: OrderSigning, signature: Signature) {
        guard isOfKnownType else { throw .unknownType(type) }
        guard hasPartsInRange else { throw rangeError }
        guard let kind = SignatureKindV4(rawValue: type) else {
            throw SignatureErrorV4.refusal(of: type)
        }
        guard v == 27 || v == 28, let signature = Signature(r: r, s: s, yParity: v - 27) else {
            throw .badV(v)
        }
        return (kind.signing, signature)
    }

    /// The error of r and s; if both are in range, no key fits.
    private var rangeError: SignatureErrorV4 {
        for (name, word) in [("r", r), ("s", s)] {
            if word == .zero { return .zero(name) }
            if UInt256(word) >= Self.groupOrder { return .tooLarge(name) }
        }
        return hasPartsInRange ? .noSigner : .highS
    }

    /// Identifies this copy of an order.
    func copyID(of hash: OrderHash) -> OrderCopyID {
        OrderCopyID(hash: hash, r: r, s: s, kind: UInt16(type) << 8 | UInt16(v))
    }

    var words: [Bytes32] {
        [UInt256(UInt64(type)).word, UInt256(UInt64(v)).word, r, s]
    }
}

/// The reason why the v4 contract rejects a signature.
public enum SignatureErrorV4: Error, Hashable, Sendable, CustomStringConvertible {
    /// Type 0.
    case illegalType
    /// Type 1.
    case invalidType
    /// Type 4, not valid for orders.
    case preSigned
    /// A type unknown to the contract, which reverts without data.
    case unknownType(UInt8)
    /// v is neither 27 nor 28.
    case badV(UInt8)
    /// s is in the upper half of the group's order.
    case highS
    /// r or s.
    case zero(String)
    /// r or s is not below the group's order.
    case tooLarge(String)
    /// No key makes such a signature.
    case noSigner

    static func refusal(of type: UInt8) -> SignatureErrorV4 {
        switch type {
        case 0: .illegalType
        case 1: .invalidType
        case 4: .preSigned
        default: .unknownType(type)
        }
    }

    /// The code of `SignatureValidationError`; nil if the contract has none.
    public var code: UInt8? {
        switch self {
        case .illegalType: 3
        case .invalidType: 0
        case .preSigned: 2
        case .unknownType: nil
        case .badV, .highS, .zero, .tooLarge, .noSigner: 5
        }
    }

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .illegalType: "The signature is of type 0, which is illegal."
        case .invalidType: "The signature is of type 1, which is never valid."
        case .preSigned: "The signature is of type 4 (presigned), which is not for orders."
        case .unknownType(let type):
            "The signature is of type \(type); 2 (EIP712) or 3 (ETHSIGN) is expected."
        case .badV(let v): "The signature's v is \(v); 27 or 28 is expected."
        case .highS: "The signature's s is in the upper half, which 0x v4 does not take."
        case .zero(let name): "The signature's \(name) is zero."
        case .tooLarge(let name): "The signature's \(name) is beyond the group's order."
        case .noSigner: "No key can have made this signature."
        }
    }
}
