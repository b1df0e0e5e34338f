/// Reads JSON text that may be hostile.
///
/// Depth and number of values are bounded, keys are unique, UTF-8 is strict, and nothing traps.
///
/// ```swift
/// let order = try JSONParser.parse(text: #"{"price": 1.50, "sides": ["buy"]}"#)
/// print(order["price"]?.numberText ?? "none")
/// // Prints "1.50"
///
/// do {
///     _ = try JSONParser.parse(text: #"{"price": 1, "price": 2}"#)
/// } catch {
///     print(error)
///     // Prints "This is not valid JSON: an object has a member twice (at byte 24)."
/// }
/// ```
///
/// Source: RFC 8259; what it leaves open is refused here: duplicate keys, lone surrogates, anything
/// after the value.
public struct JSONParser {
    /// The maximum nesting of values; an order book needs 5.
    public static let defaultMaximumDepth = 64
    /// The maximum number of values, since each takes many times the memory of its characters.
    ///
    /// A log has 15, so this is some 60,000 logs.
    public static let defaultMaximumValues = 1_000_000

    let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private let maximumValues: Int
    /// The number of values started so far.
    private var values = 0
    var position = 0
    /// Names of earlier members, by their marks: lists repeat the same few names.
    private var knownKeys: [KnownKey] = []
    /// The marks of the names in the open objects, the innermost last.
    private var marks: [UInt64] = []
    /// The member count of the last object at each depth, used to reserve space.
    private var lengths: [Int]

    /// A name of ASCII characters without escapes.
    private struct KnownKey {
        var mark: UInt64 = 0
        var range = 0..<0
        var text = ""
    }

    /// The mark of a name with other characters or escapes; it identifies nothing.
    private static let noMark: UInt64 = 0
    private static let smallObject = 16

    /// Parses one JSON text from UTF-8 bytes.
    ///
    /// - Throws: `JSONError` with the byte offset at which the text stops being JSON.
    public static func parse(
        _ bytes: some Sequence<UInt8>,
        maximumDepth: Int = defaultMaximumDepth,
        maximumValues: Int = defaultMaximumValues
    ) throws(JSONError) -> JSONValue {
        let attempt = bytes.withContiguousStorageIfAvailable { buffer in
            parse(buffer: buffer, maximumDepth: maximumDepth, maximumValues: maximumValues)
        }
        let result =
            attempt
            ?? Array(bytes).withUnsafeBufferPointer { buffer in
                parse(buffer: buffer, maximumDepth: maximumDepth, maximumValues: maximumValues)
            }
        return try result.get()
    }

    /// Parses one JSON text.
    ///
    /// - Throws: `JSONError` with the UTF-8 offset at which the text stops being JSON.
    public static func parse(
        text: String,
        maximumDepth: Int = defaultMaximumDepth,
        maximumValues: Int = defaultMaximumValues
    ) throws(JSONError) -> JSONValue {
        try parse(text.utf8, maximumDepth: maximumDepth, maximumValues: maximumValues)
    }

    private static func parse(
        buffer: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int,
        maximumValues: Int
    ) -> Result<JSONValue, JSONError> {
        var parser = JSONParser(
            bytes: buffer,
            maximumDepth: maximumDepth,
            maximumValues: maximumValues
        )
        do throws(JSONError) {
            parser.skipWhitespace()
            let value = try parser.value(depth: 0)
            parser.skipWhitespace()
            guard parser.position == buffer.count else {
                throw parser.failure("text after the end of the value")
            }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumValues: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumValues = maximumValues
        lengths = Array(repeating: 0, count: max(0, min(maximumDepth, 64)) + 1)
    }

    func failure(_ problem: String) -> JSONError {
        JSONError(offset: position, problem: problem)
    }

    var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skipWhitespace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else {
            throw failure("values nested deeper than \(maximumDepth)")
        }
        values += 1
        guard values <= maximumValues else { throw failure("more than \(maximumValues) values") }
        switch current {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try literal("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null")
            return .null
        case let byte? where byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte):
            return .number(try number())
        case nil: throw failure("the text ends where a value is expected")
        default: throw failure("no value starts here")
        }
    }

    private mutating func literal(_ word: StaticString) throws(JSONError) {
        let length = word.utf8CodeUnitCount
        guard position + length <= bytes.count else { throw failure("no value starts here") }
        for index in 0..<length where bytes[position + index] != word.utf8Start[index] {
            throw failure("no value starts here")
        }
        position += length
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var elements: [JSONValue] = []
        skipWhitespace()
        if current == UInt8(ascii: "]") {
            position += 1
            return .array(elements)
        }
        while true {
            skipWhitespace()
            elements.append(try value(depth: depth + 1))
            skipWhitespace()
            switch current {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "]"):
                position += 1
                return .array(elements)
            default: throw failure("expected ',' or ']'")
            }
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var members: [JSONObject.Member] = []
        skipWhitespace()
        if current == UInt8(ascii: "}") {
            position += 1
            return .object(JSONObject())
        }
        let firstMark = marks.count
        if lengths.indices.contains(depth) { members.reserveCapacity(lengths[depth]) }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else { throw failure("expected a member's name") }
            let key = try key()
            skipWhitespace()
            guard current == UInt8(ascii: ":") else { throw failure("expected ':'") }
            position += 1
            skipWhitespace()
            members.append(.init(key: key, value: try value(depth: depth + 1)))
            skipWhitespace()
            switch current {
            case UInt8(ascii: ","): position += 1
            case UInt8(ascii: "}"):
                position += 1
                try refuseDuplicates(members, firstMark: firstMark)
                marks.removeSubrange(firstMark...)
                if lengths.indices.contains(depth) {
                    lengths[depth] = min(members.count, Self.smallObject)
                }
                return .object(JSONObject(uniqueMembers: members))
            default: throw failure("expected ',' or '}'")
            }
        }
    }

    /// Small objects are compared pair by pair without allocating, large ones through a set.
    private func refuseDuplicates(
        _ members: [JSONObject.Member],
        firstMark: Int
    ) throws(JSONError) {
        if members.count <= Self.smallObject {
            for index in members.indices.dropFirst() {
                let mark = marks[firstMark + index]
                for earlier in 0..<index {
                    let other = marks[firstMark + earlier]
                    // Different marks mean different names; without marks the names themselves are
                    // compared.
                    if mark != other, mark != Self.noMark, other != Self.noMark { continue }
                    if members[earlier].key == members[index].key {
                        throw failure("an object has a member twice")
                    }
                }
            }
        } else if Set(members.map(\.key)).count != members.count {
            throw failure("an object has a member twice")
        }
    }

    /// A member's name; its mark is appended to `marks`.
    private mutating func key() throws(JSONError) -> String {
        let start = position + 1
        var end = start
        // FNV-1a; equal names have equal marks, but different names may too.
        var mark: UInt64 = 0xcbf2_9ce4_8422_2325
        while end < bytes.count {
            let byte = bytes[end]
            guard (0x20..<0x80).contains(byte), byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            else { break }
            mark = (mark ^ UInt64(byte)) &* 0x100_0000_01b3
            end += 1
        }
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else {
            let text = try string()
            marks.append(Self.noMark)
            return text
        }
        mark |= 1
        marks.append(mark)
        position = end + 1
        let slot = Int(truncatingIfNeeded: mark >> 59)
        if knownKeys.isEmpty { knownKeys = Array(repeating: KnownKey(), count: 32) }
        if knownKeys[slot].mark == mark,
            bytes[knownKeys[slot].range].elementsEqual(bytes[start..<end])
        {
            return knownKeys[slot].text
        }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        knownKeys[slot] = KnownKey(mark: mark, range: start..<end, text: text)
        return text
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        var isASCII = true
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try checkedText(start..<position, isASCII: isASCII)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try escapedString(from: start)
            case 0..<0x20:
                throw failure("a control character in a string")
            default:
                if byte >= 0x80 { isASCII = false }
                position += 1
            }
        }
        throw failure("the text ends inside a string")
    }

    private func checkedText(_ range: Range<Int>, isASCII: Bool) throws(JSONError) -> String {
        if isASCII { return String(decoding: bytes[range], as: UTF8.self) }
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw failure("a string that is not UTF-8")
        }
        return text
    }
}
