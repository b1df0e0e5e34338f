/// The 1600-bit state of Keccak-f: 25 lanes of 64 bits, lane `x + 5y` at column x and row y.
///
/// Shape: plain stored words, so a permutation works in registers and never allocates.
struct KeccakState {
    private var a0: UInt64 = 0, a1: UInt64 = 0, a2: UInt64 = 0, a3: UInt64 = 0, a4: UInt64 = 0
    private var a5: UInt64 = 0, a6: UInt64 = 0, a7: UInt64 = 0, a8: UInt64 = 0, a9: UInt64 = 0
    private var a10: UInt64 = 0, a11: UInt64 = 0, a12: UInt64 = 0, a13: UInt64 = 0, a14: UInt64 = 0
    private var a15: UInt64 = 0, a16: UInt64 = 0, a17: UInt64 = 0, a18: UInt64 = 0, a19: UInt64 = 0
    private var a20: UInt64 = 0, a21: UInt64 = 0, a22: UInt64 = 0, a23: UInt64 = 0, a24: UInt64 = 0

    /// Absorbs one block of 17 little-endian lanes (136 bytes).
    mutating func absorb(_ block: UnsafeRawBufferPointer) {
        a0 ^= Self.lane(0, of: block)
        a1 ^= Self.lane(1, of: block)
        a2 ^= Self.lane(2, of: block)
        a3 ^= Self.lane(3, of: block)
        a4 ^= Self.lane(4, of: block)
        a5 ^= Self.lane(5, of: block)
        a6 ^= Self.lane(6, of: block)
        a7 ^= Self.lane(7, of: block)
        a8 ^= Self.lane(8, of: block)
        a9 ^= Self.lane(9, of: block)
        a10 ^= Self.lane(10, of: block)
        a11 ^= Self.lane(11, of: block)
        a12 ^= Self.lane(12, of: block)
        a13 ^= Self.lane(13, of: block)
        a14 ^= Self.lane(14, of: block)
        a15 ^= Self.lane(15, of: block)
        a16 ^= Self.lane(16, of: block)
    }

    /// The first four lanes as 32 bytes.
    var digest: Bytes32 {
        Bytes32(limbs: (a0.byteSwapped, a1.byteSwapped, a2.byteSwapped, a3.byteSwapped))
    }

    /// The 24 rounds of Keccak-f[1600], each step unrolled.
    mutating func permute() {
        for index in 0..<24 {
            // theta
            let c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20
            let c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21
            let c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22
            let c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23
            let c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24
            let d0 = c4 ^ Self.rotate(c1, 1)
            let d1 = c0 ^ Self.rotate(c2, 1)
            let d2 = c1 ^ Self.rotate(c3, 1)
            let d3 = c2 ^ Self.rotate(c4, 1)
            let d4 = c3 ^ Self.rotate(c0, 1)
            // rho and pi
            let b0 = a0 ^ d0
            let b1 = Self.rotate(a6 ^ d1, 44)
            let b2 = Self.rotate(a12 ^ d2, 43)
            let b3 = Self.rotate(a18 ^ d3, 21)
            let b4 = Self.rotate(a24 ^ d4, 14)
            let b5 = Self.rotate(a3 ^ d3, 28)
            let b6 = Self.rotate(a9 ^ d4, 20)
            let b7 = Self.rotate(a10 ^ d0, 3)
            let b8 = Self.rotate(a16 ^ d1, 45)
            let b9 = Self.rotate(a22 ^ d2, 61)
            let b10 = Self.rotate(a1 ^ d1, 1)
            let b11 = Self.rotate(a7 ^ d2, 6)
            let b12 = Self.rotate(a13 ^ d3, 25)
            let b13 = Self.rotate(a19 ^ d4, 8)
            let b14 = Self.rotate(a20 ^ d0, 18)
            let b15 = Self.rotate(a4 ^ d4, 27)
            let b16 = Self.rotate(a5 ^ d0, 36)
            let b17 = Self.rotate(a11 ^ d1, 10)
            let b18 = Self.rotate(a17 ^ d2, 15)
            let b19 = Self.rotate(a23 ^ d3, 56)
            let b20 = Self.rotate(a2 ^ d2, 62)
            let b21 = Self.rotate(a8 ^ d3, 55)
            let b22 = Self.rotate(a14 ^ d4, 39)
            let b23 = Self.rotate(a15 ^ d0, 41)
            let b24 = Self.rotate(a21 ^ d1, 2)
            // chi and iota
            a0 = b0 ^ (~b1 & b2) ^ Self.roundConstants[index]
            a1 = b1 ^ (~b2 & b3)
            a2 = b2 ^ (~b3 & b4)
            a3 = b3 ^ (~b4 & b0)
            a4 = b4 ^ (~b0 & b1)
            a5 = b5 ^ (~b6 & b7)
            a6 = b6 ^ (~b7 & b8)
            a7 = b7 ^ (~b8 & b9)
            a8 = b8 ^ (~b9 & b5)
            a9 = b9 ^ (~b5 & b6)
            a10 = b10 ^ (~b11 & b12)
            a11 = b11 ^ (~b12 & b13)
            a12 = b12 ^ (~b13 & b14)
            a13 = b13 ^ (~b14 & b10)
            a14 = b14 ^ (~b10 & b11)
            a15 = b15 ^ (~b16 & b17)
            a16 = b16 ^ (~b17 & b18)
            a17 = b17 ^ (~b18 & b19)
            a18 = b18 ^ (~b19 & b15)
            a19 = b19 ^ (~b15 & b16)
            a20 = b20 ^ (~b21 & b22)
            a21 = b21 ^ (~b22 & b23)
            a22 = b22 ^ (~b23 & b24)
            a23 = b23 ^ (~b24 & b20)
            a24 = b24 ^ (~b20 & b21)
        }
    }

    @inline(__always)
    private static func rotate(_ lane: UInt64, _ count: UInt64) -> UInt64 {
        lane &<< count | lane &>> (64 &- count)
    }

    @inline(__always)
    private static func lane(_ index: Int, of block: UnsafeRawBufferPointer) -> UInt64 {
        UInt64(littleEndian: block.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
    }

    private static let roundConstants: InlineArray<24, UInt64> = [
        0x0000000000000001, 0x0000000000008082, 0x800000000000808a,
        0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
        0x8000000080008081, 0x8000000000008009, 0x000000000000008a,
        0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
        0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
        0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
        0x000000000000800a, 0x800000008000000a, 0x8000000080008081,
        0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
    ]
}
