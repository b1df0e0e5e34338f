import DexTestSupport
import Ethereum
import Testing

@Suite("Contract ABI: decoding what others wrote")
struct ABIDecodingTests {
    @Test(
        "scalars outside of their type are refused",
        arguments: [
            (ABIType.bool, "2", ABIError.badBoolean),
            (
                .bool, "8000000000000000000000000000000000000000000000000000000000000001",
                .badBoolean
            ),
            (.uint(8), "100", .badPadding),
            (
                .uint(248), "ff00000000000000000000000000000000000000000000000000000000000000",
                .badPadding
            ),
            (.address, "10000000000000000000000000000000000000000", .badPadding),
            (.fixedBytes(1), "1", .badPadding),
            (.fixedBytes(31), "1", .badPadding),
            (.string, "21", .badOffset),
            (.string, "0", .badOffset),
            (.bytes, "1f", .badOffset),
            (
                .bytes, "8000000000000000000000000000000000000000000000000000000000000020",
                .badOffset
            ),
            (.bytes, "8000000000000020", .badOffset),
            (.bytes, "20", .truncated),
        ]
    )
    func scalars(type: ABIType, word: String, error: ABIError) throws {
        let data = try words(word)
        #expect(throws: error) { try ABI.decode(data, as: [type]) }
    }

    @Test("lengths beyond the data are refused before memory is taken for them")
    func hugeLengths() throws {
        let lengths = [
            "1", "2", "21", "7fffffffffffffff", "ffffffffffffffff", "10000000000000000",
            String(repeating: "f", count: 64),
        ]
        for length in lengths {
            let data = try words("20", length)
            for type in [ABIType.bytes, .string, .array(.uint(8)), .array(.tuple([.bool, .bool]))] {
                #expect(throws: ABIError.badLength) { try ABI.decode(data, as: [type]) }
            }
        }
    }

    @Test("a text must be UTF-8, its padding zero and complete")
    func texts() throws {
        let zeros = String(repeating: "0", count: 62)
        #expect(throws: ABIError.badUTF8) {
            try ABI.decode(words("20", "1", "ff" + zeros), as: [.string])
        }
        #expect(try ABI.decode(words("20", "1", "ff" + zeros), as: [.bytes]) == [.bytes([0xFF])])
        #expect(throws: ABIError.badPadding) {
            try ABI.decode(words("20", "1", "61" + zeros.dropLast() + "1"), as: [.string])
        }
        #expect(throws: ABIError.truncated) {
            try ABI.decode(words("20", "1") + [0x61], as: [.string])
        }
        #expect(
            try ABI.decode(words("20", "3", "e282ac" + zeros.dropLast(4)), as: [.string])
                == [.string("€")]
        )
    }

    @Test("bytes behind the end are refused, or passed over where that is wanted")
    func trailing() throws {
        let data = try words("1", "2")
        #expect(throws: ABIError.trailingBytes) { try ABI.decode(data, as: [.uint(256)]) }
        #expect(
            try ABI.decode(data, as: [.uint(256)], allowsTrailingBytes: true) == [.uint(1)]
        )
        #expect(throws: ABIError.trailingBytes) {
            try ABI.decode(data + [0], as: [.bool, .uint(8)])
        }
        #expect(throws: ABIError.truncated) { try ABI.decode(data, as: [.bool, .uint(8), .bool]) }
        #expect(try ABI.decode([], as: []) == [])
    }

    @Test("two offsets cannot share one value, whether gaps are allowed or not")
    func sharedOffsets() throws {
        let shared = try words("40", "40", "0")
        let types: [ABIType] = [.bytes, .bytes]
        for allowsTrailingBytes in [false, true] {
            #expect(throws: ABIError.badOffset) {
                try ABI.decode(shared, as: types, allowsTrailingBytes: allowsTrailingBytes)
            }
        }
        let swapped = try words("60", "40", "0", "0")
        #expect(throws: ABIError.badOffset) {
            try ABI.decode(swapped, as: types, allowsTrailingBytes: true)
        }
    }

    @Test("a gap before a value is refused, or passed over where that is wanted")
    func gaps() throws {
        let data = try words("40", "7", "0")
        #expect(throws: ABIError.badOffset) { try ABI.decode(data, as: [.bytes]) }
        #expect(
            try ABI.decode(data, as: [.bytes], allowsTrailingBytes: true) == [.bytes([])]
        )
    }

    @Test("arrays whose elements all point to one place cannot blow up")
    func exponentialBlowUp() throws {
        // Level by level ten offsets to the same next level: 10^10 values from 11 x 11 words.
        var type = ABIType.uint(256)
        var data: [UInt8] = try words("20")
        for level in 0..<10 {
            type = .array(type)
            data += try words("a")
            for _ in 0..<10 {
                data += UInt256(level == 9 ? 1 : 320).bigEndianBytes
            }
        }
        for allowsTrailingBytes in [false, true] {
            #expect(throws: ABIError.badOffset) {
                try ABI.decode(data, as: [type], allowsTrailingBytes: allowsTrailingBytes)
            }
        }
    }

    @Test("an array that contains itself is refused")
    func selfReference() throws {
        var type = ABIType.array(.uint(256))
        for _ in 0..<20 { type = .array(type) }
        let data = try words("20", "1", "0")
        #expect(throws: ABIError.badOffset) { try ABI.decode(data, as: [type]) }
    }

    static let samples: [(types: [ABIType], values: [ABIValue])] = [
        ([.uint(8), .bool, .address], [.uint(255), .bool(true), .address(.zero)]),
        (
            [.bytes, .array(.fixedArray(.uint(16), 2)), .string],
            [
                .bytes(Array(0..<40)),
                .array([.array([.uint(1), .uint(2)]), .array([.uint(3), .uint(65535)])]),
                .string("zwölf"),
            ]
        ),
        (
            [.array(.tuple([.fixedBytes(4), .string])), .int(64)],
            [
                .array([
                    .tuple([.fixedBytes([1, 2, 3, 4]), .string("")]),
                    .tuple([.fixedBytes([0, 0, 0, 0]), .string("x")]),
                ]),
                .int(UInt256.max - 41),
            ]
        ),
        (
            [.fixedArray(.array(.bool), 2), .tuple([.bytes, .tuple([.array(.string)])])],
            [
                .array([.array([.bool(false), .bool(true)]), .array([])]),
                .tuple([.bytes([]), .tuple([.array([.string("a"), .string("b")])])]),
            ]
        ),
    ]

    @Test("every truncation of a valid encoding is refused", arguments: samples.indices)
    func truncations(index: Int) throws {
        let (types, values) = Self.samples[index]
        let data = try ABI.encode(values, as: types)
        #expect(try ABI.decode(data, as: types) == values)
        for count in 0..<data.count {
            let prefix = Array(data.prefix(count))
            for allowsTrailingBytes in [false, true] {
                #expect(throws: ABIError.self) {
                    try ABI.decode(prefix, as: types, allowsTrailingBytes: allowsTrailingBytes)
                }
            }
        }
    }

    @Test(
        "every bit flip of a valid encoding is refused or is other values",
        arguments: samples.indices
    )
    func bitFlips(index: Int) throws {
        let (types, values) = Self.samples[index]
        let data = try ABI.encode(values, as: types)
        for position in data.indices {
            for bit in 0..<8 {
                var flipped = data
                flipped[position] ^= 1 << bit
                _ = try? ABI.decode(flipped, as: types, allowsTrailingBytes: true)
                // Strictly decoded, each list of values has one encoding.
                guard let other = try? ABI.decode(flipped, as: types) else { continue }
                #expect(other != values)
                #expect(try ABI.encode(other, as: types) == flipped)
            }
        }
    }

    @Test("random bytes never trap")
    func fuzz() {
        var generator = SeededGenerator(seed: 31)
        for _ in 0..<3000 {
            var data: [UInt8] = []
            for _ in 0..<generator.next() % 24 {
                let small = generator.next() % 3 != 0
                data +=
                    UInt256(small ? generator.next() % 12 * 32 : generator.next()).bigEndianBytes
            }
            for (types, _) in Self.samples {
                guard let values = try? ABI.decode(data, as: types) else { continue }
                #expect((try? ABI.encode(values, as: types)) == data)
            }
        }
    }
}
