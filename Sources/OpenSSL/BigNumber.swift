import COpenSSL

/// Arithmetic of large numbers by OpenSSL.
package enum BigNumber {
    /// base^exponent modulo a modulus, all big-endian.
    ///
    /// - Parameter modulus: 0 and 1 give zeros; each number has fewer bytes than 2^31.
    /// - Returns: as many bytes as the modulus has.
    package static func power(
        _ base: [UInt8],
        _ exponent: [UInt8],
        modulo modulus: [UInt8]
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: modulus.count) { output, count in
            let start = UnsafeMutableRawBufferPointer(output).start
            CryptoLibrary.call {
                base.withUnsafeBytes { base in
                    exponent.withUnsafeBytes { exponent in
                        modulus.withUnsafeBytes { modulus in
                            dex_crypto_modexp(
                                base.start.assumingMemoryBound(to: UInt8.self),
                                CInt(base.count),
                                exponent.start.assumingMemoryBound(to: UInt8.self),
                                CInt(exponent.count),
                                modulus.start.assumingMemoryBound(to: UInt8.self),
                                CInt(modulus.count),
                                start
                            )
                        }
                    }
                }
            }
            count = modulus.count
        }
    }
}

/// Signatures on the curve P-256 (secp256r1).
package enum P256 {
    /// Whether a key made a signature of a digest.
    ///
    /// - Parameters:
    ///   - digest: 32 bytes.
    ///   - signature: r and s, 32 big-endian bytes each.
    ///   - key: x and y, 32 big-endian bytes each; false for a point that is not on the curve.
    package static func isValid(digest: [UInt8], signature: [UInt8], key: [UInt8]) -> Bool {
        guard digest.count == 32, signature.count == 64, key.count == 64 else { return false }
        var fits = false
        CryptoLibrary.call { dex_crypto_p256_verify(digest, signature, key, &fits) }
        return fits
    }
}
