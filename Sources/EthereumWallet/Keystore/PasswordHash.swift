import OpenSSL

/// PBKDF2 into memory that is overwritten at the end.
enum PasswordHash {
    /// Derives a key.
    ///
    /// - Parameters:
    ///   - rounds: from 1 to `KeyDerivation.maximumRounds`.
    ///   - count: the number of derived bytes.
    /// Source: https://www.rfc-editor.org/rfc/rfc8018, section 5.2.
    static func pbkdf2(
        _ password: borrowing SecretBytes,
        salt: [UInt8],
        hash: HashFunction,
        rounds: Int,
        count: Int
    ) -> SecretBytes {
        let salt = SecretBytes(copying: salt)
        let derived = SecretBytes(count: count) { output in
            password.withBytes { password in
                salt.withBytes { salt in
                    hash.derive(password: password, salt: salt, rounds: rounds, into: output)
                }
            }
        }
        Scrubber.wipeLeftovers(blocks: count)
        return derived
    }
}
