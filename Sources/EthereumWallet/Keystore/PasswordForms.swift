import Foundation

/// The same password in Unicode's other forms.
///
/// `é` is one character or two, by the keyboard and by the program that made a keystore: macOS
/// writes the second one, and wallets compose a password with NFKC before they use it.
enum PasswordForms {
    /// The password in NFC, NFD, NFKC and NFKD, as far as they differ from it and from each other.
    ///
    /// Empty for ASCII, which is the same in every form, and for what is not UTF-8. As a passphrase,
    /// other text passes through strings that cannot be overwritten.
    static func others(of password: borrowing SecretBytes) -> [String] {
        let isASCII = password.withBytes { bytes in bytes.allSatisfy { $0 < 0x80 } }
        guard !isASCII,
            let text = password.withBytes({ String(validating: $0, as: UTF8.self) })
        else { return [] }
        var seen: Set<[UInt8]> = [Array(text.utf8)]
        // Swift's own comparison takes all canonical forms for one.
        return [
            text.precomposedStringWithCanonicalMapping,
            text.decomposedStringWithCanonicalMapping,
            text.precomposedStringWithCompatibilityMapping,
            text.decomposedStringWithCompatibilityMapping,
        ].filter { seen.insert(Array($0.utf8)).inserted }
    }
}
