import Crypto
import CryptoExtras
import FoundationEssentials

/// PBKDF2 into memory that is overwritten at the end.
enum PasswordHash {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - rounds: at least 1.
    ///   - count: the number of derived bytes.
    /// Source: https://www.rfc-editor.org/rfc/rfc8018, section 5.2.
    static func pbkdf2(
        _ password: borrowing SecretBytes,
        salt: [UInt8],
        hash: KDF.Insecure.PBKDF2.HashFunction,
        rounds: Int,
        count: Int
    ) -> SecretBytes {
        let salt = SecretBytes(copying: salt)
        let derived = SecretBytes(count: count) { output in
            password.withBytes { password in
                salt.withBytes { salt in
                    // Its errors are for rounds below its own minimum, which this call does not
                    // check, and for lack of memory in BoringSSL.
                    let key = try? KDF.Insecure.PBKDF2.deriveKey(
                        from: password,
                        salt: salt,
                        using: hash,
                        outputByteCount: count,
                        unsafeUncheckedRounds: rounds
                    )
                    guard let key else {
                        preconditionFailure("PBKDF2 has no memory for a few hundred bytes")
                    }
                    key.withUnsafeBytes { output.copyMemory(from: $0) }
                }
            }
        }
        Scrubber.wipeLeftovers(blocks: count)
        return derived
    }
}
