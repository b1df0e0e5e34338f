/// Keccak-256 with the padding that predates NIST's standard, as Ethereum uses it.
///
/// Source: https://keccak.team/files/Keccak-reference-3.0.pdf, rate 1088, capacity 512.
public enum Keccak256 {
    /// Bytes absorbed between two permutations.
    private static let rate = 136

    /// The 32-byte hash of some bytes.
    ///
    /// Example: `Keccak256.hash("".utf8)` is
    /// `0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470`.
    @inlinable
    public static func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        let direct = bytes.withContiguousStorageIfAvailable { buffer in
            hash(UnsafeRawBufferPointer(buffer))
        }
        if let direct { return direct }
        return [UInt8](bytes).withUnsafeBytes { hash($0) }
    }

    /// The 32-byte hash of bytes in memory, without allocation.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        var state = KeccakState()
        var offset = 0
        while bytes.count - offset >= rate {
            state.absorb(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + rate]))
            state.permute()
            offset += rate
        }
        withUnsafeTemporaryAllocation(byteCount: rate, alignment: 8) { block in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
            block.copyMemory(from: rest)
            for index in rest.count..<rate { block[index] = 0 }
            // With 135 bytes left both padding bits are in the same byte.
            block[rest.count] |= 0x01
            block[rate - 1] |= 0x80
            state.absorb(UnsafeRawBufferPointer(block))
        }
        state.permute()
        return state.digest
    }
}
