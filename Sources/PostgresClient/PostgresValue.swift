/// A parameter of a statement, sent in PostgreSQL's binary format.
package enum PostgresValue: Sendable {
    case bytes([UInt8])
    case text(String)
    case integer(Int64)
    case bytesArray([[UInt8]])
    case textArray([String?])
    case integerArray([Int64])
    case booleanArray([Bool])

    /// The type numbers of PostgreSQL's catalogue, unchanged since its first release.
    private enum ElementType: UInt32 {
        case boolean = 16
        case bytes = 17
        case integer = 20
        case text = 25
    }

    func append(to output: inout [UInt8]) {
        switch self {
        case .bytes(let bytes): output += bytes
        case .text(let text): output += Array(text.utf8)
        case .integer(let number): output.append(bigEndian: number)
        case .bytesArray(let elements):
            Self.append(.bytes, elements, to: &output) { $0.append(contentsOf: $1) }
        case .textArray(let elements):
            Self.append(.text, elements, to: &output) { $0.append(contentsOf: $1.utf8) }
        case .integerArray(let elements):
            Self.append(.integer, elements, to: &output) { $0.append(bigEndian: $1) }
        case .booleanArray(let elements):
            Self.append(.boolean, elements, to: &output) { $0.append($1 ? 1 : 0) }
        }
    }

    /// Appends a one-dimensional array: a header, then each element after its length.
    private static func append<Element>(
        _ type: ElementType,
        _ elements: [Element?],
        to output: inout [UInt8],
        _ write: (inout [UInt8], Element) -> Void
    ) {
        output.append(bigEndian: UInt32(elements.isEmpty ? 0 : 1))
        output.append(bigEndian: UInt32(elements.contains { $0 == nil } ? 1 : 0))
        output.append(bigEndian: type.rawValue)
        guard !elements.isEmpty else { return }
        output.append(bigEndian: UInt32(clamping: elements.count))
        output.append(bigEndian: UInt32(1))
        for element in elements {
            guard let element else {
                output.append(bigEndian: UInt32.max)
                continue
            }
            let start = output.count
            output.append(bigEndian: UInt32(0))
            write(&output, element)
            let length = UInt32(clamping: output.count - start - 4)
            withUnsafeBytes(of: length.bigEndian) { bytes in
                output.replaceSubrange(start..<start + 4, with: bytes)
            }
        }
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}

/// A statement with parameters `$1`, `$2`, ...; a connection prepares it at its first use.
package struct PostgresStatement: Sendable {
    package let text: String
    /// The same text has the same name, also in another release of the program.
    let name: String

    package init(_ text: String) {
        self.text = text
        // FNV-1a.
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        name = "dex_" + String(hash, radix: 16)
    }
}
