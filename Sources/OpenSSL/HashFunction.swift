import COpenSSL

/// A hash function of OpenSSL, and what is built on it: HMAC and PBKDF2.
///
/// The memory that OpenSSL used for a secret is overwritten before it is freed.
package enum HashFunction: Hashable, Sendable, CaseIterable {
    /// SHA-1, for the handshake of WebSockets alone: it resists no attack.
    case sha1
    case sha256
    case sha512
    /// RIPEMD-160, which the EVM has; OpenSSL has it by default since 3.0.7.
    case ripemd160

    /// The size of a hash in bytes.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        case .ripemd160: 20
        }
    }

    private var code: dex_crypto_hash {
        switch self {
        case .sha1: DEX_SHA1
        case .sha256: DEX_SHA256
        case .sha512: DEX_SHA512
        case .ripemd160: DEX_RIPEMD160
        }
    }

    /// The hash of bytes, into `byteCount` bytes of memory.
    ///
    /// Source: FIPS 180-4.
    package func hash(
        _ bytes: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count == byteCount, "the memory has not the size of a hash")
        CryptoLibrary.call {
            dex_crypto_digest(code, bytes.start, bytes.count, output.start)
        }
    }

    /// The hash of bytes: `byteCount` bytes.
    package func hash(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            hash(bytes, into: UnsafeMutableRawBufferPointer(output))
            count = byteCount
        }
    }

    /// The hash of bytes: `byteCount` bytes.
    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// HMAC of a message, into `byteCount` bytes of memory.
    ///
    /// Source: https://www.rfc-editor.org/rfc/rfc2104
    ///
    /// - Parameter key: fewer bytes than 2^31.
    package func authenticate(
        _ message: UnsafeRawBufferPointer,
        key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count == byteCount, "the memory has not the size of a hash")
        CryptoLibrary.call {
            dex_crypto_hmac(
                code,
                key.start,
                CInt(key.count),
                message.start,
                message.count,
                output.start
            )
        }
    }

    /// PBKDF2 with HMAC: fills memory with bytes derived from a password.
    ///
    /// Source: https://www.rfc-editor.org/rfc/rfc8018, section 5.2
    ///
    /// - Parameter rounds: from 1 to 2^31 - 1; each memory has fewer bytes than 2^31, too.
    package func derive(
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        rounds: Int,
        into output: UnsafeMutableRawBufferPointer
    ) {
        guard !output.isEmpty else { return }
        CryptoLibrary.call {
            dex_crypto_pbkdf2(
                code,
                password.start,
                CInt(password.count),
                salt.start,
                CInt(salt.count),
                CInt(rounds),
                output.start,
                CInt(output.count)
            )
        }
    }
}
