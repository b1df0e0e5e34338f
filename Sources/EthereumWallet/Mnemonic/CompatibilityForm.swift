import Foundation

/// Unicode's compatibility decomposition (NFKD), which BIP-39 asks for.
///
/// Foundation's, since the standard library has only the canonical forms.
enum CompatibilityForm {
    /// The text in NFKD; ASCII, which is in every form, is copied and nothing else.
    ///
    /// Other text passes through strings that cannot be overwritten: that is a passphrase in
    /// another script, and lasts as long as the process.
    ///
    /// - Throws: `MnemonicError.encoding` for what is not UTF-8.
    static func decomposed(_ text: borrowing SecretBytes) throws(MnemonicError) -> SecretBytes {
        let isASCII = text.withBytes { bytes in bytes.allSatisfy { $0 < 0x80 } }
        if isASCII { return text.withBytes { SecretBytes(copying: $0) } }
        guard let string = text.withBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .encoding
        }
        return SecretBytes(copying: string.decomposedStringWithCompatibilityMapping.utf8)
    }
}
