import CScrypt
import Glibc
import OpenSSL

/// The key derivation function scrypt, which makes guessing passwords cost memory.
///
/// Our own and not OpenSSL's: that one refuses N from 2^(16 r) on, as RFC 7914 asks, and with
/// it an official test vector of Web3 Secret Storage (r = 1, N = 2^18), which geth reads.
///
/// Source: https://www.rfc-editor.org/rfc/rfc7914
package enum Scrypt {
    /// The reason why a key cannot be derived.
    package enum Failure: Error, Hashable, Sendable {
        /// N is no power of two from 2 to 2^30, r or p is not positive, or r * p is 2^30 or more.
        case parameters
        /// The system does not provide this many bytes, or OpenSSL does not take them at once.
        case memory(Int)
    }

    /// Derives a key.
    ///
    /// Everything that follows from the password, the key excepted, is overwritten or handed back
    /// to the system before this returns.
    ///
    /// - Parameters:
    ///   - cost: N, a power of two; memory is 128 * r * (N + p) bytes.
    ///   - blockSize: r.
    ///   - parallelism: p, how often the memory is worked through.
    ///   - output: receives the key, any number of bytes.
    package static func derive(
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        cost: Int,
        blockSize: Int,
        parallelism: Int,
        into output: UnsafeMutableRawBufferPointer
    ) throws(Failure) {
        try derive(
            password: password,
            salt: salt,
            cost: cost,
            blockSize: blockSize,
            parallelism: parallelism,
            into: output,
            isPlain: false
        )
    }

    /// - Parameter isPlain: with nothing but what every processor has.
    static func derive(
        password: UnsafeRawBufferPointer,
        salt: UnsafeRawBufferPointer,
        cost: Int,
        blockSize: Int,
        parallelism: Int,
        into output: UnsafeMutableRawBufferPointer,
        isPlain: Bool
    ) throws(Failure) {
        guard (2...1 << 30).contains(cost), cost & (cost - 1) == 0, blockSize > 0, parallelism > 0,
            blockSize < 1 << 30, parallelism < 1 << 30, blockSize * parallelism < 1 << 30
        else { throw .parameters }
        let (bytes, isTooLarge) = cost.multipliedReportingOverflow(by: 128 * blockSize)
        guard !isTooLarge else { throw .memory(.max) }
        let blockBytes = 128 * blockSize * parallelism
        guard blockBytes <= Int32.max else { throw .memory(blockBytes) }
        let blocks = try SecretMemory(byteCount: blockBytes)
        defer { blocks.release() }
        let table = try SecretMemory(byteCount: bytes)
        defer { table.release() }
        let scratch = try SecretMemory(byteCount: 2 * 128 * blockSize)
        defer { scratch.release() }

        let function = HashFunction.sha256
        let mix = isPlain ? dex_romix_plain : dex_romix
        function.derive(password: password, salt: salt, rounds: 1, into: blocks.bytes)
        for index in 0..<parallelism {
            let block = blocks.words + 32 * blockSize * index
            swapWords(block, count: 32 * blockSize)
            mix(block, table.start, scratch.start, UInt64(cost), UInt64(blockSize))
            swapWords(block, count: 32 * blockSize)
        }
        let worked = UnsafeRawBufferPointer(blocks.bytes)
        function.derive(password: password, salt: worked, rounds: 1, into: output)
    }

    /// Words are little-endian in the standard.
    private static func swapWords(_ words: UnsafeMutablePointer<UInt32>, count: Int) {
        for index in 0..<count { words[index] = words[index].littleEndian }
    }
}

/// Memory that is handed back to the system, which clears it, and is in no core dump.
private struct SecretMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) throws(Scrypt.Failure) {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
            address != MAP_FAILED
        else { throw .memory(byteCount) }
        // May be refused without harm.
        madvise(address, byteCount, MADV_DONTDUMP)
        // Rows are chosen at random: with small pages each one costs a walk through their tables.
        madvise(address, byteCount, MADV_HUGEPAGE)
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    var start: UnsafeMutableRawPointer {
        guard let base = bytes.baseAddress else {
            preconditionFailure("mapped memory is not at address zero")
        }
        return base
    }

    var words: UnsafeMutablePointer<UInt32> { start.assumingMemoryBound(to: UInt32.self) }

    func release() {
        munmap(bytes.baseAddress, bytes.count)
    }
}
