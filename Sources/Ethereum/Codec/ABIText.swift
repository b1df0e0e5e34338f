/// Values of contract types in the form that users type.
///
/// | type | text |
/// |---|---|
/// | `uintN`, `intN` | decimal, or hexadecimal after `0x`; `-` for negative numbers |
/// | `bool` | `true`, `false` |
/// | `address` | `0x` and 40 digits; mixed letter case needs a correct checksum |
/// | `bytes`, `bytesN` | hexadecimal after `0x`, two digits a byte, N bytes for `bytesN` |
/// | `string` | unchanged; within brackets `"in quotes"` if it contains any of `,[]()"` |
/// | `T[]`, `T[n]` | `[1,2]` |
/// | `(T,U)` | `(1,true)` |
public enum ABIText {
    /// Parses a value; nothing is rounded, padded or cut.
    ///
    /// Example: `try ABIText.parse("[1,2]", as: .array(.uint(8)))` is
    /// `array([Ethereum.ABIValue.uint(1), Ethereum.ABIValue.uint(2)])`.
    ///
    /// - Throws: `ABITextError`.
    public static func parse(
        _ text: String,
        as type: ABIType
    ) throws(ABITextError) -> ABIValue {
        switch type {
        case .array, .fixedArray, .tuple:
            var reader = ABITextReader(text)
            let value = try reader.value(type)
            guard reader.isAtEnd else { throw .malformed(text, type) }
            return value
        default: return try scalar(text, type)
        }
    }

    /// The text of a value, in the form that `parse` takes.
    ///
    /// Example: `ABIText.format(.tuple([.uint(1), .bool(true)]))` is `(1,true)`.
    public static func format(_ value: ABIValue) -> String {
        if case .string(let text) = value { return text }
        return element(value)
    }

    /// A value within brackets: strings are quoted.
    private static func element(_ value: ABIValue) -> String {
        switch value {
        case .uint(let number): number.description
        case .int(let number): signed(number)
        case .bool(let flag): flag ? "true" : "false"
        case .address(let address): address.checksummed
        case .fixedBytes(let bytes), .bytes(let bytes): Hex.encode(bytes)
        case .string(let text): quoted(text)
        case .array(let values): "[\(values.map(element).joined(separator: ","))]"
        case .tuple(let values): "(\(values.map(element).joined(separator: ",")))"
        }
    }

    /// A number in two's complement as a signed decimal text.
    ///
    /// Example: `ABIText.signed(.max)` is `-1`.
    public static func signed(_ number: UInt256) -> String {
        number.w3 >> 63 == 1 ? "-\(UInt256.zero &- number)" : number.description
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }

    static func scalar(_ text: String, _ type: ABIType) throws(ABITextError) -> ABIValue {
        switch type {
        case .uint(let bits):
            let number = try number(text, type)
            guard number.leadingZeroBitCount >= 256 - bits else { throw .outOfRange(text, type) }
            return .uint(number)
        case .int(let bits):
            let isNegative = text.hasPrefix("-")
            let size = try number(isNegative ? String(text.dropFirst()) : text, type)
            let limit = UInt256(1) << (bits - 1)
            guard isNegative ? size <= limit : size < limit else { throw .outOfRange(text, type) }
            return .int(isNegative ? .zero &- size : size)
        case .bool:
            guard text == "true" || text == "false" else { throw .malformed(text, type) }
            return .bool(text == "true")
        case .address:
            do {
                return .address(try Address(text))
            } catch {
                throw .address(error)
            }
        case .fixedBytes(let count):
            let bytes = try bytes(text, type)
            guard bytes.count == count else { throw .wrongLength(text, type, bytes.count) }
            return .fixedBytes(bytes)
        case .bytes: return .bytes(try bytes(text, type))
        case .string: return .string(text)
        case .array, .fixedArray, .tuple: throw .malformed(text, type)
        }
    }

    private static func number(_ text: String, _ type: ABIType) throws(ABITextError) -> UInt256 {
        let isHex = text.lowercased().hasPrefix("0x")
        if let number = isHex ? UInt256(quantity: text) : UInt256(decimal: text) { return number }
        let digits = text.utf8.dropFirst(isHex ? 2 : 0)
        let isNumber =
            !digits.isEmpty
            && digits.allSatisfy {
                isHex ? Hex.value(ofDigit: $0) != nil : (0x30...0x39).contains($0)
            }
        throw isNumber ? .outOfRange(text, type) : .malformed(text, type)
    }

    private static func bytes(_ text: String, _ type: ABIType) throws(ABITextError) -> [UInt8] {
        guard let bytes = Hex.bytes(text) else { throw .malformed(text, type) }
        return bytes
    }
}

/// Reads arrays and tuples in brackets from left to right, no deeper than their type.
struct ABITextReader {
    private let text: String
    private let characters: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = text
        characters = Array(text.utf8)
        skipSpaces()
    }

    var isAtEnd: Bool {
        position == characters.count
    }

    /// The value at the cursor, and the spaces after it.
    mutating func value(_ type: ABIType) throws(ABITextError) -> ABIValue {
        switch type {
        case .array(let element):
            return .array(try elements(element, type))
        case .fixedArray(let element, let count):
            let values = try elements(element, type)
            guard values.count == count else { throw .wrongCount(type, values.count) }
            return .array(values)
        case .tuple(let members):
            return .tuple(try tuple(members, type))
        case .string where next == UInt8(ascii: "\""):
            return .string(try quoted(type))
        default:
            return try ABIText.scalar(word(), type)
        }
    }

    private mutating func elements(
        _ element: ABIType,
        _ type: ABIType
    ) throws(ABITextError) -> [ABIValue] {
        guard skip(UInt8(ascii: "[")) else { throw .malformed(text, type) }
        var values: [ABIValue] = []
        if skip(UInt8(ascii: "]")) { return values }
        repeat {
            values.append(try value(element))
        } while skip(UInt8(ascii: ","))
        guard skip(UInt8(ascii: "]")) else { throw .malformed(text, type) }
        return values
    }

    private mutating func tuple(
        _ members: [ABIType],
        _ type: ABIType
    ) throws(ABITextError) -> [ABIValue] {
        guard skip(UInt8(ascii: "(")) else { throw .malformed(text, type) }
        var values: [ABIValue] = []
        for (index, member) in members.enumerated() {
            guard index == 0 || skip(UInt8(ascii: ",")) else {
                throw .wrongCount(type, values.count)
            }
            values.append(try value(member))
        }
        guard skip(UInt8(ascii: ")")) else { throw .malformed(text, type) }
        return values
    }

    /// A quoted text; `\` escapes a quote or itself.
    private mutating func quoted(_ type: ABIType) throws(ABITextError) -> String {
        var content: [UInt8] = []
        position += 1
        while let character = next, character != UInt8(ascii: "\"") {
            position += 1
            guard character == UInt8(ascii: "\\") else {
                content.append(character)
                continue
            }
            guard let escaped = next,
                escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\")
            else { throw .malformed(text, type) }
            content.append(escaped)
            position += 1
        }
        guard skip(UInt8(ascii: "\"")) else { throw .malformed(text, type) }
        return String(decoding: content, as: UTF8.self)
    }

    /// Everything up to the next comma or bracket, without the spaces around it.
    private mutating func word() -> String {
        let start = position
        while let character = next, !",[]()\"".utf8.contains(character) { position += 1 }
        var end = position
        while end > start, characters[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return String(decoding: characters[start..<end], as: UTF8.self)
    }

    private var next: UInt8? {
        position < characters.count ? characters[position] : nil
    }

    /// Takes a character and the spaces after it; false if another one is next.
    private mutating func skip(_ character: UInt8) -> Bool {
        guard next == character else { return false }
        position += 1
        skipSpaces()
        return true
    }

    private mutating func skipSpaces() {
        while next == UInt8(ascii: " ") { position += 1 }
    }
}

/// The reason why a text is not a value of a contract type.
public enum ABITextError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformed(String, ABIType)
    /// A number that the type cannot hold.
    case outOfRange(String, ABIType)
    /// A different number of bytes than the type has.
    case wrongLength(String, ABIType, Int)
    /// A different number of elements or members than the type has.
    case wrongCount(ABIType, Int)
    case address(AddressError)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .malformed(let text, let type):
            "\(text.quotedExcerpt) is not \(type.example)."
        case .outOfRange(let text, let type):
            "\(text.excerpt) does not fit \(type.name): \(type.range) is possible."
        case .wrongLength(let text, let type, let count):
            "\(text.excerpt) has \(count) \(count == 1 ? "byte" : "bytes"), and \(type.name) has "
                + "exactly \(type.name.drop { !$0.isNumber })."
        case .wrongCount(let type, let count):
            "\(type.name.excerpt) does not have \(count) \(count == 1 ? "value" : "values")."
        case .address(let error): error.description
        }
    }
}

extension ABIType {
    /// An example of the type's text, for messages.
    fileprivate var example: String {
        switch self {
        case .uint: "a \(name): digits are expected, or 0x and hexadecimal ones"
        case .int: "an \(name): digits are expected, with - before a negative number"
        case .bool: "a bool: true or false is expected"
        case .address: "an address: 0x and 40 hexadecimal digits are expected"
        case .fixedBytes, .bytes:
            "\(name): 0x and two hexadecimal digits for each byte are expected"
        case .string: "a string: the quote at its end is missing, or a \\ stands alone"
        case .array, .fixedArray: "\(name.excerpt): values in [] are expected, such as [1,2]"
        case .tuple: "\(name.excerpt): its values in () are expected, such as (1,2)"
        }
    }

    /// The range of the type's numbers, for messages.
    fileprivate var range: String {
        switch self {
        case .uint(let bits): "0 to 2^\(bits) - 1"
        case .int(let bits): "-2^\(bits - 1) to 2^\(bits - 1) - 1"
        default: name
        }
    }
}
