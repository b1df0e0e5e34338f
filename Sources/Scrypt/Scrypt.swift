import Glibc
import OpenSSL

/// The key derivation function scrypt, which makes guessing passwords cost memory.
///
/// Our own and not OpenSSL's: that one refuses N from 2^(16 r) on, as RFC 7914 asks, and with
/// it an official test vector of Web3 Secret Storage (r = 1, N = 2^18), which geth reads.
///
/// Source: https://www.rfc-editor.org/rfc/rfc7914
package enum Scrypt {
    /// Why a key cannot be derived.
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
        let scratch = try SecretMemory(byteCount: 2 * 128 * blockSize + 64)
        defer { scratch.release() }

        let function = HashFunction.sha256
        function.derive(password: password, salt: salt, rounds: 1, into: blocks.bytes)
        for index in 0..<parallelism {
            let block = blocks.words + 32 * blockSize * index
            swapWords(block, count: 32 * blockSize)
            mix(block, table.words, scratch.words, cost: cost, blockSize: blockSize)
            swapWords(block, count: 32 * blockSize)
        }
        let worked = UnsafeRawBufferPointer(blocks.bytes)
        function.derive(password: password, salt: worked, rounds: 1, into: output)
    }

    /// Words are little-endian in the standard.
    private static func swapWords(_ words: UnsafeMutablePointer<UInt32>, count: Int) {
        for index in 0..<count { words[index] = words[index].littleEndian }
    }

    // MARK: ROMix and BlockMix

    /// scryptROMix over one block of 32 * r words.
    private static func mix(
        _ block: UnsafeMutablePointer<UInt32>,
        _ table: UnsafeMutablePointer<UInt32>,
        _ scratch: UnsafeMutablePointer<UInt32>,
        cost: Int,
        blockSize: Int
    ) {
        let width = 32 * blockSize
        let state = scratch + 2 * width
        table.update(from: block, count: width)
        for index in 1..<cost {
            mixBlock(
                table + (index - 1) * width,
                with: nil,
                into: table + index * width,
                state,
                blockSize
            )
        }
        var source = scratch
        var target = scratch + width
        mixBlock(table + (cost - 1) * width, with: nil, into: source, state, blockSize)
        for _ in 0..<cost {
            // N is at most 2^30: of the 64 bits that Integerify takes the low ones decide.
            let index = Int(source[width - 16]) & (cost - 1)
            mixBlock(source, with: table + index * width, into: target, state, blockSize)
            swap(&source, &target)
        }
        block.update(from: source, count: width)
    }

    /// scryptBlockMix of a block, or of two that are combined by exclusive or.
    @inline(__always)
    private static func mixBlock(
        _ source: UnsafePointer<UInt32>,
        with other: UnsafePointer<UInt32>?,
        into target: UnsafeMutablePointer<UInt32>,
        _ state: UnsafeMutablePointer<UInt32>,
        _ blockSize: Int
    ) {
        let last = (2 &* blockSize &- 1) &* 16
        for word in 0..<16 {
            state[word] = source[last &+ word] ^ (other.map { $0[last &+ word] } ?? 0)
        }
        for index in 0..<2 &* blockSize {
            let input = source + 16 &* index
            if let other {
                let second = other + 16 &* index
                for word in 0..<16 { state[word] ^= input[word] ^ second[word] }
            } else {
                for word in 0..<16 { state[word] ^= input[word] }
            }
            salsa(state)
            // Even results come first, then the odd ones.
            let place = target + 16 &* ((index & 1) &* blockSize &+ index / 2)
            for word in 0..<16 { place[word] = state[word] }
        }
    }

    /// The core of Salsa20/8 on 16 words.
    ///
    /// Sixteen variables, because the compiler keeps them in registers and not an array.
    @inline(__always)
    private static func salsa(_ state: UnsafeMutablePointer<UInt32>) {
        var x0 = state[0]
        var x1 = state[1]
        var x2 = state[2]
        var x3 = state[3]
        var x4 = state[4]
        var x5 = state[5]
        var x6 = state[6]
        var x7 = state[7]
        var x8 = state[8]
        var x9 = state[9]
        var x10 = state[10]
        var x11 = state[11]
        var x12 = state[12]
        var x13 = state[13]
        var x14 = state[14]
        var x15 = state[15]
        for _ in 0..<4 {
            x4 ^= turned(x0 &+ x12, 7)
            x9 ^= turned(x5 &+ x1, 7)
            x14 ^= turned(x10 &+ x6, 7)
            x3 ^= turned(x15 &+ x11, 7)
            x8 ^= turned(x4 &+ x0, 9)
            x13 ^= turned(x9 &+ x5, 9)
            x2 ^= turned(x14 &+ x10, 9)
            x7 ^= turned(x3 &+ x15, 9)
            x12 ^= turned(x8 &+ x4, 13)
            x1 ^= turned(x13 &+ x9, 13)
            x6 ^= turned(x2 &+ x14, 13)
            x11 ^= turned(x7 &+ x3, 13)
            x0 ^= turned(x12 &+ x8, 18)
            x5 ^= turned(x1 &+ x13, 18)
            x10 ^= turned(x6 &+ x2, 18)
            x15 ^= turned(x11 &+ x7, 18)
            x1 ^= turned(x0 &+ x3, 7)
            x6 ^= turned(x5 &+ x4, 7)
            x11 ^= turned(x10 &+ x9, 7)
            x12 ^= turned(x15 &+ x14, 7)
            x2 ^= turned(x1 &+ x0, 9)
            x7 ^= turned(x6 &+ x5, 9)
            x8 ^= turned(x11 &+ x10, 9)
            x13 ^= turned(x12 &+ x15, 9)
            x3 ^= turned(x2 &+ x1, 13)
            x4 ^= turned(x7 &+ x6, 13)
            x9 ^= turned(x8 &+ x11, 13)
            x14 ^= turned(x13 &+ x12, 13)
            x0 ^= turned(x3 &+ x2, 18)
            x5 ^= turned(x4 &+ x7, 18)
            x10 ^= turned(x9 &+ x8, 18)
            x15 ^= turned(x14 &+ x13, 18)
        }
        state[0] &+= x0
        state[1] &+= x1
        state[2] &+= x2
        state[3] &+= x3
        state[4] &+= x4
        state[5] &+= x5
        state[6] &+= x6
        state[7] &+= x7
        state[8] &+= x8
        state[9] &+= x9
        state[10] &+= x10
        state[11] &+= x11
        state[12] &+= x12
        state[13] &+= x13
        state[14] &+= x14
        state[15] &+= x15
    }

    @inline(__always)
    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 {
        (word &<< bits) | (word &>> (32 &- bits))
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
        // Large pages save most of the time of looking addresses up: a third of all. Either
        // advice may be refused without harm.
        madvise(address, byteCount, MADV_HUGEPAGE)
        madvise(address, byteCount, MADV_DONTDUMP)
        bytes = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
    }

    var words: UnsafeMutablePointer<UInt32> {
        guard let base = bytes.baseAddress else {
            preconditionFailure("mapped memory is not at address zero")
        }
        return base.assumingMemoryBound(to: UInt32.self)
    }

    func release() {
        munmap(bytes.baseAddress, bytes.count)
    }
}
