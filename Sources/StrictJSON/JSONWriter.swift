extension JSONValue {
    /// The value as compact JSON in UTF-8: no white space, members in order.
    ///
    /// Control characters, `"` and `\` are escaped, and so are U+007F to U+009F, so that a
    /// terminal never reads data as a command.
    public var utf8: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// The value as compact JSON text.
    public var text: String {
        String(decoding: utf8, as: UTF8.self)
    }

    /// Appends the value as compact JSON in UTF-8.
    public func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): Self.write(string: text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(string: member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(string: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = string
        text.withUTF8 { bytes in
            let isPlain = bytes.allSatisfy { byte in
                (0x20..<0x7F).contains(byte) && byte != 0x22 && byte != 0x5C
            }
            if isPlain {
                output.append(contentsOf: bytes)
            } else {
                for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
                    write(scalar: scalar, to: &output)
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func write(scalar: Unicode.Scalar, to output: inout [UInt8]) {
        switch scalar {
        case "\"": output.append(contentsOf: "\\\"".utf8)
        case "\\": output.append(contentsOf: "\\\\".utf8)
        case "\n": output.append(contentsOf: "\\n".utf8)
        case "\r": output.append(contentsOf: "\\r".utf8)
        case "\t": output.append(contentsOf: "\\t".utf8)
        case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
            let hex = String(scalar.value, radix: 16)
            output.append(contentsOf: "\\u".utf8)
            output.append(contentsOf: String(repeating: "0", count: 4 - hex.count).utf8)
            output.append(contentsOf: hex.utf8)
        default: output.append(contentsOf: String(scalar).utf8)
        }
    }
}
