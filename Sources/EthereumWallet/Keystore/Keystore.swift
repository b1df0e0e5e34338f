public import Ethereum
import StrictJSON

/// A private key encrypted with a password.
///
/// The file is Web3 Secret Storage, version 3, as geth and others write and read it. If the key
/// comes from a recovery phrase, the file may also hold that, encrypted with the same password, in
/// a member that other programs ignore.
///
/// ```swift
/// let signer = try PrivateKeySigner(secret: SecretBytes(random: 32))
/// let password = SecretBytes(copying: "correct horse battery staple".utf8)
/// let keystore = try Keystore(sealing: signer, password: password, strength: .light)
///
/// // The bytes of the file, which geth and others open too.
/// let file = keystore.utf8
/// let opened = try Keystore(file).open(password: password)
/// print(opened.address == signer.address)
/// // Prints "true"
/// ```
///
/// Source: https://ethereum.org/developers/docs/data-structures-and-encoding/web3-secret-storage
public struct Keystore: Hashable, Sendable {
    /// The account in the file; nil if it has none, which some programs prefer.
    ///
    /// It is unverified until the key is decrypted.
    public let address: Address?
    /// The UUID.
    public let id: String?

    private let form: KeystoreForm
    private let sealed: SealedSecret
    private let origin: KeystoreOrigin?

    /// The maximum file size: twenty times what any program writes.
    private static let maximumSize = 1 << 16

    // MARK: Sealing and opening

    /// Encrypts a key with a password.
    ///
    /// - Throws: `KeystoreError.noMemory`.
    public init(
        sealing signer: PrivateKeySigner,
        password: borrowing SecretBytes,
        strength: KeystoreStrength = .standard
    ) throws(KeystoreError) {
        try self.init(
            sealing: signer,
            password: password,
            derivation: KeyDerivation(strength)
        )
    }

    init(
        sealing signer: PrivateKeySigner,
        password: borrowing SecretBytes,
        derivation: KeyDerivation,
        origin: KeystoreOrigin? = nil
    ) throws(KeystoreError) {
        form = .standard
        address = signer.address
        id = Self.randomID()
        self.origin = origin
        sealed = try signer.withSecret { key throws(KeystoreError) in
            try SealedSecret(key, password: password, derivation: derivation)
        }
    }

    /// Encrypts the key of a recovery phrase together with the phrase.
    ///
    /// - Parameters:
    ///   - passphrase: the phrase's passphrase, which is not stored; empty if there is none.
    ///   - path: the key's path below the phrase's master key.
    /// - Throws: `MnemonicError.passphrase`, `ExtendedKeyError` or `KeystoreError.noMemory`.
    public init(
        sealing phrase: borrowing Mnemonic,
        passphrase: borrowing SecretBytes,
        path: DerivationPath,
        password: borrowing SecretBytes,
        strength: KeystoreStrength = .standard
    ) throws {
        let seed = try phrase.seed(passphrase: passphrase)
        let signer = try ExtendedKey(seed: seed).derived(path).signer()
        let entropy = try phrase.withEntropy { entropy throws(KeystoreError) in
            try SealedSecret(entropy, password: password, derivation: KeyDerivation(strength))
        }
        try self.init(
            sealing: signer,
            password: password,
            derivation: KeyDerivation(strength),
            origin: KeystoreOrigin(
                entropy: entropy,
                path: path,
                hasPassphrase: passphrase.count > 0
            )
        )
    }

    /// Decrypts the key.
    ///
    /// - Throws: `KeystoreError`: `wrongPassword`; `damaged` if the decrypted bytes are not a key
    ///   or not the key of the file's address; `noMemory`.
    public func open(
        password: borrowing SecretBytes
    ) throws(KeystoreError) -> PrivateKeySigner {
        let secret = try sealed.open(password: password)
        let key = SecretBytes(count: 32) { key in
            // Older geth versions dropped leading zeros.
            secret.withBytes { secret in
                UnsafeMutableRawBufferPointer(rebasing: key[(32 - secret.count)...])
                    .copyMemory(from: secret)
            }
        }
        let signer: PrivateKeySigner
        do {
            signer = try PrivateKeySigner(secret: key)
        } catch {
            throw .damaged("what it holds is no private key")
        }
        if let address, address != signer.address {
            guard form != .klaytn else {
                throw .foreign(
                    "it is of a Klaytn account, \(address.checksummed), whose key is another's: "
                        + "\(signer.address.checksummed)"
                )
            }
            throw .damaged(
                "it names \(address.checksummed), but holds the key of "
                    + "\(signer.address.checksummed)"
            )
        }
        return signer
    }

    // MARK: The recovery phrase

    /// The key's path below its recovery phrase; nil if the file has no phrase.
    public var phrasePath: DerivationPath? {
        origin?.path
    }

    /// The phrase needs a passphrase, which is not in the file.
    public var phraseNeedsPassphrase: Bool {
        origin?.hasPassphrase ?? false
    }

    /// Decrypts the recovery phrase; nil if the file has none.
    ///
    /// - Throws: `KeystoreError`: `wrongPassword`, `damaged`, `noMemory`.
    public func openPhrase(
        password: borrowing SecretBytes
    ) throws(KeystoreError) -> Mnemonic? {
        guard let origin else { return nil }
        let entropy = try origin.entropy.open(password: password)
        do {
            return try Mnemonic(entropy: entropy)
        } catch {
            throw .damaged("what it holds is no recovery phrase")
        }
    }

    // MARK: Reading and writing

    /// Reads a file of version 3, of geth's version 1 or of Klaytn's version 4 with one key;
    /// non-standard members are ignored.
    ///
    /// - Throws: `KeystoreError`: `damaged`, `foreign` or `unreasonable`, each with its reason.
    public init(_ bytes: [UInt8]) throws(KeystoreError) {
        let document = try KeystoreDocument(bytes, maximumSize: Self.maximumSize)
        let section = document.section
        form = try KeystoreForm(section)
        let address = try Self.address(section)
        self.address = address
        id = try section.optional("id")?.stringValue
        sealed = try SealedSecret(
            form.crypto(section),
            sizes: form.ciphertextSizes,
            cipher: form.cipher,
            hasAddress: address != nil
        )
        origin = try document.extra.flatMap { extra throws(KeystoreError) in
            try KeystoreOrigin(extra)
        }
    }

    private static func address(_ section: KeystoreSection) throws(KeystoreError) -> Address? {
        guard let value = try section.optional("address"), !value.isNull else { return nil }
        guard value.stringValue?.isEmpty != true else { return nil }
        return Address(bytes: try section.bytes("address", count: 20))
    }

    /// The file in geth's layout, with our own member, which others ignore.
    public var utf8: [UInt8] {
        var object = JSONObject()
        if let address { object["address"] = .string(Hex.digits(address.bytes)) }
        object[form.secretKey] = form == .klaytn ? .array([sealed.json]) : sealed.json
        if let id { object["id"] = .string(id) }
        object["version"] = .integer(form.version)
        return KeystoreDocument.write(object, extra: origin?.members ?? JSONObject())
    }

    /// A random UUID, version 4.
    ///
    /// Source: https://www.rfc-editor.org/rfc/rfc9562, section 5.4.
    private static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = (0..<16).map { _ in generator.next() }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = ""
        for (index, digit) in Hex.digits(bytes).enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
