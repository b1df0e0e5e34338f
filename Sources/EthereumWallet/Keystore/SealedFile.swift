import StrictJSON

/// Secret content encrypted with a password, like a keystore: `format`, `version`, `crypto` and our
/// checksum.
public struct SealedFile: Hashable, Sendable {
    private let format: String
    private let sealed: SealedSecret

    /// The maximum size of the content in bytes.
    public static let maximumContent = 4 << 20
    /// Two digits for each byte, and room for the rest.
    private static let maximumSize = 2 * maximumContent + (1 << 16)
    private static let version: JSONValue = 1

    /// Encrypts content with a password.
    ///
    /// - Parameter format: the format name in the file.
    /// - Throws: `KeystoreError`: `unreasonable` for more than `maximumContent` bytes, `noMemory`.
    public init(
        sealing content: borrowing SecretBytes,
        format: String,
        password: borrowing SecretBytes,
        strength: KeystoreStrength = .standard
    ) throws(KeystoreError) {
        guard content.count <= Self.maximumContent else {
            throw .unreasonable(
                "its content has \(content.count) bytes, more than "
                    + "\(Self.maximumContent)"
            )
        }
        self.format = format
        sealed = try SealedSecret(
            content,
            password: password,
            derivation: KeyDerivation(strength)
        )
    }

    /// Reads a file of a given format.
    ///
    /// - Throws: `KeystoreError`: `damaged`, `foreign` or `unreasonable`.
    public init(_ bytes: [UInt8], format: String) throws(KeystoreError) {
        let document = try KeystoreDocument(bytes, maximumSize: Self.maximumSize)
        let object = document.section.object
        guard let name = object["format"]?.stringValue, name == format else {
            throw .foreign("its format is not \(format)")
        }
        guard object["version"] == Self.version else {
            throw .foreign("its version is not \(Self.version.text)")
        }
        // Our files always have one.
        guard document.extra != nil else { throw .damaged("it has no checksum") }
        self.format = format
        sealed = try SealedSecret(
            document.section.section("crypto"),
            sizes: 1...Self.maximumContent
        )
    }

    /// Decrypts the content.
    ///
    /// - Throws: `KeystoreError`: `wrongPassword`, `noMemory`.
    public func open(password: borrowing SecretBytes) throws(KeystoreError) -> SecretBytes {
        try sealed.open(password: password)
    }

    /// The file.
    public var utf8: [UInt8] {
        var object = JSONObject()
        object["format"] = .string(format)
        object["version"] = Self.version
        object["crypto"] = sealed.json
        return KeystoreDocument.write(object)
    }
}
