/// Writes values by the contract ABI: a head of static values and offsets, then the dynamic values
/// in the same order.
///
/// `ABIType.headSize` has checked the types.
struct ABIEncoder {
    var output: [UInt8]

    /// Appends values with their head.
    mutating func encode(_ values: [ABIValue], as head: ABIHead) throws(ABIError) {
        guard values.count == head.count else {
            throw .mismatch("\(head.count) values are expected, not \(values.count)")
        }
        let base = output.count
        var offsets: [(value: Int, position: Int)] = []
        for (index, value) in values.enumerated() {
            if head[index].isDynamic {
                offsets.append((index, output.count))
                Bytes32.zero.append(to: &output)
            } else {
                try encode(value, as: head[index])
            }
        }
        for (index, position) in offsets {
            let offset = UInt64(output.count - base)
            withUnsafeBytes(of: offset.bigEndian) { bytes in
                for (place, byte) in bytes.enumerated() { output[position + 24 + place] = byte }
            }
            try encode(values[index], as: head[index])
        }
    }

    /// Appends a value without the offset that leads to a dynamic one.
    private mutating func encode(_ value: ABIValue, as type: ABIType) throws(ABIError) {
        switch (type, value) {
        case (.uint(let bits), .uint(let number)):
            guard number.leadingZeroBitCount >= 256 - bits else { throw Self.mismatch(value, type) }
            number.word.append(to: &output)
        case (.int(let bits), .int(let number)):
            guard number.isSignExtended(from: bits) else { throw Self.mismatch(value, type) }
            number.word.append(to: &output)
        case (.bool, .bool(let flag)):
            UInt256(flag ? 1 : 0).word.append(to: &output)
        case (.address, .address(let address)):
            address.word.append(to: &output)
        case (.fixedBytes(let count), .fixedBytes(let bytes)):
            guard bytes.count == count else { throw Self.mismatch(value, type) }
            output.append(contentsOf: bytes)
            pad(after: count)
        case (.bytes, .bytes(let bytes)):
            append(length: bytes.count)
            output.append(contentsOf: bytes)
            pad(after: bytes.count)
        case (.string, .string(let text)):
            let utf8 = text.utf8
            append(length: utf8.count)
            output.append(contentsOf: utf8)
            pad(after: utf8.count)
        case (.array(let element), .array(let values)):
            append(length: values.count)
            try encode(values, as: .elements(element, values.count))
        case (.fixedArray(let element, let count), .array(let values)):
            try encode(values, as: .elements(element, count))
        case (.tuple(let members), .tuple(let values)):
            try encode(values, as: .members(members))
        default:
            throw Self.mismatch(value, type)
        }
    }

    private mutating func append(length: Int) {
        UInt256(UInt64(length)).word.append(to: &output)
    }

    private mutating func pad(after count: Int) {
        let rest = count % 32
        if rest != 0 { output.append(contentsOf: repeatElement(0, count: 32 - rest)) }
    }

    private static func mismatch(_ value: ABIValue, _ type: ABIType) -> ABIError {
        .mismatch("\(value.kind) is no \(type.name.excerpt)")
    }
}

extension UInt256 {
    /// All bits above the low `bits` equal the sign bit, which is the highest of the low ones.
    func isSignExtended(from bits: Int) -> Bool {
        let isNegative = w3 >> 63 == 1
        return (isNegative ? ~self : self).leadingZeroBitCount >= 257 - bits
    }
}

extension ABIValue {
    /// A noun for messages; it leaves out long values.
    fileprivate var kind: String {
        switch self {
        case .uint(let number): "the number \(number)"
        case .int(let number): "the signed number \(number.quantity)"
        case .bool: "a boolean"
        case .address: "an address"
        case .fixedBytes(let bytes): "a word of \(bytes.count) bytes"
        case .bytes: "a byte string"
        case .string: "a text"
        case .array(let values): "an array of \(values.count)"
        case .tuple(let values): "a tuple of \(values.count)"
        }
    }
}
