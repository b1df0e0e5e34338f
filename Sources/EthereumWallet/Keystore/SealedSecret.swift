import Ethereum
import FoundationEssentials
import OpenSSL
import StrictJSON

/// A secret encrypted with a password: the `crypto` section of Web3 Secret Storage.
///
/// Source: https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage
struct SealedSecret: Hashable, Sendable {
    let derivation: KeyDerivation
    let ciphertext: [UInt8]
    /// 16 bytes.
    private let initialVector: [UInt8]
    private let authentication: Bytes32

    private static let cipher = "aes-128-ctr"

    /// Encrypts a secret.
    ///
    /// - Throws: `KeystoreError.noMemory`.
    init(
        _ secret: borrowing SecretBytes,
        password: borrowing SecretBytes,
        derivation: KeyDerivation
    ) throws(KeystoreError) {
        var generator = SystemRandomNumberGenerator()
        initialVector = (0..<16).map { _ in generator.next() }
        self.derivation = derivation
        let key = try derivation.key(password: password)
        let encrypted = Self.transform(secret, key: key, initialVector: initialVector)
        ciphertext = encrypted.withBytes { Array($0) }
        authentication = Self.code(key, ciphertext)
    }

    /// Decrypts the secret.
    ///
    /// - Throws: `KeystoreError`: `wrongPassword`, `noMemory`.
    func open(password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        let key = try derivation.key(password: password)
        let expected = SecretBytes(copying: Self.code(key, ciphertext))
        guard expected.isEqual(to: SecretBytes(copying: authentication)) else {
            throw .wrongPassword
        }
        let sealed = SecretBytes(copying: ciphertext)
        return Self.transform(sealed, key: key, initialVector: initialVector)
    }

    /// AES-128 in counter mode, which is its own inverse.
    private static func transform(
        _ input: borrowing SecretBytes,
        key: borrowing SecretBytes,
        initialVector: [UInt8]
    ) -> SecretBytes {
        let output = SecretBytes(count: input.count) { output in
            input.withBytes { input in
                key.withBytes { key in
                    AES128.counterMode(
                        input,
                        key: UnsafeRawBufferPointer(rebasing: key.prefix(16)),
                        counter: initialVector,
                        into: output
                    )
                }
            }
        }
        Scrubber.wipeLeftovers(blocks: 16, KeyDerivation.usedLength, input.count)
        return output
    }

    /// The Keccak-256 hash of the second half of the key and the ciphertext.
    private static func code(_ key: borrowing SecretBytes, _ ciphertext: [UInt8]) -> Bytes32 {
        let input = SecretBytes(count: 16 + ciphertext.count) { input in
            key.withBytes { key in
                input.copyBytes(from: key[16..<32])
                UnsafeMutableRawBufferPointer(rebasing: input[16...]).copyBytes(from: ciphertext)
            }
        }
        return input.withBytes { Keccak256.hash($0) }
    }

    /// Reads a `crypto` section.
    ///
    /// - Parameter sizes: the allowed sizes of the secret in bytes.
    init(_ section: KeystoreSection, sizes: ClosedRange<Int>) throws(KeystoreError) {
        let cipher = try section.text("cipher")
        guard cipher == Self.cipher else {
            throw .foreign("its cipher is \"\(cipher.excerpt)\", not \(Self.cipher)")
        }
        initialVector = try section.section("cipherparams").bytes("iv", count: 16)
        ciphertext = try section.bytes("ciphertext")
        guard sizes.contains(ciphertext.count) else {
            throw .damaged(
                "its ciphertext has \(ciphertext.count) bytes, not "
                    + "\(sizes.lowerBound) to \(sizes.upperBound)"
            )
        }
        let code = try section.bytes("mac", count: 32)
        guard let authentication = Bytes32(bytes: code) else {
            throw .damaged("its mac has not 32 bytes")
        }
        self.authentication = authentication
        derivation = try KeyDerivation(section)
    }

    /// The `crypto` section, in geth's order.
    var json: JSONValue {
        [
            "cipher": .string(Self.cipher),
            "ciphertext": .string(Hex.digits(ciphertext)),
            "cipherparams": ["iv": .string(Hex.digits(initialVector))],
            "kdf": .string(derivation.name),
            "kdfparams": derivation.parameters,
            "mac": .string(Hex.digits(authentication.bytes)),
        ]
    }
}
