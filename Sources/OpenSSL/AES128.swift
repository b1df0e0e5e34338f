import COpenSSL

/// The cipher AES with a key of 128 bits, by OpenSSL.
package enum AES128 {
    /// Counter mode, which is its own inverse.
    ///
    /// OpenSSL overwrites its copy of the key before this returns.
    ///
    /// Source: NIST SP 800-38A, section 6.5.
    ///
    /// - Parameters:
    ///   - input: fewer bytes than 2^31.
    ///   - key: 16 bytes.
    ///   - counter: 16 bytes, big-endian, that of the first block.
    ///   - output: as many bytes as the input has.
    package static func counterMode(
        _ input: UnsafeRawBufferPointer,
        key: UnsafeRawBufferPointer,
        counter: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count == 16 && counter.count == 16, "AES-128 takes 16 bytes of each")
        precondition(output.count == input.count, "the memory has not the size of the input")
        let start = key.start.assumingMemoryBound(to: UInt8.self)
        CryptoLibrary.call {
            dex_crypto_aes128_ctr(start, counter, input.start, CInt(input.count), output.start)
        }
    }

    /// Decrypts whole blocks of cipher block chaining mode; padding is not taken off.
    ///
    /// OpenSSL overwrites its copy of the key before this returns.
    ///
    /// Source: NIST SP 800-38A, section 6.2.
    ///
    /// - Parameters:
    ///   - input: a multiple of 16 bytes, fewer than 2^31.
    ///   - key: 16 bytes.
    ///   - initialVector: 16 bytes.
    ///   - output: as many bytes as the input has.
    package static func decryptChained(
        _ input: UnsafeRawBufferPointer,
        key: UnsafeRawBufferPointer,
        initialVector: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count == 16 && initialVector.count == 16, "AES-128 takes 16 bytes of each")
        precondition(input.count % 16 == 0, "the blocks are not whole")
        precondition(output.count == input.count, "the memory has not the size of the input")
        let start = key.start.assumingMemoryBound(to: UInt8.self)
        CryptoLibrary.call {
            dex_crypto_aes128_cbc_decrypt(
                start,
                initialVector,
                input.start,
                CInt(input.count),
                output.start
            )
        }
    }
}
