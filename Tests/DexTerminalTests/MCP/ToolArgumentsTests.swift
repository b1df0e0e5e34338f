import DexCore
import StrictJSON
import Testing

@testable import DexTerminal

/// What a tool takes: exactly what its schema says.
@Suite("Arguments of tools")
struct ToolArgumentsTests {
    private static let whole = "0x" + String(repeating: "aB", count: 32)

    private static let parameters: [ToolParameter] = [
        ToolParameter("pair", .pair),
        .optional("side", .words(["buy", "sell"])),
        .optional("depth", .integer(1...100), "Rows"),
        .optional("query", .text(maximum: 5)),
        .optional("hash", .hash(isWhole: false)),
        .optional("order", .hash(isWhole: true)),
        .optional("orders", .hashes(maximum: 2)),
    ]

    private static func read(_ text: String) throws -> ToolArguments {
        let object = try #require(JSONParser.parse(text: text).objectValue)
        return try ToolArguments(object, of: parameters)
    }

    @Test("what is right is read")
    func right() throws {
        let read = try Self.read(
            #"{"pair":"A/B","side":"sell","depth":100,"query":"äöü€𝄞","hash":"0x12aB","#
                + #""order":"\#(Self.whole)","orders":["\#(Self.whole)"]}"#
        )
        #expect(read.text("pair") == "A/B" && read.text("side") == "sell")
        #expect(read.integer("depth") == 100 && read.text("query") == "äöü€𝄞")
        #expect(read.text("hash") == "0x12aB" && read.list("orders") == [Self.whole])
        #expect(try Self.read(#"{"pair":"A/B"}"#).integer("depth") == nil)
    }

    @Test(
        "all else is refused with one code",
        arguments: [
            "{}", #"{"pair":1}"#, #"{"pair":null}"#, #"{"pair":""}"#, #"{"pair":["A/B"]}"#,
            #"{"pair":"A/B","yes":true}"#, #"{"pair":"A/B","acknowledged":true}"#,
            #"{"pair":"A/B","Pair":"A/B"}"#, #"{"pair":"A/B","side":"BUY"}"#,
            #"{"pair":"A/B","depth":0}"#, #"{"pair":"A/B","depth":101}"#,
            #"{"pair":"A/B","depth":"5"}"#, #"{"pair":"A/B","depth":1.0}"#,
            #"{"pair":"A/B","depth":1e1}"#, #"{"pair":"A/B","depth":99999999999999999999}"#,
            #"{"pair":"A/B","query":"123456"}"#, #"{"pair":"A/B","hash":"0x123"}"#,
            #"{"pair":"A/B","hash":"@1"}"#, #"{"pair":"A/B","hash":"0xzzzz"}"#,
            #"{"pair":"A/B","hash":"0x１２３４"}"#, #"{"pair":"A/B","order":"0x1234"}"#,
            #"{"pair":"A/B","orders":[]}"#, #"{"pair":"A/B","orders":["0x1234"]}"#,
            #"{"pair":"A/B","orders":"0x1234"}"#, #"{"pair":"A/B","orders":[1]}"#,
        ]
    )
    func wrong(_ text: String) {
        let error = #expect(throws: ToolArgumentError.self) { try Self.read(text) }
        #expect(error?.report.code == "bad-arguments" && error?.report.kind == .usage)
    }

    @Test("a tool is described by its arguments and the top keys of its answer")
    func description() {
        let shared = Shape.Member("hash", .hash, "The hash")
        let maybe = Shape.Member("note", .text, "A note", isOptional: true)
        let tool = ToolDescription(
            "why",
            "Why",
            "Tells why.",
            ring: .look,
            parameters: [ToolParameter("order", .hash(isWhole: true))],
            answer: Answer(["a": .object([shared, maybe]), "b": .object([shared])])
        )
        #expect(
            tool.json.text
                == #"{"name":"why","title":"Why","description":"Tells why.","inputSchema":{"type":"object","#
                + #""properties":{"order":{"type":"string","pattern":"^0x[0-9a-fA-F]{64}$"}},"#
                + #""required":["order"],"additionalProperties":false},"outputSchema":{"type":"object","#
                + #""properties":{"hash":{},"note":{}},"required":["hash"]},"#
                + #""annotations":{"readOnlyHint":true,"openWorldHint":true}}"#
        )
    }
}
