import CSecp256k1
public import Ethereum
import Secp256k1Points

/// Signs and recovers with libsecp256k1, over one shared context that is randomised once.
///
/// ```swift
/// let signer = try PrivateKeySigner(hex: String(repeating: "46", count: 32))
/// let message = Array("hello".utf8)
/// let signature = try await signer.sign(message: message)
///
/// let digest = EthereumMessage.hash(message)
/// let account = try Secp256k1().recover(digest: digest, signature: signature)
/// print(account == signer.address)
/// // Prints "true"
/// ```
public struct Secp256k1: SignatureRecovering {
    /// Uses the shared context; creating more values is free.
    public init() {}

    /// The address whose key made this signature over a 32-byte digest.
    ///
    /// A high s is accepted, as in ecrecover.
    public func recover(
        digest: Bytes32,
        signature: Signature
    ) throws(SignatureError) -> Address {
        var publicKey = try Self.publicKey(digest: digest, signature: signature)
        return Self.address(of: &publicKey)
    }

    /// The public key whose owner made this signature over a 32-byte digest, and its account.
    ///
    /// - Throws: `SignatureError` as `recover(digest:signature:)`.
    func recoverKey(
        digest: Bytes32,
        signature: Signature
    ) throws(SignatureError) -> (point: AffinePoint, address: Address) {
        var publicKey = try Self.publicKey(digest: digest, signature: signature)
        return (Self.point(of: &publicKey), Self.address(of: &publicKey))
    }

    private static func publicKey(
        digest: Bytes32,
        signature: Signature
    ) throws(SignatureError) -> secp256k1_pubkey {
        guard signature.r != .zero, signature.s != .zero else { throw .outOfRange }
        let context = Secp256k1Context.shared.pointer
        var parsed = secp256k1_ecdsa_recoverable_signature()
        let isInRange = CompactSignature(signature).withBytes { bytes in
            secp256k1_ecdsa_recoverable_signature_parse_compact(
                context,
                &parsed,
                bytes,
                Int32(signature.yParity)
            )
        }
        guard isInRange == 1 else { throw .outOfRange }
        var publicKey = secp256k1_pubkey()
        let isRecovered = digest.withBytes { bytes in
            secp256k1_ecdsa_recover(context, &publicKey, &parsed, bytes)
        }
        guard isRecovered == 1 else { throw .noSigner }
        return publicKey
    }

    /// The last 20 bytes of the hash of the point's coordinates.
    static func address(of publicKey: inout secp256k1_pubkey) -> Address {
        withCoordinates(of: &publicKey) { Address(truncating: Keccak256.hash($0)) }
    }

    private static func point(of publicKey: inout secp256k1_pubkey) -> AffinePoint {
        withCoordinates(of: &publicKey) { coordinates in
            func limb(_ index: Int) -> UInt64 {
                UInt64(
                    bigEndian: coordinates.loadUnaligned(
                        fromByteOffset: 8 * index,
                        as: UInt64.self
                    )
                )
            }
            return AffinePoint(
                x: Bytes32(limbs: (limb(0), limb(1), limb(2), limb(3))),
                y: Bytes32(limbs: (limb(4), limb(5), limb(6), limb(7)))
            )
        }
    }

    /// Lends x and y, of 32 big-endian bytes each, to a closure.
    private static func withCoordinates<Result>(
        of publicKey: inout secp256k1_pubkey,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        // 04 and the two coordinates.
        var output: InlineArray<65, UInt8> = .init(repeating: 0)
        var count = 65
        return withUnsafeMutablePointer(to: &output) { output in
            // Cannot fail: the key is valid and the buffer is large enough.
            _ = secp256k1_ec_pubkey_serialize(
                Secp256k1Context.shared.pointer,
                UnsafeMutableRawPointer(output).assumingMemoryBound(to: UInt8.self),
                &count,
                &publicKey,
                UInt32(SECP256K1_EC_UNCOMPRESSED)
            )
            let coordinates = UnsafeRawBufferPointer(start: output, count: 65).dropFirst()
            return body(UnsafeRawBufferPointer(rebasing: coordinates))
        }
    }
}

/// The process's only libsecp256k1 context.
///
/// Once randomised it is only read, which the library allows from many threads at once.
final class Secp256k1Context: Sendable {
    static let shared = Secp256k1Context()

    /// The address, as a number because Swift's pointers are not Sendable.
    private let address: UInt

    var pointer: OpaquePointer {
        guard let pointer = OpaquePointer(bitPattern: address) else {
            preconditionFailure("the context of libsecp256k1 is not at address zero")
        }
        return pointer
    }

    private init() {
        let flags = SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY
        guard let context = secp256k1_context_create(UInt32(flags)) else {
            preconditionFailure("there is no memory for the context of libsecp256k1")
        }
        var generator = SystemRandomNumberGenerator()
        let seed = Bytes32(
            limbs: (generator.next(), generator.next(), generator.next(), generator.next())
        )
        // Blinds the signing arithmetic against side channels. The library rules out a failure, and
        // even then the context signs correctly.
        _ = seed.withBytes { secp256k1_context_randomize(context, $0) }
        address = UInt(bitPattern: context)
    }
}
