import StrictJSON
import Testing

@Suite("Parsing JSON")
struct JSONParserTests {
    @Test("values of every kind, with their literal texts and order kept")
    func values() throws {
        let json = try JSONParser.parse(
            text: """
                 {"b": [1, -0.50e+3, "x", true, false, null, [], {}], "a": {"n": 12345678901234567890123}}\t

                """
        )
        #expect(json.objectValue?.members.map(\.key) == ["b", "a"])
        #expect(
            json["b"]
                == .array([
                    .number("1"), .number("-0.50e+3"), "x", true, false, .null, .array([]),
                    .object(JSONObject()),
                ])
        )
        #expect(json["a"]?["n"]?.numberText == "12345678901234567890123")
        #expect(json["c"] == nil)
        #expect(json["b"]?["a"] == nil)
    }

    @Test(
        "numbers by the grammar of RFC 8259",
        arguments: [
            "0", "-0", "1", "-1", "10", "0.0", "0.10", "1.5", "1e5", "1E5", "1e+5", "1e-5",
            "-1.25E+10", "1e999999", String(repeating: "9", count: 100_000),
        ]
    )
    func numbers(text: String) throws {
        #expect(try JSONParser.parse(text: text) == .number(text))
    }

    @Test(
        "what is no number by that grammar is refused",
        arguments: [
            "01", "-01", "00", "+1", ".5", "5.", "1.e5", "1e", "1e+", "-", "--1", "1.2.3", "0x10",
            "1_000", "1,000", "NaN", "Infinity", "-Infinity", "١", "1f", "1 2",
        ]
    )
    func notNumbers(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text: text) }
        #expect(throws: JSONError.self) { try JSONParser.parse(text: "[\(text)]") }
    }

    @Test(
        "malformed text is refused",
        arguments: [
            "", " ", "\n", "tru", "truE", "nul", "nulll", "[", "]", "{", "}", "[1", "[1,", "[1,]",
            "[,1]", "[1 2]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}",
            "{'a':1}", "{\"a\" 1}", "{1:2}", "{\"a\":1 \"b\":2}", "[1]]", "{}{}", "1 true",
            "\"", "\"a", "'a'", "/* */1", "//\n1", "\u{FEFF}1", "\u{A0}1", "[1]x", "undefined",
        ]
    )
    func malformed(text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(text: text) }
    }

    @Test("10,000 levels are refused without a crash, open or closed")
    func depth() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let opened = String(repeating: open, count: 10_000)
            let closed = opened + "1" + String(repeating: close, count: 10_000)
            for text in [opened, closed] {
                let error = #expect(throws: JSONError.self) { try JSONParser.parse(text: text) }
                #expect(error?.problem == "values nested deeper than 64")
            }
        }
    }

    @Test("the deepest level that is allowed is read, one more is refused")
    func deepestLevel() throws {
        let nested = { (levels: Int) in
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        _ = try JSONParser.parse(text: nested(65))
        #expect(throws: JSONError.self) { try JSONParser.parse(text: nested(66)) }
        _ = try JSONParser.parse(text: nested(3), maximumDepth: 2)
        #expect(throws: JSONError.self) { try JSONParser.parse(text: nested(4), maximumDepth: 2) }
    }

    @Test("texts with more values than allowed are refused, whatever the values are")
    func maximumValues() throws {
        for text in ["[{},{},{}]", #"{"a":[],"b":[0]}"#, "[[[[]]]]", #"["",true,null]"#] {
            _ = try JSONParser.parse(text: text, maximumValues: 4)
            let error = #expect(throws: JSONError.self) {
                try JSONParser.parse(text: text, maximumValues: 3)
            }
            #expect(error?.problem == "more than 3 values")
        }
        // Two bytes each, or three: little text would be much memory.
        let many = "[" + String(repeating: "{},", count: 1_000_000) + "0]"
        #expect(throws: JSONError.self) { try JSONParser.parse(text: many) }
    }

    @Test("a member twice is refused, in small objects and in large, also when it is escaped")
    func duplicates() throws {
        #expect(throws: JSONError.self) { try JSONParser.parse(text: #"{"a":1,"b":2,"a":3}"#) }
        #expect(throws: JSONError.self) { try JSONParser.parse(text: #"{"a":1,"\u0061":3}"#) }
        #expect(throws: JSONError.self) { try JSONParser.parse(text: #"[{"x":{"":1,"":2}}]"#) }
        let members = (0..<100).map { "\"k\($0)\":\($0)" }
        let object = try JSONParser.parse(text: "{" + members.joined(separator: ",") + "}")
        #expect(object.objectValue?.members.count == 100)
        #expect(object["k99"] == 99)
        let twice = (members + ["\"k50\":1"]).joined(separator: ",")
        #expect(throws: JSONError.self) { try JSONParser.parse(text: "{" + twice + "}") }
    }

    @Test("names that Unicode holds for the same are one member, whatever their bytes")
    func equivalentNames() throws {
        for pair in [("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), ("\u{212A}", "K")] {
            #expect(throws: JSONError.self) {
                try JSONParser.parse(text: "{\"\(pair.0)\":1,\"\(pair.1)\":2}")
            }
        }
    }

    @Test("names that repeat from object to object are read right, also among many others")
    func repeatedNames() throws {
        let objects = (0..<200).map { index in
            "{\"name\":\(index),\"\\u0061\":{\"name\":true,\"of \(index)\":[]},\"longer than that\":0}"
        }
        let list = try JSONParser.parse(text: "[" + objects.joined(separator: ",") + "]")
        let values = try #require(list.arrayValue)
        for (index, value) in values.enumerated() {
            let keys = value.objectValue?.members.map(\.key)
            #expect(keys == ["name", "a", "longer than that"])
            #expect(value["name"] == .integer(index))
            #expect(value["a"]?.objectValue?.members.map(\.key) == ["name", "of \(index)"])
        }
        for twice in [#"{"name":1,"a":{"name":1},"name":2}"#, #"{"a":{"b":1,"c":2,"b":3}}"#] {
            #expect(throws: JSONError.self) {
                try JSONParser.parse(text: "[\(objects[0]),\(twice)]")
            }
        }
    }

    @Test("10,000 members are read in reasonable time, and a duplicate among them is found")
    func manyMembers() throws {
        let members = (0..<10_000).map { "\"key number \($0)\":0" }.joined(separator: ",")
        let object = try JSONParser.parse(text: "{\(members)}")
        #expect(object.objectValue?.members.count == 10_000)
        #expect(throws: JSONError.self) {
            try JSONParser.parse(text: "{\(members),\"key number 5000\":1}")
        }
    }

    @Test("a text of 5 MB in one string, and of a million elements, is read")
    func large() throws {
        let string = String(repeating: "x", count: 5_000_000)
        #expect(try JSONParser.parse(text: "\"\(string)\"").stringValue?.utf8.count == 5_000_000)
        let array = "[" + String(repeating: "0,", count: 200_000) + "0]"
        #expect(try JSONParser.parse(text: array).arrayValue?.count == 200_001)
    }

    @Test("every truncation of a text throws and none traps")
    func truncations() throws {
        let text = Array(
            #"{"a":[1.5e-3,"\u00e9\ud83d\ude00\n",true,null,{"b":"ü"}],"c":-12}"#.utf8
        )
        _ = try JSONParser.parse(text)
        for length in text.indices {
            #expect(throws: JSONError.self) { try JSONParser.parse(text.prefix(length)) }
        }
    }

    @Test("any one byte changed either throws or gives a value that is written and read again")
    func changedBytes() throws {
        let text = Array(#"{"a":[1.5e-3,"\u00e9\n",true,{"b":"ü"}],"c":-12}"#.utf8)
        for index in text.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = text
                changed[index] = byte
                guard let value = try? JSONParser.parse(changed) else { continue }
                #expect(try JSONParser.parse(value.utf8) == value)
            }
        }
    }

    @Test("errors say what is wrong and at which byte")
    func errors() {
        let error = #expect(throws: JSONError.self) { try JSONParser.parse(text: "[1.]") }
        #expect(error?.offset == 3)
        #expect(error?.problem == "expected a digit")
        #expect(error?.description == "This is not valid JSON: expected a digit (at byte 3).")
    }
}
