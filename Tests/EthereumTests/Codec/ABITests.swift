import Ethereum
import Testing

/// Words from their last digits, as people write the ABI down.
func words(_ texts: String...) throws -> [UInt8] {
    try texts.flatMap { text in
        try hex(String(repeating: "0", count: 64 - text.count) + text)
    }
}

/// The examples of the specification.
///
/// Source: https://docs.soliditylang.org/en/latest/abi-spec.html#examples
@Suite("Contract ABI: the specification's examples")
struct ABISpecificationTests {
    private func check(
        _ signature: String,
        _ arguments: [ABIValue],
        selector: String,
        data: [UInt8]
    ) throws {
        let function = try ABIFunction(signature)
        #expect(Hex.encode(function.selector) == selector)
        let encoded = try function.encode(arguments)
        #expect(Array(encoded.prefix(4)) == function.selector)
        #expect(Array(encoded.dropFirst(4)) == data)
        #expect(try function.decodeArguments(encoded) == arguments)
    }

    @Test("baz(69, true)")
    func baz() throws {
        try check(
            "baz(uint32,bool)",
            [.uint(69), .bool(true)],
            selector: "0xcdcd77c0",
            data: words("45", "1")
        )
    }

    @Test("bar([abc, def]): a fixed array of fixed bytes")
    func bar() throws {
        let zeros = String(repeating: "0", count: 58)
        try check(
            "bar(bytes3[2])",
            [.array([.fixedBytes(Array("abc".utf8)), .fixedBytes(Array("def".utf8))])],
            selector: "0xfce353f6",
            data: words("616263" + zeros, "646566" + zeros)
        )
    }

    @Test("sam(dave, true, [1, 2, 3])")
    func sam() throws {
        try check(
            "sam(bytes,bool,uint[])",
            [.bytes(Array("dave".utf8)), .bool(true), .array([.uint(1), .uint(2), .uint(3)])],
            selector: "0xa5643bf2",
            data: words(
                "60",
                "1",
                "a0",
                "4",
                "64617665" + String(repeating: "0", count: 56),
                "3",
                "1",
                "2",
                "3"
            )
        )
    }

    @Test("f(0x123, [0x456, 0x789], 1234567890, Hello, world!): dynamic types")
    func dynamicTypes() throws {
        try check(
            "f(uint256,uint32[],bytes10,bytes)",
            [
                .uint(0x123),
                .array([.uint(0x456), .uint(0x789)]),
                .fixedBytes(Array("1234567890".utf8)),
                .bytes(Array("Hello, world!".utf8)),
            ],
            selector: "0x8be65246",
            data: words(
                "123",
                "80",
                "31323334353637383930" + String(repeating: "0", count: 44),
                "e0",
                "2",
                "456",
                "789",
                "d",
                "48656c6c6f2c20776f726c6421" + String(repeating: "0", count: 38)
            )
        )
    }

    @Test("g([[1, 2], [3]], [one, two, three]): arrays of arrays and of texts")
    func nestedArrays() throws {
        try check(
            "g(uint256[][],string[])",
            [
                .array([.array([.uint(1), .uint(2)]), .array([.uint(3)])]),
                .array([.string("one"), .string("two"), .string("three")]),
            ],
            selector: "0x2289b18c",
            data: words(
                "40",
                "140",
                "2",
                "40",
                "a0",
                "2",
                "1",
                "2",
                "1",
                "3",
                "3",
                "60",
                "a0",
                "e0",
                "3",
                "6f6e65" + String(repeating: "0", count: 58),
                "3",
                "74776f" + String(repeating: "0", count: 58),
                "5",
                "7468726565" + String(repeating: "0", count: 54)
            )
        )
    }
}

@Suite("Contract ABI: encoding")
struct ABIEncodingTests {
    @Test("a dynamic array of static arrays, as 0x's batch calls have it, is laid out flat")
    func arrayOfStaticArrays() throws {
        let type = ABIType.array(.fixedArray(.address, 2))
        let one = ABIValue.address(try Address("0x1111111111111111111111111111111111111111"))
        let two = ABIValue.address(try Address("0x2222222222222222222222222222222222222222"))
        let value = ABIValue.array([.array([one, two]), .array([two, one])])
        let ones = String(repeating: "1", count: 40)
        let twos = String(repeating: "2", count: 40)
        let data = try words("20", "2", ones, twos, twos, ones)
        #expect(try ABI.encode([value], as: [type]) == data)
        #expect(try ABI.decode(data, as: [type]) == [value])
    }

    @Test("a static tuple stands in the head, a dynamic one behind an offset")
    func tuples() throws {
        let flat = ABIType.tuple([.uint(8), .bool])
        let loose = ABIType.tuple([.uint(8), .string])
        let values: [ABIValue] = [
            .tuple([.uint(7), .bool(false)]),
            .tuple([.uint(9), .string("")]),
            .uint(5),
        ]
        let data = try words("7", "0", "80", "5", "9", "40", "0")
        #expect(try ABI.encode(values, as: [flat, loose, .uint(256)]) == data)
        #expect(try ABI.decode(data, as: [flat, loose, .uint(256)]) == values)
    }

    @Test("a fixed array of dynamic values counts offsets from its own start")
    func fixedArrayOfTexts() throws {
        let type = ABIType.fixedArray(.string, 2)
        let value = ABIValue.array([.string("a"), .string("")])
        let data = try words(
            "20",
            "40",
            "80",
            "1",
            "61" + String(repeating: "0", count: 62),
            "0"
        )
        #expect(try ABI.encode([value], as: [type]) == data)
        #expect(try ABI.decode(data, as: [type]) == [value])
    }

    @Test("signed numbers are sign-extended and must fit")
    func signed() throws {
        let minusOne = UInt256.max
        #expect(try ABI.encode([.int(minusOne)], as: [.int(8)]) == minusOne.bigEndianBytes)
        let lowest = UInt256.max << 7
        #expect(try ABI.decode(lowest.bigEndianBytes, as: [.int(8)]) == [.int(lowest)])
        #expect(try ABI.decode(words("7f"), as: [.int(8)]) == [.int(127)])
        for outside in [UInt256(128), lowest - 1, UInt256(1) << 255] {
            #expect(throws: ABIError.self) { try ABI.encode([.int(outside)], as: [.int(8)]) }
            #expect(throws: ABIError.badPadding) {
                try ABI.decode(outside.bigEndianBytes, as: [.int(8)])
            }
        }
        #expect(try ABI.encode([.int(1 << 255)], as: [.int(256)]).count == 32)
    }

    @Test(
        "values that do not fit their types are refused",
        arguments: [
            (ABIValue.uint(256), ABIType.uint(8)),
            (.uint(.max), .uint(248)),
            (.uint(1), .bool),
            (.bool(true), .uint(8)),
            (.fixedBytes([1, 2]), .fixedBytes(3)),
            (.fixedBytes([1, 2, 3, 4]), .fixedBytes(3)),
            (.bytes([1]), .string),
            (.string("a"), .bytes),
            (.bytes([1]), .fixedBytes(1)),
            (.array([.uint(1)]), .fixedArray(.uint(8), 2)),
            (.array([.uint(1), .bool(true)]), .array(.uint(8))),
            (.array([.uint(1)]), .tuple([.uint(8)])),
            (.tuple([.uint(1)]), .tuple([.uint(8), .uint(8)])),
            (.tuple([]), .tuple([])),
            (.array([]), .fixedArray(.uint(8), 0)),
            (.array([]), .fixedArray(.uint(8), -1)),
            (.array([]), .fixedArray(.uint(8), .max)),
            (.uint(0), .uint(0)),
            (.uint(0), .uint(7)),
            (.uint(0), .uint(264)),
            (.int(0), .int(-8)),
            (.fixedBytes([]), .fixedBytes(0)),
            (.fixedBytes([UInt8](repeating: 0, count: 33)), .fixedBytes(33)),
        ]
    )
    func mismatches(value: ABIValue, type: ABIType) {
        #expect {
            try ABI.encode([value], as: [type])
        } throws: { error in
            if case ABIError.mismatch? = error as? ABIError { true } else { false }
        }
    }

    @Test("too few or too many values are refused")
    func wrongCount() {
        let expected = ABIError.mismatch("1 values are expected, not 2")
        #expect(throws: expected) { try ABI.encode([.uint(1), .uint(2)], as: [.uint(8)]) }
        #expect(throws: ABIError.self) { try ABI.encode([], as: [.uint(8)]) }
        #expect(throws: Never.self) { try ABI.encode([], as: []) }
    }

    @Test("types nested too deep are refused, both ways")
    func tooDeep() {
        var type = ABIType.uint(256)
        var value = ABIValue.uint(1)
        for _ in 0..<32 {
            type = .array(type)
            value = .array([value])
        }
        #expect(throws: Never.self) {
            let data = try ABI.encode([value], as: [type])
            #expect(try ABI.decode(data, as: [type]) == [value])
        }
        let deeper = ABIType.array(type)
        #expect(throws: ABIError.tooDeep) { try ABI.encode([.array([value])], as: [deeper]) }
        #expect(throws: ABIError.tooDeep) { try ABI.decode(words("20", "0"), as: [deeper]) }
    }
}
