import StrictJSON

extension FuzzTarget {
    /// JSON: a second reader, over Unicode scalars, takes the same texts and reads the same; what
    /// was read is written plainly and read again.
    static let json = FuzzTarget("json", maximumLength: 2_048, seeds: JSONTarget.seeds) { input in
        for depth in [64, 3] {
            let value = try? JSONParser.parse(input, maximumDepth: depth)
            var reference = ReferenceJSON(input, maximumDepth: depth)
            let expected = reference.read()
            try requireSame(value, expected, "two readers of JSON disagree")
            guard let value else { continue }
            let bytes = value.utf8
            try requirePlainJSON(bytes)
            let again = try JSONParser.parse(bytes, maximumDepth: depth)
            try requireSame(again, value, "JSON that was written is not read the same")
            try requireEqual(again.utf8, bytes, "JSON that is written twice")
            // The other entries of the parser.
            let scattered = try JSONParser.parse(AnySequence(input), maximumDepth: depth)
            try requireSame(scattered, value, "JSON from a sequence")
        }
        if let error = JSONTarget.error(input) {
            try require((0...input.count).contains(error.offset), "an error outside the text")
        }
    }
}

/// Two values with the same text: Swift holds strings for equal that only look the same.
func requireSame(
    _ left: JSONValue?,
    _ right: JSONValue?,
    _ property: @autoclosure () -> String
) throws {
    guard left == right, left?.utf8 == right?.utf8 else {
        throw Violation(
            "\(property()):\n  \(left?.text ?? "refused")\n  \(right?.text ?? "refused")"
        )
    }
}

private enum JSONTarget {
    static func error(_ input: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONParser.parse(input)
            return nil
        } catch {
            return error
        }
    }

    @Sendable
    static func seeds() -> [[UInt8]] {
        let many = (0..<20).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        return [
            "null", " true ", "false", "0", "-0", "-1.50e+3", "1E-9", "01", "1.", "+1", "\"\"",
            #""\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00""#, #""\ud83d""#, #""\u12""#, "\"é日😀\"",
            "[]", "{}", "[1,[2,[3]],{\"a\":{}}]", #"{"a":1,"b":[true,null],"c":"x"}"#,
            #"{"a":1,"a":2}"#, #"{"\u0061":1,"a":2}"#, "{\"é\":1,\"e\u{301}\":2}", "{\(many)}",
            "{\(many),\"k3\":1}", "[1,]", "{\"a\":}", "\u{FEFF}1", "[\"\u{7F}\u{80}\"]",
            String(repeating: "[", count: 70) + String(repeating: "]", count: 70),
            String(repeating: "[", count: 65) + String(repeating: "]", count: 65),
            String(repeating: "{\"a\":", count: 64) + "1" + String(repeating: "}", count: 64),
            #"[{"id":1,"x":"y"},{"id":2,"x":"y"},{"id":3,"z":[]}]"#,
        ].map { Array($0.utf8) } + [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], []]
    }
}

/// JSON by RFC 8259 over the scalars of the whole text, with what StrictJSON refuses beyond it:
/// depth, members twice, halves of surrogate pairs.
private struct ReferenceJSON {
    private var scalars: Substring.UnicodeScalarView
    private let isUTF8: Bool
    private let maximumDepth: Int

    init(_ bytes: [UInt8], maximumDepth: Int) {
        let text = String(validating: bytes, as: UTF8.self)
        isUTF8 = text != nil
        scalars = Substring(text ?? "").unicodeScalars
        self.maximumDepth = maximumDepth
    }

    mutating func read() -> JSONValue? {
        guard isUTF8, let value = value(0) else { return nil }
        space()
        return scalars.isEmpty ? value : nil
    }

    private mutating func space() {
        while let first = scalars.first, " \n\r\t".unicodeScalars.contains(first) {
            scalars.removeFirst()
        }
    }

    private mutating func take(_ text: String) -> Bool {
        guard scalars.starts(with: text.unicodeScalars) else { return false }
        scalars.removeFirst(text.unicodeScalars.count)
        return true
    }

    private mutating func value(_ depth: Int) -> JSONValue? {
        space()
        guard depth <= maximumDepth else { return nil }
        if take("null") { return .null }
        if take("true") { return true }
        if take("false") { return false }
        if take("[") { return array(depth) }
        if take("{") { return object(depth) }
        if take("\"") { return string().map { .string($0) } }
        return number()
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
        space()
        if take("]") { return [] }
        var elements: [JSONValue] = []
        while true {
            guard let element = value(depth + 1) else { return nil }
            elements.append(element)
            space()
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
        var object = JSONObject()
        space()
        if take("}") { return .object(object) }
        while true {
            space()
            guard take("\""), let key = string(), object[key] == nil else { return nil }
            space()
            guard take(":"), let member = value(depth + 1) else { return nil }
            object[key] = member
            space()
            if take("}") { return .object(object) }
            guard take(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        var units: [UInt16] = []
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"":
                // Strict: a half of a pair is no text.
                return String(validating: units, as: UTF16.self)
            case "\\":
                guard let escape = scalars.popFirst() else { return nil }
                switch escape {
                case "\"", "\\", "/": units.append(UInt16(escape.value))
                case "b": units.append(8)
                case "f": units.append(12)
                case "n": units.append(10)
                case "r": units.append(13)
                case "t": units.append(9)
                case "u":
                    let digits = String(String.UnicodeScalarView(scalars.prefix(4)))
                    guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit),
                        let unit = UInt16(digits, radix: 16)
                    else { return nil }
                    scalars.removeFirst(4)
                    // A pair is two escapes, not an escape and a character.
                    if (0xDC00...0xDFFF).contains(unit) { return nil }
                    if (0xD800...0xDBFF).contains(unit) {
                        let next = String(String.UnicodeScalarView(scalars.prefix(6)))
                        guard next.utf8.count == 6, next.hasPrefix("\\u"),
                            next.dropFirst(2).allSatisfy(\.isHexDigit),
                            let low = UInt16(next.dropFirst(2), radix: 16),
                            (0xDC00...0xDFFF).contains(low)
                        else { return nil }
                        scalars.removeFirst(6)
                        units += [unit, low]
                    } else {
                        units.append(unit)
                    }
                default: return nil
                }
            case "\u{0}"..."\u{1F}": return nil
            default: units.append(contentsOf: String(scalar).utf16)
            }
        }
        return nil
    }

    private mutating func digits() -> String {
        var text = ""
        while let digit = scalars.first, ("0"..."9").contains(digit) {
            text.unicodeScalars.append(digit)
            scalars.removeFirst()
        }
        return text
    }

    private mutating func number() -> JSONValue? {
        var text = take("-") ? "-" : ""
        let whole = digits()
        guard !whole.isEmpty, whole == "0" || !whole.hasPrefix("0") else { return nil }
        text += whole
        if take(".") {
            let fraction = digits()
            guard !fraction.isEmpty else { return nil }
            text += "." + fraction
        }
        if let mark = scalars.first, mark == "e" || mark == "E" {
            scalars.removeFirst()
            text.unicodeScalars.append(mark)
            if take("+") { text += "+" } else if take("-") { text += "-" }
            let exponent = digits()
            guard !exponent.isEmpty else { return nil }
            text += exponent
        }
        return .number(text)
    }
}
