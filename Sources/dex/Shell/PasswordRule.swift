import ArgumentParser
import DexCore
import EthereumWallet

/// What a password has to be like before a file is written with it.
struct PasswordRule: ParsableArguments, Sendable {
    @Flag(help: "Take a password of fewer than 8 characters.")
    var allowWeakPassword = false

    /// The fewest characters: one that is shorter can be found by trying.
    static let fewestCharacters = 8

    /// - Throws: `DexError`, exit 2, where the password is too short.
    func check(_ password: borrowing SecretBytes) throws(DexError) {
        guard password.count > 0 else {
            throw DexError(SecretError.emptyPassword)
        }
        // Bytes that continue a character of UTF-8 count with it; no text is made of the secret.
        let count = password.withBytes { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
        guard allowWeakPassword || count >= Self.fewestCharacters else {
            throw DexError(SecretError.weakPassword(count: count))
        }
    }
}
