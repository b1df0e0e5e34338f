import Ethereum

/// Writes big-endian words and unpadded addresses one after another into memory with room for them.
struct WordWriter {
    let buffer: UnsafeMutableRawBufferPointer
    private(set) var position = 0

    init(buffer: UnsafeMutableRawBufferPointer) {
        self.buffer = buffer
    }

    mutating func put(_ word: Bytes32) {
        put(word.limbs.0)
        put(word.limbs.1)
        put(word.limbs.2)
        put(word.limbs.3)
    }

    mutating func put(_ address: Address) {
        let limbs = address.word.limbs
        put(UInt32(truncatingIfNeeded: limbs.1))
        put(limbs.2)
        put(limbs.3)
    }

    private mutating func put(_ value: some FixedWidthInteger) {
        buffer.storeBytes(of: value.bigEndian, toByteOffset: position, as: type(of: value))
        position += value.bitWidth / 8
    }
}
