import CSecp256k1
import FoundationEssentials
import OpenSSL

/// A private key with the chain code that its children derive from (BIP-32).
///
/// Source: https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki
public struct ExtendedKey: ~Copyable, Sendable {
    /// 32 bytes, between zero and the group's order.
    let key: SecretBytes
    /// 32 bytes.
    let chainCode: SecretBytes
    /// The number of steps from the master key.
    let depth: UInt8
    /// The number of the last step; 0 for the master key.
    let number: UInt32
}

extension ExtendedKey {
    /// The master key of a seed.
    ///
    /// - Parameter seed: 64 bytes from a recovery phrase; BIP-32 allows 16 to 64.
    /// - Throws: `ExtendedKeyError`: `seed`, or `unusable` in one case of 2^127.
    public init(seed: borrowing SecretBytes) throws(ExtendedKeyError) {
        guard (16...64).contains(seed.count) else { throw .seed(byteCount: seed.count) }
        let salt = SecretBytes(copying: "Bitcoin seed".utf8)
        let hash = seed.withBytes { seed in Self.hash(seed, key: salt) }
        let master = hash.withBytes { SecretBytes(copying: $0.prefix(32)) }
        guard Self.isKey(master) else { throw .unusable }
        self.init(
            key: master,
            chainCode: hash.withBytes { SecretBytes(copying: $0.suffix(32)) },
            depth: 0,
            number: 0
        )
    }

    /// The key at the end of a path from this key.
    ///
    /// - Throws: `ExtendedKeyError`: `tooDeep`, or `unusable` in one case of 2^127 for each step.
    public consuming func derived(
        _ path: DerivationPath
    ) throws(ExtendedKeyError) -> ExtendedKey {
        var current = self
        for step in path.steps { current = try current.child(step) }
        return current
    }

    /// A child; the top bit of the number makes it hardened.
    borrowing func child(_ number: UInt32) throws(ExtendedKeyError) -> ExtendedKey {
        guard depth < .max else { throw .tooDeep }
        let input = SecretBytes(count: 37) { input in
            let start = UnsafeMutableRawBufferPointer(rebasing: input[..<33])
            if number & DerivationPath.hardened != 0 {
                key.withBytes { start[1...].copyBytes(from: $0) }
            } else {
                publicKey(into: start)
            }
            withUnsafeBytes(of: number.bigEndian) { input[33...].copyBytes(from: $0) }
        }
        let hash = input.withBytes { Self.hash($0, key: chainCode) }
        var isKey: Int32 = 0
        let child = SecretBytes(count: 32) { child in
            key.withBytes { child.copyMemory(from: $0) }
            hash.withBytes { tweak in
                guard let key = child.baseAddress, let tweak = tweak.baseAddress else { return }
                // 0 if the tweak is not below the group's order, or the sum is zero.
                isKey = secp256k1_ec_seckey_tweak_add(
                    Secp256k1Context.shared.pointer,
                    key.assumingMemoryBound(to: UInt8.self),
                    tweak.assumingMemoryBound(to: UInt8.self)
                )
            }
        }
        guard isKey == 1 else { throw .unusable }
        return ExtendedKey(
            key: child,
            chainCode: hash.withBytes { SecretBytes(copying: $0.suffix(32)) },
            depth: depth + 1,
            number: number
        )
    }

    /// The key as a signer.
    ///
    /// - Throws: `PrivateKeyError`, never for a derived key.
    public borrowing func signer() throws(PrivateKeyError) -> PrivateKeySigner {
        try PrivateKeySigner(secret: key.withBytes { SecretBytes(copying: $0) })
    }

    /// Writes the 33 bytes of the compressed public key.
    private borrowing func publicKey(into output: UnsafeMutableRawBufferPointer) {
        let context = Secp256k1Context.shared.pointer
        var point = secp256k1_pubkey()
        var count = output.count
        guard let base = output.baseAddress else { return }
        _ = key.withKey { secp256k1_ec_pubkey_create(context, &point, $0) }
        // Neither can fail: the key is checked and the buffer is large enough.
        _ = secp256k1_ec_pubkey_serialize(
            context,
            base.assumingMemoryBound(to: UInt8.self),
            &count,
            &point,
            UInt32(SECP256K1_EC_COMPRESSED)
        )
    }

    static func isKey(_ key: borrowing SecretBytes) -> Bool {
        key.withKey { secp256k1_ec_seckey_verify(Secp256k1Context.shared.pointer, $0) } == 1
    }

    /// HMAC-SHA512.
    private static func hash(
        _ message: UnsafeRawBufferPointer,
        key: borrowing SecretBytes
    ) -> SecretBytes {
        let hash = SecretBytes(count: 64) { output in
            key.withBytes { key in
                HashFunction.sha512.authenticate(message, key: key, into: output)
            }
        }
        Scrubber.wipeLeftovers(blocks: 64)
        return hash
    }
}

/// The reason why there is no extended key.
public enum ExtendedKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    case seed(byteCount: Int)
    case unusable
    case tooDeep
    /// For a text (`xprv...`).
    case malformed(String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .seed(let count): "A seed has 16 to 64 bytes, not \(count)."
        case .unusable:
            "There is no key at this place of the path, which is rarer than any accident; take "
                + "the next number."
        case .tooDeep: "The path leads more than 255 steps away from the master key."
        case .malformed(let reason): "This is no extended private key: \(reason)."
        }
    }
}
