import Ethereum

/// The bytes are not the canonical encoding of the expected values.
struct MalformedContractData: Error {}

/// Reads values in order by the contract ABI, in the one encoding that every encoder writes.
///
/// Arrays follow the head in order without gaps, and nothing comes after them.
struct ContractDataReader {
    private let data: ArraySlice<UInt8>
    /// The bytes before the first array.
    private let headSize: Int
    /// Byte positions from the start of the data.
    private var head = 0
    private var tail: Int?

    /// - Parameters:
    ///   - data: without a selector.
    ///   - headWords: the number of words before the first array, including its offset; unused
    ///     without an array.
    init(_ data: ArraySlice<UInt8>, headWords: Int = 0) {
        self.data = data
        headSize = 32 * headWords
    }

    private func word(at position: Int) throws(MalformedContractData) -> Bytes32 {
        let start = data.startIndex + position
        guard position >= 0, position <= data.count - 32,
            let word = Bytes32(bytes: data[start..<start + 32])
        else { throw MalformedContractData() }
        return word
    }

    mutating func word() throws(MalformedContractData) -> Bytes32 {
        let word = try word(at: head)
        head += 32
        return word
    }

    mutating func words(_ count: Int) throws(MalformedContractData) -> [Bytes32] {
        var words: [Bytes32] = []
        words.reserveCapacity(count)
        for _ in 0..<count { words.append(try word()) }
        return words
    }

    mutating func number() throws(MalformedContractData) -> UInt256 {
        UInt256(try word())
    }

    mutating func uint128() throws(MalformedContractData) -> UInt128 {
        guard let value = try number().uint128 else { throw MalformedContractData() }
        return value
    }

    mutating func address() throws(MalformedContractData) -> Address {
        guard let address = Address(ifWord: try word()) else { throw MalformedContractData() }
        return address
    }

    mutating func flag() throws(MalformedContractData) -> Bool {
        switch try number() {
        case 0: return false
        case 1: return true
        default: throw MalformedContractData()
        }
    }

    mutating func byte() throws(MalformedContractData) -> UInt8 {
        guard let value = try number().uint64, value <= 255 else { throw MalformedContractData() }
        return UInt8(value)
    }

    mutating func numbers() throws(MalformedContractData) -> [UInt256] {
        try array(elementWords: 1) { reader throws(MalformedContractData) in try reader.number() }
    }

    mutating func addressList() throws(MalformedContractData) -> [Address] {
        try array(elementWords: 1) { reader throws(MalformedContractData) in try reader.address() }
    }

    /// The array at the next offset in the head; its length is bounded by the available bytes.
    mutating func array<Element>(
        elementWords: Int,
        _ element: (inout ContractDataReader) throws(MalformedContractData) -> Element
    ) throws(MalformedContractData) -> [Element] {
        guard let offset = try number().uint64,
            offset == UInt64(tail ?? headSize),
            let start = Int(exactly: offset), start < data.count
        else { throw MalformedContractData() }
        guard let length = UInt256(try word(at: start)).uint64,
            length <= UInt64((data.count - start - 32) / (32 * elementWords))
        else { throw MalformedContractData() }
        let returnHere = head
        head = start + 32
        var elements: [Element] = []
        elements.reserveCapacity(Int(length))
        for _ in 0..<length { elements.append(try element(&self)) }
        tail = head
        head = returnHere
        return elements
    }

    /// The `bytes` at the next offset in the head; the padding to a whole word is zero.
    mutating func bytes() throws(MalformedContractData) -> ArraySlice<UInt8> {
        guard let offset = try number().uint64,
            offset == UInt64(tail ?? headSize),
            let start = Int(exactly: offset), start < data.count,
            let length = UInt256(try word(at: start)).uint64,
            length <= UInt64(data.count - start - 32)
        else { throw MalformedContractData() }
        let first = data.startIndex + start + 32
        let end = first + Int(length)
        let padding = (32 - Int(length % 32)) % 32
        guard padding <= data.endIndex - end,
            data[end..<end + padding].allSatisfy({ $0 == 0 })
        else { throw MalformedContractData() }
        tail = start + 32 + Int(length) + padding
        return data[first..<end]
    }

    /// Checks that all bytes are read.
    func finish() throws(MalformedContractData) {
        guard data.count == tail ?? head else { throw MalformedContractData() }
    }
}

extension [UInt8] {
    /// The function or error of call or revert data; nil for fewer than 4 bytes.
    var selector: UInt32? {
        count < 4 ? nil : prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
