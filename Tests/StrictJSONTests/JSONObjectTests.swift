import StrictJSON
import Testing

@Suite("Objects in JSON")
struct JSONObjectTests {
    @Test("members are set in place, appended and removed")
    func members() {
        var object = JSONObject()
        object["a"] = 1
        object["b"] = 2
        object["a"] = 3
        #expect(object.members.map(\.key) == ["a", "b"])
        #expect(object["a"] == 3)
        object["a"] = nil
        object["absent"] = nil
        #expect(object.members.map(\.key) == ["b"])
        object["c"] = .null
        #expect(object["c"] == .null)
        #expect(object["c"]?.isNull == true)
    }

    @Test("members are found from any position on, also in front of it")
    func positions() {
        let object: JSONObject? = (["a": 1, "b": 2, "c": 3] as JSONValue).objectValue
        for start in [-1, 0, 1, 2, 3, Int.max] {
            var position = start
            #expect(object?.value(of: "b", from: &position) == 2)
            #expect(position == 2)
            #expect(object?.value(of: "absent", from: &position) == nil)
            #expect(position == 2)
            #expect(object?.value(of: "c", from: &position) == 3)
            #expect(object?.value(of: "a", from: &position) == 1)
            #expect(position == 1)
        }
        var position = 5
        #expect(JSONObject().value(of: "a", from: &position) == nil)
    }

    @Test("of a key written twice in Swift the last value stays")
    func literal() {
        let value: JSONValue = ["a": 1, "b": 2, "a": 3]
        #expect(value.text == #"{"a":3,"b":2}"#)
    }

    @Test("a value is of one kind only")
    func kinds() {
        let values: [JSONValue] = [.null, true, 1, "x", [], [:]]
        let kinds = values.map { value in
            [
                value.isNull, value.boolValue != nil, value.numberText != nil,
                value.stringValue != nil, value.arrayValue != nil, value.objectValue != nil,
            ]
        }
        for (index, kind) in kinds.enumerated() {
            #expect(kind.indices.filter { kind[$0] } == [index])
        }
    }

    @Test("objects are equal when their members are, in the same order")
    func equality() throws {
        #expect(try JSONParser.parse(text: #"{"a":1}"#) == ["a": 1])
        #expect(try JSONParser.parse(text: #"{"a":1.0}"#) != ["a": 1])
        #expect(try JSONParser.parse(text: #"{"a":1,"b":2}"#) != ["b": 2, "a": 1])
    }
}
