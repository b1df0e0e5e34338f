@testable import Ethereum

extension FuzzTarget {
    /// The contract ABI with any types: what is read strictly is written again byte for byte; what
    /// is read with gaps is a value that is written and read again; what is written is read.
    static let abi = FuzzTarget("abi", maximumLength: 4_096, seeds: ABITarget.seeds) { input in
        var reader = InputReader(input)
        let types = (0...reader.number(below: 4)).map { _ in ABITarget.type(&reader, depth: 0) }
        try ABITarget.checkNames(types)
        var values = reader
        try ABITarget.checkWriting(types, &values)
        try ABITarget.checkReading(types, reader.rest())
    }

    /// Contract values as people write them: what a value is written as is read as that value, and
    /// whatever is read can be sent.
    static let abiText = FuzzTarget(
        "abi-text",
        maximumLength: 1_024,
        seeds: ABITarget.texts
    ) { input in
        var reader = InputReader(input)
        let type = ABITarget.type(&reader, depth: 0)
        var made = reader
        let text = String(decoding: reader.rest(), as: UTF8.self)
        guard ABITarget.exist([type]) else { return }
        if let value = try? ABIText.parse(text, as: type) {
            let data = try ABI.encode([value], as: [type])
            try requireEqual(try ABI.decode(data, as: [type]), [value], "what was read is sent")
            try ABITarget.checkText(value, type)
        }
        var room = 60
        if let value = ABITarget.values(of: [type], &made, &room)?.first {
            try ABITarget.checkText(value, type)
        }
    }

    /// A function's signature: its canonical form is read again as the same function.
    static let signature = FuzzTarget(
        "abi-signature",
        maximumLength: 512,
        seeds: ABITarget.signatures
    ) { input in
        let text = String(decoding: input, as: UTF8.self)
        if let signature = try? ABISignature(text) { try ABITarget.check(signature) }
        guard let function = try? ABIFunction(text) else { return }
        let written = function.signature
        for again in [try ABIFunction(written), try ABISignature(written).function] {
            try requireEqual(again.name, function.name, "a function's name")
            try requireEqual(again.inputs, function.inputs, "a function's types")
            try requireEqual(again.selector, function.selector, "a function's selector")
        }
        try requireEqual(
            function.selector,
            Array(Keccak256.hash(function.signature.utf8).bytes.prefix(4)),
            "a selector is the hash of the canonical signature"
        )
        try require(
            function.signature.utf8.count <= 2 * input.count + 64,
            "a canonical signature is far longer than what was written"
        )
    }
}

private enum ABITarget {
    /// Any type, of those that cannot exist too.
    static func type(_ reader: inout InputReader, depth: Int) -> ABIType {
        let kind = reader.byte()
        let isLeaf = depth >= 5 || reader.isAtEnd
        switch isLeaf ? kind % 7 : kind % 10 {
        case 0: return .uint(kind >= 250 ? Int(kind) : 8 * (Int(kind) / 10 % 32 + 1))
        case 1: return .int(8 * (Int(kind) / 10 % 32 + 1))
        case 2: return .bool
        case 3: return .address
        case 4: return .fixedBytes(kind >= 250 ? 0 : Int(kind) / 10 + 1)
        case 5: return .bytes
        case 6: return .string
        case 7: return .array(type(&reader, depth: depth + 1))
        case 8:
            let element = type(&reader, depth: depth + 1)
            return .fixedArray(element, count(reader.byte()))
        default:
            return .tuple((0..<Int(kind / 10 % 4)).map { _ in type(&reader, depth: depth + 1) })
        }
    }

    /// Small lengths, and some that no data fills.
    private static func count(_ byte: UInt8) -> Int {
        switch byte {
        case 255: .max
        case 254: 1 << 40
        case 253: -1
        default: Int(byte % 5)
        }
    }

    static func exist(_ types: [ABIType]) -> Bool {
        (try? ABIType.headSize(of: types)) != nil
    }

    /// Types that exist are read from their names; no name is read as another type.
    static func checkNames(_ types: [ABIType]) throws {
        let text = "f(\(types.map(\.name).joined(separator: ",")))"
        let function = try? ABIFunction(text)
        if let function {
            try requireEqual(function.inputs, types, "types are read from their names")
        }
        let isPlain = !text.contains("[9223372036854775807]") && !text.contains("[1099511627776]")
        if exist(types), isPlain {
            try require(function != nil, "types that exist are not read: \(text)")
        }
    }

    static func checkReading(_ types: [ABIType], _ data: [UInt8]) throws {
        let strict = try? ABI.decode(data, as: types)
        let loose = try? ABI.decode(data, as: types, allowsTrailingBytes: true)
        if let strict {
            try requireEqual(loose, strict, "what is read strictly is read with gaps too")
            try requireEqual(
                try ABI.encode(strict, as: types),
                data,
                "contract data that was read is not written the same"
            )
        }
        guard let loose else { return }
        let bytes = try ABI.encode(loose, as: types)
        try require(bytes.count <= data.count, "data without gaps is longer than with them")
        try requireEqual(try ABI.decode(bytes, as: types), loose, "written data is not read again")
    }

    static func checkWriting(_ types: [ABIType], _ reader: inout InputReader) throws {
        guard exist(types) else {
            try require(
                (try? ABI.encode([], as: types)) == nil && (try? ABI.decode([], as: types)) == nil,
                "types that do not exist are used"
            )
            return
        }
        var room = 200
        guard let values = values(of: types, &reader, &room) else { return }
        let bytes = try ABI.encode(values, as: types)
        try requireEqual(try ABI.decode(bytes, as: types), values, "written data is not read again")
    }

    static func checkText(_ value: ABIValue, _ type: ABIType) throws {
        let text = ABIText.format(value)
        try requireEqual(
            try ABIText.parse(text, as: type),
            value,
            "a value written as \(text) is read otherwise"
        )
    }

    /// Each argument and result has a name or none; its function is one without the names too.
    static func check(_ signature: ABISignature) throws {
        let function = signature.function
        try requireEqual(signature.inputNames.count, function.inputs.count, "names of arguments")
        try requireEqual(signature.outputNames.count, function.outputs.count, "names of results")
        let again = try ABIFunction(function.signature)
        try requireEqual(again.inputs, function.inputs, "the types of a signature with names")
        try requireEqual(again.selector, function.selector, "its selector")
    }

    /// Values of types; nil where they would be too many.
    static func values(
        of types: [ABIType],
        _ reader: inout InputReader,
        _ room: inout Int
    ) -> [ABIValue]? {
        var values: [ABIValue] = []
        for type in types {
            room -= 1
            guard room > 0, let value = value(of: type, &reader, &room) else { return nil }
            values.append(value)
        }
        return values
    }

    private static func value(
        of type: ABIType,
        _ reader: inout InputReader,
        _ room: inout Int
    ) -> ABIValue? {
        switch type {
        case .uint(let bits): return .uint(reader.uint256() >> (256 - bits))
        case .int(let bits):
            let number = reader.uint256() >> (256 - bits)
            let isNegative = number >> (bits - 1) & 1 == 1
            return .int(isNegative && bits < 256 ? number | (UInt256.max << bits) : number)
        case .bool: return .bool(reader.flag())
        case .address: return .address(reader.address())
        case .fixedBytes(let count):
            let bytes = reader.bytes(count)
            return .fixedBytes(bytes + Array(repeating: 0, count: count - bytes.count))
        case .bytes: return .bytes(reader.bytes(Int(reader.byte())))
        case .string: return .string(reader.string())
        case .array(let element):
            let count = reader.number(below: 5)
            return values(of: Array(repeating: element, count: count), &reader, &room)
                .map { .array($0) }
        case .fixedArray(let element, let count):
            guard count <= room else { return nil }
            return values(of: Array(repeating: element, count: count), &reader, &room)
                .map { .array($0) }
        case .tuple(let members):
            return values(of: members, &reader, &room).map { .tuple($0) }
        }
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        // The bytes in front are the types' as `type` reads them.
        let cases: [(types: [UInt8], values: [ABIValue])] = [
            ([0, 0], [.uint(1)]),
            ([0, 3], [.address(Address(truncating: UInt256(7).word))]),
            ([0, 6], [.string("a token")]),
            ([0, 5], [.bytes([1, 2, 3])]),
            ([1, 7, 0, 2], [.array([.uint(1), .uint(2)]), .bool(true)]),
            ([0, 7, 7, 6], [.array([.array([.string("x"), .string("")]), .array([])])]),
            ([0, 8, 6, 2], [.array([.string("a"), .string("b")])]),
            ([0, 29, 6, 0], [.tuple([.string("a"), .uint(3)])]),
            ([0, 7, 29, 5, 3], [.array([.tuple([.bytes([9]), .address(.zero)])])]),
        ]
        return try cases.map { item in
            var reader = InputReader(item.types)
            let count = 1 + reader.number(below: 4)
            let types = (0..<count).map { _ in type(&reader, depth: 0) }
            return item.types + (try ABI.encode(item.values, as: types))
        }
    }

    @Sendable
    static func texts() -> [[UInt8]] {
        // The bytes in front are the type's as `type` reads them.
        let cases: [(type: [UInt8], text: String)] = [
            ([0], "255"), ([0], "0x10"), ([1], "-128"), ([1], "-0x80"), ([2], "true"),
            ([3], SampleOrders.zrx.checksummed), ([4], "0xab"), ([5], "0x0102"), ([6], "a, \"b\""),
            ([7, 0], "[1, 2 ,3]"), ([7, 6], "[ \"a\\\"\\\\\", b ,]"), ([8, 6, 2], "[a,b]"),
            ([29, 6, 0], "(a,3)"), ([7, 29, 5, 3], "[(0x09,\(SampleOrders.weth.lowercaseHex))]"),
            ([9], "()"), ([7, 7, 2], "[[true],[]]"), ([0], "1e3"), ([7, 0], "[1,2"),
        ]
        return cases.map { $0.type + Array($0.text.utf8) }
    }

    @Sendable
    static func signatures() -> [[UInt8]] {
        [
            "transfer(address,uint256)(bool)", "f()", "f()(uint)", "f((uint256,bytes32)[],int8)",
            "f(uint[2][][3])", "f(bytes1,bytes32,bytes,string,bool,address,int)", "f(uint7)",
            "f(bytes33)", "f(uint256[0])", "f(())", "f(uint256[999999999])", "$_a9(uint08)",
            "f(uint256[999999999][999999999][999999999])",
            "f(" + String(repeating: "(", count: 40) + String(repeating: ")", count: 40) + ")",
            "fillOrder(address[5],uint256[6],uint256,bool,uint8,bytes32,bytes32)",
            "function balanceOf(address owner) external view returns (uint256);",
            "f(tuple(address a, uint[] memory b)[2] c, (bool) payable) returns (bytes calldata x)",
        ].map { Array($0.utf8) }
    }
}
