import Foundation

/// Unicode's compatibility decomposition (NFKD), which BIP-39 requires.
///
/// It is Foundation's, since the standard library has only the canonical forms.
enum CompatibilityForm {
    /// The text in NFKD; ASCII is the same in every form and is only copied.
    ///
    /// Other text passes through strings that cannot be overwritten. A passphrase in another script
    /// therefore stays in memory as long as the process.
    ///
    /// - Throws: `MnemonicError.encoding` if it is not UTF-8.
    static func decomposed(_ text: borrowing SecretBytes) throws(MnemonicError) -> SecretBytes {
        let isASCII = text.withBytes { bytes in bytes.allSatisfy { $0 < 0x80 } }
        if isASCII { return text.withBytes { SecretBytes(copying: $0) } }
        guard let string = text.withBytes({ String(validating: $0, as: UTF8.self) }) else {
            throw .encoding
        }
        return SecretBytes(copying: string.decomposedStringWithCompatibilityMapping.utf8)
    }
}
