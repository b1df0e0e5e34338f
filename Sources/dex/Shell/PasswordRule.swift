import ArgumentParser
import DexCore
import EthereumWallet

/// The rule for new passwords.
struct PasswordRule: ParsableArguments, Sendable {
    @Flag(help: "Take a password of fewer than 8 characters.")
    var allowWeakPassword = false

    /// The minimum length: shorter ones can be guessed.
    static let fewestCharacters = 8

    /// - Throws: `DexError`, exit 2, if the password is too short.
    func check(_ password: borrowing SecretBytes) throws(DexError) {
        guard password.count > 0 else {
            throw SecretError.emptyPassword
        }
        // Continuation bytes of UTF-8 do not count; the secret is never made a String.
        let count = password.withBytes { bytes in bytes.count { $0 & 0xC0 != 0x80 } }
        guard allowWeakPassword || count >= Self.fewestCharacters else {
            throw SecretError.weakPassword(count: count)
        }
    }
}
