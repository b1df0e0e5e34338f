import AnswerPageSupport
import DexCore
import Ethereum
import StrictJSON
import Testing

@testable import DexTerminal

/// What describes a field once: its JSON, its schema, its column, its row in docs/output.md.
@Suite("Descriptions of answers")
struct AnswerTests {
    private struct Row: Sendable {
        var maker: Address? = Fixtures.address(7)
        var names = ["a\u{1B}[31mb"]
        var time: UInt64 = 1_770_000_000
        var amount = TokenAmount(raw: 1_500_000, token: Fixtures.usdc)
        var tag: String?
    }

    private enum Kind: String, CaseIterable {
        case one
        case two = "second"
    }

    private static let row = Fields<Row> {
        Field("maker", "Who made it, or null", \.maker).csv(1, "maker")
        Field("names", "What it is called", \.names).csv(2, "names")
        Field("time", "When", as: .time, \.time).csv(0, "time", isTime: true)
        Field("amount", "How much", \.amount).csv(3, "amount", "value")
        Field("kind", "What it is") { _ in Kind.two.word }
        Field(optional: "tag", "Only of some", \.tag)
    }

    private static let list = Fields<[Row]> {
        Field("count", "How many", \.count)
        Field("rows", "All of them", list: row) { $0 }
    }

    @Test("the JSON has the fields in their order, outside text clean, null where nothing is known")
    func json() {
        #expect(
            Self.row(Row(maker: nil)).text
                == #"{"maker":null,"names":["ab"],"time":1770000000,"amount":{"raw":"1500000","#
                + #""value":"1.5","symbol":"USDC","address":"\#(Fixtures.usdc.address.checksummed)"},"#
                + #""kind":"second"}"#
        )
        #expect(Self.row(Row(tag: "x"))["tag"] == "x")
        #expect(Self.list([Row(), Row()])["rows"]?.arrayValue?.count == 2)
    }

    @Test("the schema has each type, what may be missing, and no other key")
    func schema() throws {
        let schema = Self.list.shape.schema
        #expect(schema["additionalProperties"] == false)
        #expect(schema["required"] == ["count", "rows"])
        let row = try #require(schema["properties"]?["rows"]?["items"])
        #expect(row["required"] == ["maker", "names", "time", "amount", "kind"])
        let properties = try #require(row["properties"])
        #expect(
            properties["maker"]?["anyOf"] == [["$ref": "#/$defs/address"], ["type": "null"]]
        )
        #expect(properties["names"]?["items"] == ["type": "string"])
        #expect(properties["time"]?["$ref"] == "#/$defs/time")
        #expect(properties["kind"]?["enum"] == ["one", "second"])
        #expect(properties["tag"]?["description"] == "Only of some")
        #expect(
            Set(Self.list.shape.definitions.keys)
                == ["address", "amount", "digits", "time"]
        )
    }

    @Test("a column has its place, whatever the place of its field")
    func csv() {
        let table = Self.list.table([Row()])
        #expect(Self.list.listHeader == ["time", "maker", "names", "amount"])
        #expect(
            table.lines == [
                "time,maker,names,amount\r",
                "2026-02-02T02:40:00Z,\(Fixtures.address(7).checksummed),ab,1.5\r",
            ]
        )
    }

    @Test("a page has a line for each key, those of objects inside under their own")
    func page() {
        let page = AnswerPage([(name: "x list", answer: Answer(Self.list))])
        let lines = page.lines
        #expect(lines.contains("#### `x list`"))
        #expect(lines.contains("- `rows[].maker` (address?): Who made it"))
        #expect(lines.contains("- `rows[].tag` (text, optional): Only of some"))
        #expect(lines.contains { $0.hasPrefix("- address (`0x[0-9a-fA-F]{40}`): An address") })
        #expect(page.keys["`x list`"]?["rows[].maker"] == ["address?"])
        #expect(page.keys["amount"]?["raw"] == ["digits"])
    }

    @Test("a page has what several answers mean by a key once")
    func sharedKeys() throws {
        let other = Fields<Row> {
            Field("maker", "Who made it, or null", \.maker)
            Field("time", "When it ended", as: .time, \.time)
        }
        let lines = AnswerPage([
            (name: "x list", answer: Answer(Self.list)), (name: "x", answer: Answer(other)),
        ]).lines
        let maker = "- `maker` (address?): Who made it"
        #expect(lines.filter { $0.contains("Who made it") } == [maker])
        let shared = try #require(lines.firstIndex(of: "#### Shared keys"))
        #expect(try #require(lines.firstIndex(of: maker)) > shared)
        let one = try #require(lines.firstIndex(of: "#### `x`"))
        #expect(lines[one...] == ["#### `x`", "", "- `maker`", "- `time` (time): When it ended"])
        #expect(lines[..<one].contains("- `rows[].maker`"))
        #expect(lines.contains("- `rows[].time` (time): When"))
    }

    @Test("a sentence about the keys beside it stands beside them, with every answer")
    func neighbours() {
        let fields = Fields<Row> {
            Field("time", "When", as: .time, \.time)
            Field("names", "Its names below that time", \.names)
        }
        let other = Fields<Row> { Field("names", "Its names below that time", \.names) }
        let lines = AnswerPage([
            (name: "x", answer: Answer(fields)), (name: "y", answer: Answer(other)),
        ]).lines
        #expect(lines.filter { $0 == "- `names[]` (text): Its names below that time" }.count == 2)
    }

    @Test("alternatives stand once each, null last")
    func alternatives() {
        let object = Shape.object([])
        let shape = Shape.nullable(
            .either([object, .either([.text.orNull, object]), .words(["a", "b"]), .count.orNull])
        )
        let page = AnswerPage([(name: "x", answer: Answer(.init("key", shape, "One of these")))])
        #expect(
            page.lines.last
                == "- `key` (object, or text, or `a`, `b`, or count, or null): One of these"
        )
    }

    @Test("a key of a second form has its own sentence only where it differs from the first")
    func forms() throws {
        let first = Fields<Row> {
            Field("names", "What it is called", \.names)
            Field("time", "When", as: .time, \.time)
        }
        let second = Fields<Row> {
            Field("time", "When", as: .time, \.time)
            Field("names", "Its former names", \.names)
        }
        let answer = Answer(["": first.shape, "with `--old`": second.shape])
        let lines = AnswerPage([(name: "x", answer: answer)]).lines
        let one = try #require(lines.firstIndex(of: "#### `x`"))
        #expect(
            lines[one...] == [
                "#### `x`", "", "- `names[]` (text): What it is called", "- `time`", "",
                "With `--old`:", "", "- `time`", "- `names[]` (text): Its former names",
            ]
        )
    }

    @Test("a document refers to definitions that it has, and says what it is of")
    func document() throws {
        let schema = AnswerSchema(command: "x list", summary: "Lists x.", answer: Answer(Self.list))
        let document = schema.document
        #expect(document["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        #expect(document["title"] == "dex x list")
        let definitions = try #require(document["$defs"]?.objectValue)
        for match in document.text.matches(of: /"#\/\$defs\/(\w+)"/) {
            #expect(definitions[String(match.1)] != nil, "\(match.1)")
        }
        #expect(document.indented.joined().count > document.text.count)
        let again = try JSONParser.parse(text: document.indented.joined(separator: "\n"))
        #expect(again == document)
    }
}
