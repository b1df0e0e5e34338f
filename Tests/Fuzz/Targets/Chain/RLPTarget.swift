@testable import Ethereum

extension FuzzTarget {
    /// RLP: a second reader, written from the Yellow Paper in another way, reads the same; what
    /// was read is written again byte for byte; what is written is read again.
    static let rlp = FuzzTarget("rlp", maximumLength: 2_048, seeds: RLPTarget.seeds) { input in
        let item = try? RLP.decode(input)
        let reference = ReferenceRLP.item(input)
        try requireEqual(item, reference, "two readers of RLP disagree")
        if let item {
            try requireEqual(item.encoded, input, "RLP that was read is not written the same")
        }
        var reader = InputReader(input)
        let made = RLPTarget.value(&reader, depth: 0)
        let bytes = made.encoded
        try requireEqual(try RLP.decode(bytes), made, "RLP that was written is not read the same")
        try requireEqual(ReferenceRLP.item(bytes), made, "the second reader disagrees")
        if let number = made.unsignedInteger {
            try requireEqual(RLP.integer(number), made, "an integer is not in its shortest form")
        }
    }
}

private enum RLPTarget {
    @Sendable
    static func seeds() -> [[UInt8]] {
        var nested = RLP.list([])
        for _ in 0..<63 { nested = .list([nested]) }
        let values: [RLP] = [
            .bytes([]), .bytes([0]), .bytes([0x7F]), .bytes([0x80]),
            .bytes(Array(repeating: 1, count: 55)), .bytes(Array(repeating: 1, count: 56)),
            .bytes(Array(repeating: 2, count: 300)), .list([]), .integer(.max), nested,
            .list([nested]), .list(Array(repeating: .bytes([1, 2, 3]), count: 20)),
            .list([.bytes(Array("cat".utf8)), .list([.bytes([]), .list([])])]),
        ]
        return values.map(\.encoded) + [
            [0xB8, 0x37], [0xB8, 0x00], [0xBF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x81, 0x7F], [0xC1], [0x80, 0x80],
        ]
    }

    /// A value from an input: lists within lists, and strings of all lengths.
    static func value(_ reader: inout InputReader, depth: Int) -> RLP {
        let kind = reader.byte()
        guard kind & 1 == 1, depth < 8, !reader.isAtEnd else {
            return .bytes(reader.bytes(Int(kind >> 1)))
        }
        return .list((0..<Int(kind >> 1 & 7)).map { _ in value(&reader, depth: depth + 1) })
    }
}

/// RLP as appendix B of the Yellow Paper defines it, backwards: a sequence of items is cut at
/// prefixes until nothing is left.
private enum ReferenceRLP {
    /// The one item of a text.
    static func item(_ bytes: [UInt8]) -> RLP? {
        guard let items = items(bytes[...], depth: 0), items.count == 1 else { return nil }
        return items[0]
    }

    private static func items(_ bytes: ArraySlice<UInt8>, depth: Int) -> [RLP]? {
        var rest = bytes
        var items: [RLP] = []
        while let prefix = rest.first {
            // Each kind of prefix as the number of bytes of the length and the least length.
            let isList = prefix >= 0xC0
            let base: UInt8 = isList ? 0xC0 : 0x80
            if prefix < 0x80 {
                items.append(.bytes([prefix]))
                rest = rest.dropFirst()
                continue
            }
            let code = Int(prefix - base)
            let width = max(0, code - 55)
            let digits = rest.dropFirst().prefix(width)
            guard digits.count == width, digits.first != 0 else { return nil }
            let length = width == 0 ? UInt256(UInt64(code)) : UInt256(bigEndian: digits) ?? .max
            guard width == 0 || length >= 56 else { return nil }
            let content = rest.dropFirst(1 + width)
            guard length <= UInt256(UInt64(content.count)) else { return nil }
            let body = content.prefix(Int(length.w0))
            rest = content.dropFirst(body.count)
            if isList {
                guard depth < RLP.maximumDepth, let inner = Self.items(body, depth: depth + 1)
                else { return nil }
                items.append(.list(inner))
            } else {
                guard body.count != 1 || body[body.startIndex] >= 0x80 else { return nil }
                items.append(.bytes(Array(body)))
            }
        }
        return items
    }
}
