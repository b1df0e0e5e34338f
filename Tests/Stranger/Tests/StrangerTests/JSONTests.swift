import StrictJSON
import Testing

@Suite("StrictJSON")
struct JSONTests {
    @Test("a number keeps its digits, and an object the order of its members")
    func roundTrip() throws {
        let text = #"{"b":11579208923731619542357098500868790785326998466,"a":[1.50,null]}"#
        let value = try JSONParser.parse(text: text)
        #expect(value.text == text)
        #expect(value["a"]?.arrayValue?.first?.numberText == "1.50")
        #expect(value.objectValue?.members.map(\.key) == ["b", "a"])
    }

    @Test(
        "what RFC 8259 leaves open is refused",
        arguments: [#"{"a":1,"a":2}"#, #""\ud800""#, "1 2", "[1,]", "01", "NaN", ""]
    )
    func refused(_ text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text: text) }
    }

    @Test("a text of a known shape is read without making values")
    func cursor() {
        let text = Array(#"{"price": "42"}"#.utf8)
        let digits = JSONCursor.read(text) { cursor -> String? in
            guard cursor.take("{"), cursor.take(name: "price"), let digits = cursor.digitText(),
                cursor.take("}")
            else { return nil }
            return String(decoding: digits, as: UTF8.self)
        }
        #expect(digits == "42")
    }

    @Test("values are written as literals")
    func literals() {
        let value: JSONValue = ["name": "ZRX\n", "decimals": 18, "tags": [true, .null]]
        #expect(value.text == #"{"name":"ZRX\n","decimals":18,"tags":[true,null]}"#)
    }
}
