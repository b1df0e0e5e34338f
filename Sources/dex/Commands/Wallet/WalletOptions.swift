import ArgumentParser
import DexCore
import Ethereum
import EthereumWallet
import PrivateFiles

/// Options of a new keystore.
struct KeystoreOptions: ParsableArguments, Sendable {
    @Flag(help: "Make opening cheap in memory and time, and guessing the password too.")
    var light = false

    @Flag(
        help: "Keep the password in the desktop's secret service (secret-tool)."
    )
    var remember = false

    @OptionGroup var passwordRule: PasswordRule

    var strength: KeystoreStrength { light ? .light : .standard }
}

/// A message, as an argument or in a file.
struct MessageOptions: ParsableArguments, Sendable {
    @Argument(help: "The message.")
    var message: String?

    @Option(help: .of("file", "Take the message from a file, or - for stdin."))
    var file: String?

    /// The most bytes of a message.
    private static let longestMessage = 1 << 20

    mutating func validate() throws {
        if (message == nil) == (file == nil) {
            throw ValidationError("Give either a message or --file FILE.")
        }
    }

    /// The bytes that are signed.
    ///
    /// - Throws: `DexError`, exit 2, if there is no such file.
    func bytes(_ context: CommandContext) throws -> [UInt8] {
        guard let file else { return Array((message ?? "").utf8) }
        guard let bytes = try context.content(of: file, as: .bytes, limit: Self.longestMessage)
        else {
            throw ArgumentError.noFile(file)
        }
        return bytes
    }
}

/// The text of a signature: 65 bytes of r, s and v.
enum SignatureText {
    /// `0x` and 130 digits.
    static func write(_ signature: Signature) -> String {
        var bytes = signature.r.bytes + signature.s.bytes
        bytes.append(signature.v)
        return Hex.encode(bytes)
    }

    /// Reads 65 bytes whose last is 27 or 28, or 0 or 1.
    ///
    /// - Throws: `DexError`, exit 2.
    static func read(_ text: String) throws(DexError) -> Signature {
        if let bytes = Hex.bytes(text), bytes.count == 65, let r = Bytes32(bytes: bytes[..<32]),
            let s = Bytes32(bytes: bytes[32..<64]),
            let signature = Signature(
                r: r,
                s: s,
                yParity: bytes[64] < 27 ? bytes[64] : bytes[64] - 27
            )
        {
            return signature
        }
        throw ArgumentError.badSignature(text)
    }
}
