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

    /// AES-128, in the mode that the version of a keystore prescribes.
    enum Cipher: String, Hashable, Sendable {
        /// Counter mode: version 3.
        case counter = "aes-128-ctr"
        /// Cipher block chaining with padding: geth's version 1, which is only read.
        case chained = "aes-128-cbc"
    }

    let cipher: Cipher

    /// Encrypts a secret.
    ///
    /// - Throws: `KeystoreError.noMemory`.
    init(
        _ secret: borrowing SecretBytes,
        password: borrowing SecretBytes,
        derivation: KeyDerivation
    ) throws(KeystoreError) {
        var generator = SystemRandomNumberGenerator()
        cipher = .counter
        initialVector = (0..<16).map { _ in generator.next() }
        self.derivation = derivation
        let key = try derivation.key(password: password)
        let encrypted = Self.transform(secret, key: key, initialVector: initialVector)
        ciphertext = encrypted.withBytes { Array($0) }
        authentication = Self.code(key, ciphertext)
    }

    /// Decrypts the secret, with the password as it is, else in Unicode's other forms.
    ///
    /// - Throws: `KeystoreError`: `wrongPassword`, `noMemory`; `damaged` for wrong padding.
    func open(password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        do throws(KeystoreError) {
            return try opened(password: password)
        } catch {
            guard error == .wrongPassword else { throw error }
        }
        for form in PasswordForms.others(of: password) {
            do throws(KeystoreError) {
                return try opened(password: SecretBytes(copying: form.utf8))
            } catch {
                guard error == .wrongPassword else { throw error }
            }
        }
        throw .wrongPassword
    }

    private func opened(password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        let key = try derivation.key(password: password)
        let expected = SecretBytes(copying: Self.code(key, ciphertext))
        guard expected.isEqual(to: SecretBytes(copying: authentication)) else {
            throw .wrongPassword
        }
        let sealed = SecretBytes(copying: ciphertext)
        return switch cipher {
        case .counter: Self.transform(sealed, key: key, initialVector: initialVector)
        case .chained: try Self.decryptChained(sealed, key: key, initialVector: initialVector)
        }
    }

    /// Decrypts geth's version 1, whose cipher key is a hash of the first half of the derived key,
    /// and takes the padding off.
    ///
    /// Source: https://www.rfc-editor.org/rfc/rfc5652, section 6.3.
    private static func decryptChained(
        _ input: borrowing SecretBytes,
        key: borrowing SecretBytes,
        initialVector: [UInt8]
    ) throws(KeystoreError) -> SecretBytes {
        let cipherKey = SecretBytes(count: 16) { output in
            key.withBytes { key in
                let hash = Keccak256.hash(UnsafeRawBufferPointer(rebasing: key.prefix(16)))
                output.copyBytes(from: hash.bytes.prefix(16))
            }
        }
        let padded = SecretBytes(count: input.count) { output in
            input.withBytes { input in
                cipherKey.withBytes { key in
                    AES128.decryptChained(
                        input,
                        key: key,
                        initialVector: initialVector,
                        into: output
                    )
                }
            }
        }
        Scrubber.wipeLeftovers(blocks: 16, KeyDerivation.usedLength, input.count)
        let length = padded.withBytes { bytes -> Int? in
            guard let last = bytes.last, (1...16).contains(last),
                bytes.suffix(Int(last)).allSatisfy({ $0 == last })
            else { return nil }
            return bytes.count - Int(last)
        }
        guard let length, (1...32).contains(length) else {
            throw .damaged("what it holds is no private key")
        }
        return padded.withBytes { SecretBytes(copying: $0.prefix(length)) }
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
    /// - Parameters:
    ///   - sizes: the allowed sizes of the ciphertext in bytes.
    ///   - cipher: the one that it must have.
    ///   - hasAddress: the file has the address of its key, which proves an initial vector that was
    ///     written without its leading zeros; the authentication code does not cover it.
    init(
        _ section: KeystoreSection,
        sizes: ClosedRange<Int>,
        cipher: Cipher = .counter,
        hasAddress: Bool = false
    ) throws(KeystoreError) {
        let name = try section.word("cipher")
        guard name == cipher.rawValue else {
            throw .foreign(
                "its cipher is \(ForeignWords.quoted(name, limit: 80)), not \(cipher.rawValue)"
            )
        }
        self.cipher = cipher
        let parameters = try section.section("cipherparams")
        initialVector =
            hasAddress
            ? try parameters.numberBytes("iv", count: 16) : try parameters.bytes("iv", count: 16)
        ciphertext = try section.bytes("ciphertext")
        guard sizes.contains(ciphertext.count) else {
            throw .damaged(
                "its ciphertext has \(ciphertext.count) bytes, not "
                    + "\(sizes.lowerBound) to \(sizes.upperBound)"
            )
        }
        guard cipher == .counter || ciphertext.count % 16 == 0 else {
            throw .damaged("its ciphertext has \(ciphertext.count) bytes, no multiple of 16")
        }
        let code = try section.numberBytes("mac", count: 32)
        guard let authentication = Bytes32(bytes: code) else {
            throw .damaged("its mac has not 32 bytes")
        }
        self.authentication = authentication
        derivation = try KeyDerivation(section)
    }

    /// The `crypto` section, in geth's order.
    var json: JSONValue {
        [
            "cipher": .string(cipher.rawValue),
            "ciphertext": .string(Hex.digits(ciphertext)),
            "cipherparams": ["iv": .string(Hex.digits(initialVector))],
            "kdf": .string(derivation.name),
            "kdfparams": derivation.parameters,
            "mac": .string(Hex.digits(authentication.bytes)),
        ]
    }
}
