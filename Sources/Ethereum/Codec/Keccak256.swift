import CKeccak

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
    ///
    /// With AVX-512 it takes two thirds of the time.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        guard hasRegisters, let start = bytes.baseAddress else { return portableHash(bytes) }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { lanes in
            dex_keccak_one(start, bytes.count, lanes.baseAddress)
            return digest(lanes, from: 0)
        }
    }

    /// Of four little-endian lanes.
    private static func digest(
        _ lanes: UnsafeMutableBufferPointer<UInt64>,
        from first: Int
    ) -> Bytes32 {
        Bytes32(
            limbs: (
                lanes[first].bigEndian, lanes[first + 1].bigEndian, lanes[first + 2].bigEndian,
                lanes[first + 3].bigEndian
            )
        )
    }

    private static let hasRegisters = dex_keccak_has_registers()

    /// The same on any processor.
    package static func portableHash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
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

    /// The messages that the processor hashes at once.
    public static let messagesAtOnce = 8

    private static let isParallel = dex_keccak_is_parallel()

    /// The hashes of messages of the same length, one after another in memory.
    ///
    /// Eight at once where the processor can: AVX-512 takes an eighth of the time, AVX2 a third.
    ///
    /// - Parameter length: bytes of a message, not zero; of a last part that is shorter there is no
    ///   hash.
    public static func hashes(_ messages: UnsafeRawBufferPointer, length: Int) -> [Bytes32] {
        guard length > 0 else { return [] }
        let count = messages.count / length
        var hashes: [Bytes32] = []
        hashes.reserveCapacity(count)
        if isParallel, let start = messages.baseAddress {
            withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4 * messagesAtOnce) { lanes in
                while count - hashes.count >= messagesAtOnce {
                    dex_keccak_eight(start + hashes.count * length, length, lanes.baseAddress)
                    for first in stride(from: 0, to: lanes.count, by: 4) {
                        hashes.append(digest(lanes, from: first))
                    }
                }
            }
        }
        for index in hashes.count..<count {
            let message = messages[index * length..<(index + 1) * length]
            hashes.append(hash(UnsafeRawBufferPointer(rebasing: message)))
        }
        return hashes
    }
}
