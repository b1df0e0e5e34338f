import Ethereum

/// Reads call data like a contract of 2017: by words, zeros after the end, unchecked padding.
struct CalldataReader {
    let bytes: [UInt8]

    /// The first four bytes as a number; nil if there are fewer.
    var selector: UInt32? {
        guard bytes.count >= 4 else { return nil }
        return UInt32(bytes[0]) << 24 | UInt32(bytes[1]) << 16 | UInt32(bytes[2]) << 8
            | UInt32(bytes[3])
    }

    func word(at offset: Int) -> Bytes32 {
        guard offset >= 0, offset < bytes.count else { return .zero }
        if offset <= bytes.count - 32 {
            return bytes.withUnsafeBytes { buffer in
                func limb(_ index: Int) -> UInt64 {
                    UInt64(
                        bigEndian: buffer.loadUnaligned(
                            fromByteOffset: offset + 8 * index,
                            as: UInt64.self
                        )
                    )
                }
                return Bytes32(limbs: (limb(0), limb(1), limb(2), limb(3)))
            }
        }
        let tail = bytes[offset...]
        return Bytes32(bytes: Array(tail) + Array(repeating: 0, count: 32 - tail.count)) ?? .zero
    }

    /// The argument's word, counted from 0.
    func argument(_ index: Int) -> Bytes32 {
        word(at: 4 + 32 * index)
    }

    func number(_ index: Int) -> UInt256 {
        UInt256(argument(index))
    }

    /// The argument as an address; the upper bytes are ignored.
    func address(_ index: Int) -> Address {
        Address(truncating: argument(index))
    }

    /// The argument as a boolean: anything but zero is true.
    func flag(_ index: Int) -> Bool {
        argument(index) != .zero
    }

    /// The data has all argument words that the function declares.
    func has(arguments: Int) -> Bool {
        bytes.count >= 4 + 32 * arguments
    }

    /// The dynamic array that an argument points to.
    ///
    /// - Parameters:
    ///   - width: the number of words in a static element.
    ///   - gas: the gas left to copy the array to memory, 3 for each word.
    /// - Throws: `CallFailure.outOfGas` if the claimed length needs more gas than is left.
    func array(_ index: Int, width: Int, gas: UInt64) throws(CallFailure) -> CalldataArray {
        // Counts from after the selector; a pointer near 2^256 wraps around to the selector itself.
        var start = bytes.count
        if let pointed = (number(index) &+ 4).uint64, pointed < UInt64(bytes.count) {
            start = Int(pointed)
        }
        let count = UInt256(word(at: start))
        guard count <= UInt256(gas / (3 * UInt64(width))) else { throw .outOfGas }
        return CalldataArray(start: start + 32, width: width, count: count)
    }
}

/// An array of static elements in call data; the caller declares its length.
struct CalldataArray {
    /// The position of the first element.
    let start: Int
    /// The words of an element.
    let width: Int
    let count: UInt256

    /// The position of an element's word.
    ///
    /// - Throws: `CallFailure.invalid` beyond the length, as Solidity does.
    func offset(of index: Int, word: Int = 0) throws(CallFailure) -> Int {
        guard UInt256(UInt64(index)) < count else { throw .invalid }
        return start + 32 * (index * width + word)
    }
}
