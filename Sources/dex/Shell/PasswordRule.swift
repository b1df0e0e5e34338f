import ArgumentParser
import DexCore
import EthereumWallet

/// What a password has to be like before a file is written with it.
struct PasswordRule: ParsableArguments, Sendable {
    @Flag(help: "Take a password of fewer than 8 characters.")
    var allowWeakPassword = false

    /// The fewest characters: one that is shorter can be found by trying.
    private static let fewestCharacters = 8

    /// - Throws: `DexError`, exit 2, where the password is too short.
    func check(_ password: borrowing SecretBytes) throws(DexError) {
        guard password.count > 0 else {
            throw DexError(
                .usage,
                code: "empty-password",
                message: "A password of no characters protects nothing; nothing was written."
            )
        }
        // Bytes that continue a character of UTF-8 count with it; no text is made of the secret.
        let count = password.withBytes { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
        guard allowWeakPassword || count >= Self.fewestCharacters else {
            throw DexError(
                .usage,
                code: "weak-password",
                message: "A password of \(count) character\(count == 1 ? "" : "s") is soon "
                    + "guessed by anyone who gets the file; \(Self.fewestCharacters) are the least. "
                    + "Nothing was written.",
                hint: "Choose a longer one, or add --allow-weak-password."
            )
        }
    }
}
