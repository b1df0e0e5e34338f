import StrictJSON
import Testing

@Suite("Reading JSON text piece by piece")
struct JSONCursorTests {
    private func read<Value>(
        _ text: String,
        _ body: (inout JSONCursor) -> Value?
    ) -> Value? {
        JSONCursor.read(Array(text.utf8), body)
    }

    private func string(_ digits: UnsafeBufferPointer<UInt8>?) -> String? {
        digits.map { String(decoding: $0, as: UTF8.self) }
    }

    private func member(_ cursor: inout JSONCursor) -> String? {
        guard cursor.take("{"), cursor.take(name: "salt"), let text = string(cursor.digitText()),
            cursor.take("}")
        else { return nil }
        return text
    }

    @Test(
        "whitespace is taken wherever JSON allows it",
        arguments: [#"{"salt":"042"}"#, " {\t\"salt\"\r\n: \"042\" } \n"]
    )
    func whitespace(text: String) {
        #expect(read(text, member) == "042")
    }

    @Test(
        "what is not the asked text is not taken",
        arguments: [
            #"{"salt":"42"}x"#, #"{"salt":"42"},"#, #"{"sal":"42"}"#, #"{"salty":"42"}"#,
            #"{"salt""42"}"#, #"{"salt":42}"#, #"{"salt":""}"#, #"{"salt":"4 2"}"#,
            #"{"salt":"-42"}"#, #"{"salt":"42}"#, #"{salt:"42"}"#, #"{"salt":"4\u0032"}"#, "",
        ]
    )
    func other(text: String) {
        #expect(read(text, member) == nil)
    }

    @Test("text that ends anywhere is not taken and does not trap")
    func truncated() {
        let text = Array(#"{ "salt" : "042" }"#.utf8)
        for length in 0..<text.count {
            #expect(JSONCursor.read(Array(text[..<length]), member) == nil)
        }
        let forms: [(inout JSONCursor) -> Bool] = [
            { $0.take(name: "salt") }, { $0.text(length: 4) != nil }, { $0.digits() != nil },
            { $0.digitText() != nil }, { $0.text(length: -1) != nil }, { $0.take("[") },
            { $0.take(string: "salt:") }, { $0.text() != nil && $0.take("[") },
        ]
        for form in forms {
            for length in 0..<6 {
                let short = Array(#""salt":"#.utf8.prefix(length))
                #expect(JSONCursor.read(short) { form(&$0) ? true : nil } == nil)
            }
        }
    }

    @Test("a name that does not match leaves the cursor where it was")
    func staysBeforeOtherName() {
        let found = read(#""maker":"x""#) { cursor -> Bool? in
            guard !cursor.take(name: "make"), !cursor.take(name: "taker"),
                cursor.take(name: "maker")
            else { return nil }
            return cursor.text(length: 1) != nil
        }
        #expect(found == true)
        // Without its colon it is no name.
        #expect(
            read(#""maker""#) { cursor in !cursor.take(name: "maker") && cursor.take("\"") } == nil
        )
    }

    @Test("a text of a known length is taken with its quotation marks only")
    func knownLength() {
        #expect(read(#""0x1f""#) { string($0.text(length: 4)) } == "0x1f")
        #expect(read(#""0x1f""#) { string($0.text(length: 3)) } == nil)
        #expect(read(#""0x1f""#) { string($0.text(length: 5)) } == nil)
        #expect(read("0x1f") { string($0.text(length: 4)) } == nil)
    }

    @Test(
        "whole numbers are taken in JSON's grammar",
        arguments: [
            ("0", "0"), ("7", "7"), (" 10 ", "10"), ("00", nil), ("07", nil), ("-1", nil),
            ("1.0", nil), ("1e3", nil), ("1E3", nil), ("", nil), ("+1", nil),
        ]
    )
    func wholeNumbers(text: String, digits: String?) {
        #expect(read(text) { string($0.digits()) } == digits)
    }

    @Test("a text of any length is taken up to the next quotation mark")
    func anyLength() {
        for length in 0..<40 {
            let content = String(repeating: "a", count: length)
            #expect(read("\"\(content)\"") { string($0.text()) } == content)
            // A byte that differs from a quotation mark in one bit is none.
            #expect(read("\"\(content)#\u{2}b\"") { string($0.text()) } == content + "#\u{2}b")
            #expect(read("\"\(content)") { string($0.text()) } == nil)
            #expect(read("\(content)\"") { string($0.text()) } == nil)
            let two = read(" \"\(content)\", \"x\" ") { cursor -> [String?]? in
                let first = string(cursor.text())
                guard cursor.take(",") else { return nil }
                return [first, string(cursor.text())]
            }
            #expect(two == [content, "x"])
        }
    }

    @Test("a certain text is taken and no other")
    func certainText() {
        func takes(_ text: String) -> Bool {
            read(text) { $0.take(string: "2.0") ? true : nil } == true
        }
        #expect(takes(#""2.0""#))
        #expect(takes(#"  "2.0" "#))
        for text in [#""2.1""#, #""2.0"#, "2.0", #""2.00""#, #""2""#, #""2.0":"#, ""] {
            #expect(!takes(text))
        }
        let other = read(#""2.0""#) { cursor in
            !cursor.take(string: "2.1") && cursor.take(string: "2.0") ? true : nil
        }
        #expect(other == true)
    }
}
