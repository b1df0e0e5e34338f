import StrictJSON
import Testing

@Suite("Strings in JSON")
struct JSONStringTests {
    @Test("escapes of every kind")
    func escapes() throws {
        let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00\u0000""#
        #expect(
            try JSONParser.parse(text: text)
                == .string("\"\\/\u{8}\u{C}\n\r\tAé€😀\u{0}")
        )
    }

    @Test(
        "unknown and cut escapes are refused",
        arguments: [
            #""\a""#, #""\x41""#, #""\'""#, #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#,
            #""\u123g""#, #""\u 123""#, #""\u+123""#, #""\U0041""#, #""\"#, #""\""#, #""\u00"#,
        ]
    )
    func unknownEscapes(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text: text) }
    }

    @Test(
        "half a surrogate pair is refused",
        arguments: [
            #""\ud83d""#, #""\ude00""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\ud83d""#,
            #""\ude00\ud83d""#, #""\ud83d\u0041""#, #""\ud83d\u""#, #""\udbff""#, #""\udfff""#,
        ]
    )
    func surrogates(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text: text) }
    }

    @Test("every control character must be escaped", arguments: UInt8(0)..<0x20)
    func controlCharacters(byte: UInt8) throws {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.self) { try JSONParser.parse([quote, byte, quote]) }
        #expect(throws: JSONError.self) {
            try JSONParser.parse([quote, UInt8(ascii: "\\"), UInt8(ascii: "n"), byte, quote])
        }
        let escaped = #""\u00\#(byte < 16 ? "0" : "")\#(String(byte, radix: 16))""#
        let value = JSONValue.string(String(Unicode.Scalar(byte)))
        #expect(try JSONParser.parse(text: escaped) == value)
        #expect(try JSONParser.parse(value.utf8) == value)
    }

    @Test(
        "what is not UTF-8 is refused, in plain and in escaped strings",
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xE2, 0x82], [0xE0, 0x80, 0xAF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF0, 0x80, 0x80, 0xAF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE], [0xC3, 0x28],
        ] as [[UInt8]]
    )
    func invalidUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.self) { try JSONParser.parse([quote] + bytes + [quote]) }
        #expect(throws: JSONError.self) {
            try JSONParser.parse(Array("\"\\n".utf8) + bytes + [quote])
        }
        #expect(throws: JSONError.self) {
            try JSONParser.parse(Array("{\"".utf8) + bytes + Array("\":1}".utf8))
        }
        #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
    }

    @Test("what is written is plain for a terminal and reads back as it was")
    func roundTrip() throws {
        var hostile = ""
        for scalar in (0x00...0xFF).compactMap({ Unicode.Scalar($0 as UInt32) }) {
            hostile.unicodeScalars.append(scalar)
        }
        hostile += "\u{1B}[31m ü € 😀 \u{202E} \u{2028} \u{FFFF} \u{10FFFF}"
        let value: JSONValue = [
            "text": .string(hostile), "nested": [[[["deep"]]]], "none": .null,
            "number": .number("-1.50e3"), "list": [true, false, 0], "empty": [:],
        ]
        let written = value.utf8
        #expect(try JSONParser.parse(written) == value)
        let scalars = String(decoding: written, as: UTF8.self).unicodeScalars
        #expect(scalars.allSatisfy { !($0.value < 0x20 || (0x7F...0x9F).contains($0.value)) })
        #expect(value.text == String(decoding: written, as: UTF8.self))
    }

    @Test("values are written compactly, members in their order")
    func compact() {
        let value: JSONValue = ["b": [1, "x\"\\\n\t\r", .null], "a": ["n": .integer(-5)]]
        #expect(value.text == #"{"b":[1,"x\"\\\n\t\r",null],"a":{"n":-5}}"#)
        #expect(JSONValue.string("\u{1B}\u{7F}\u{9B}").text == #""\u001b\u007f\u009b""#)
        #expect(JSONValue.array([]).text == "[]")
        #expect(JSONValue.object(JSONObject()).text == "{}")
    }
}
