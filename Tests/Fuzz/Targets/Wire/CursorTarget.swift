import StrictJSON

extension FuzzTarget {
    /// The JSON cursor: whatever it reads of a text, by any shape, `JSONParser` reads the same;
    /// and a text written by the shape is read.
    static let cursor = FuzzTarget(
        "json-cursor",
        maximumLength: 1_024,
        seeds: CursorTarget.seeds
    ) { input in
        var reader = InputReader(input)
        let shape = CursorShape(&reader, depth: 0)
        var rest = reader
        let text = reader.rest()
        if let value = JSONCursor.read(text, { shape.read(&$0) }) {
            try requireSame(
                try? JSONParser.parse(text),
                value,
                "the cursor and the parser disagree"
            )
        }
        var written: [UInt8] = []
        let expected = shape.write(&rest, to: &written)
        let value = JSONCursor.read(written) { shape.read(&$0) }
        try requireSame(value, expected, "what was written by a shape is not read by it")
        try requireSame(try? JSONParser.parse(written), expected, "the parser reads it otherwise")
    }
}

/// A shape that a JSON text can have, and a reader of it on the cursor.
private indirect enum CursorShape {
    case digits
    case digitText
    case text(length: Int)
    /// Any number of elements.
    case list(CursorShape)
    case object([(name: StaticString, value: CursorShape)])

    private static let names: [StaticString] = ["a", "maker", "records", "r", ""]

    init(_ reader: inout InputReader, depth: Int) {
        let kind = reader.byte()
        switch depth >= 4 ? kind % 3 : kind % 5 {
        case 0: self = .digits
        case 1: self = .digitText
        case 2: self = .text(length: Int(kind / 5) % 12)
        case 3: self = .list(CursorShape(&reader, depth: depth + 1))
        default:
            let count = Int(kind / 5) % (Self.names.count + 1)
            self = .object(
                Self.names.prefix(count).map { ($0, CursorShape(&reader, depth: depth + 1)) }
            )
        }
    }

    func read(_ cursor: inout JSONCursor) -> JSONValue? {
        switch self {
        case .digits: return cursor.digits().map { .number(String(decoding: $0, as: UTF8.self)) }
        case .digitText:
            return cursor.digitText().map { .string(String(decoding: $0, as: UTF8.self)) }
        case .text(let length):
            // What the documentation wants of a caller.
            guard let text = cursor.text(length: length),
                text.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C })
            else { return nil }
            return .string(String(decoding: text, as: UTF8.self))
        case .list(let element):
            guard cursor.take("[") else { return nil }
            if cursor.take("]") { return [] }
            var elements: [JSONValue] = []
            repeat {
                guard let value = element.read(&cursor) else { return nil }
                elements.append(value)
            } while cursor.take(",")
            return cursor.take("]") ? .array(elements) : nil
        case .object(let members):
            guard cursor.take("{") else { return nil }
            var object = JSONObject()
            for (index, member) in members.enumerated() {
                guard index == 0 || cursor.take(","), cursor.take(name: member.name),
                    let value = member.value.read(&cursor)
                else { return nil }
                object[String(describing: member.name)] = value
            }
            return cursor.take("}") ? .object(object) : nil
        }
    }

    /// Writes a value of this shape with any white space between its parts.
    func write(_ reader: inout InputReader, to output: inout [UInt8]) -> JSONValue {
        func space(_ reader: inout InputReader) {
            let byte = reader.byte()
            output += Array(" \n\r\t".utf8).prefix(byte > 128 ? Int(byte & 3) + 1 : 0)
        }
        space(&reader)
        defer { space(&reader) }
        switch self {
        case .digits:
            let digits = String(reader.uint64())
            output += Array(digits.utf8)
            return .number(digits)
        case .digitText:
            let digits = String(repeating: "0", count: Int(reader.byte() % 4)) + "\(reader.byte())"
            output += Array("\"\(digits)\"".utf8)
            return .string(digits)
        case .text(let length):
            let text = String(
                decoding: (0..<length).map { _ in UInt8(ascii: "a") + reader.byte() % 26 },
                as: UTF8.self
            )
            output += Array("\"\(text)\"".utf8)
            return .string(text)
        case .list(let element):
            output.append(UInt8(ascii: "["))
            var elements: [JSONValue] = []
            for index in 0..<reader.number(below: 4) {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                elements.append(element.write(&reader, to: &output))
            }
            output.append(UInt8(ascii: "]"))
            return .array(elements)
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            var object = JSONObject()
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                space(&reader)
                let name = String(describing: member.name)
                output += Array("\"\(name)\"".utf8)
                space(&reader)
                output.append(UInt8(ascii: ":"))
                object[name] = member.value.write(&reader, to: &output)
            }
            output.append(UInt8(ascii: "}"))
            return .object(object)
        }
    }
}

private enum CursorTarget {
    @Sendable
    static func seeds() -> [[UInt8]] {
        // The shape's bytes as `CursorShape` reads them, then a text of that shape.
        let cases: [([UInt8], String)] = [
            ([0], "12"), ([0], "0"), ([0], "1.5"), ([1], "\"0012\""), ([27], "\"abcde\""),
            ([3, 0], "[1, 2 ,3]"), ([3, 1], "[]"), ([9, 0], "{\"a\":1}"),
            ([14, 0, 1], "{ \"a\" : 1 , \"maker\" : \"2\" }"),
            ([3, 14, 12, 3, 0], "[{\"a\":\"xy\",\"maker\":[7]},{\"a\":\"zz\",\"maker\":[]}]"),
            ([4], "{}"),
            ([29, 0, 0, 0, 0, 0], "{\"a\":1,\"maker\":2,\"records\":3,\"r\":4,\"\":5}"),
        ]
        return cases.map { $0.0 + Array($0.1.utf8) }
    }
}
