import Ethereum

/// Writes an order's members straight as compact JSON, without a tree of values.
struct OrderTextWriter {
    private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: about the length of the text.
    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object; members follow.
    mutating func open() {
        bytes.append(UInt8(ascii: "{"))
    }

    /// Closes an object.
    mutating func close() {
        bytes.append(UInt8(ascii: "}"))
    }

    /// Starts a member; its value follows.
    ///
    /// - Parameter name: plain ASCII that needs no escape.
    mutating func name(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// An address as a string of `0x` and 40 lower-case digits.
    mutating func put(_ name: StaticString, _ address: Address) {
        self.name(name)
        address.word.withUnsafeBytes { put(digitsOf: UnsafeRawBufferPointer(rebasing: $0[12...])) }
    }

    /// A word as a string of `0x` and 64 lower-case digits.
    mutating func put(_ name: StaticString, _ word: Bytes32) {
        self.name(name)
        word.withUnsafeBytes { put(digitsOf: $0) }
    }

    /// A number as a string of decimal digits.
    mutating func put(_ name: StaticString, _ number: UInt256) {
        self.name(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: number.description.utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A JSON number.
    mutating func put(_ name: StaticString, number: UInt64) {
        self.name(name)
        bytes.append(contentsOf: String(number).utf8)
    }

    private mutating func put(digitsOf value: UnsafeRawBufferPointer) {
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: "0"))
        bytes.append(UInt8(ascii: "x"))
        Hex.append(digitsOf: value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }
}
