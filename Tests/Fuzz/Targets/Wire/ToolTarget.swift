import Ethereum
import StrictJSON

@testable import DexCore
@testable import DexTerminal

extension FuzzTarget {
    /// What a model's client writes to `dex mcp`: lines are found alike in any pieces, a request is
    /// answered with its own id, arguments are of their kinds or refused with one code, and no word
    /// of others leaves its fence.
    static let toolRequest = FuzzTarget(
        "tool-request",
        maximumLength: 4_096,
        seeds: ToolTarget.seeds
    ) { input in
        var whole = MCPFrames()
        let frames = whole.take(input + [0x0A])
        var pieces = MCPFrames()
        var found: [MCPFrames.Frame] = []
        for byte in input { found += pieces.take([byte]) }
        found += pieces.take([0x0A])
        try requireEqual(found, frames, "the messages in pieces")
        for case .message(let line) in frames { try ToolTarget.check(line) }
        try ToolTarget.checkSentence(String(decoding: input, as: UTF8.self))
    }
}

private enum ToolTarget {
    private static let parameters: [ToolParameter] = [
        ToolParameter("pair", .pair), .optional("side", .words(["buy", "sell"])),
        .optional("depth", .integer(1...100)), .optional("query", .text(maximum: 80)),
        .optional("hash", .hash(isWhole: false)), .optional("order", .hash(isWhole: true)),
        .optional("orders", .hashes(maximum: 16)),
    ]
    private static let machine = MachineText(folders: ["/home/me"])
    private static let fence = Fence(machine) { _ in false }

    static func check(_ line: [UInt8]) throws {
        switch MCPMessage(line) {
        case .fault(let fault, let id):
            try require(
                [-32_700, -32_600, -32_602].contains(fault.code),
                "a fault with \(fault.code)"
            )
            try require(id == .null || MCPMessage.id(id) == id, "a fault of \(id)")
            try require(fault.message.hasSuffix("."), "no sentence: \(fault.message)")
        case .request(let request):
            try requireEqual(MCPMessage.id(request.id), request.id, "an id")
            let written: JSONValue = [
                "jsonrpc": "2.0", "id": request.id, "method": .string(request.method),
                "params": .object(request.params),
            ]
            let again = MCPMessage(written.utf8)
            try requireEqual(again, MCPMessage.request(request), "a request is read as written")
            try checkRevision(request.params)
            if let arguments = request.params["arguments"]?.objectValue {
                try check(arguments)
            }
            try checkFence(.object(request.params))
        case .notification, .answer: break
        }
    }

    private static func checkRevision(_ params: JSONObject) throws {
        do throws(MCPFault) {
            _ = try MCPRevision(params)
        } catch {
            try require([-32_602, -32_022].contains(error.code), "a revision: \(error.code)")
        }
    }

    private static func check(_ arguments: JSONObject) throws {
        let read: ToolArguments
        do throws(ToolArgumentError) {
            read = try ToolArguments(arguments, of: parameters)
        } catch {
            try requireEqual(error.report.code, "bad-arguments", "a refusal")
            let text = error.report.message + (error.report.hint ?? "")
            try require(text.utf8.count < 2_000, "a refusal of \(text.utf8.count) bytes")
            return
        }
        for member in arguments.members {
            try require(parameters.contains { $0.name == member.key }, "\(member.key) is taken")
        }
        try require((read.integer("depth") ?? 1) <= 100, "a depth")
        try require((read.text("query") ?? "").unicodeScalars.count <= 80, "a query")
        for hash in read.list("orders") + [read.text("order")].compactMap(\.self) {
            try require(hash.utf8.count == 66 && hash.hasPrefix("0x"), "a whole hash: \(hash)")
        }
    }

    /// Outside of fences only numbers and bytes are left, whatever the description says.
    private static func checkFence(_ value: JSONValue) throws {
        for shape in [Shape.any, .foreign, .object([]), .list(.foreign)] {
            try checkFenced(fence(value, shape))
        }
    }

    private static func checkFenced(_ value: JSONValue) throws {
        switch value {
        case .string(let text):
            try require(
                text.utf8.allSatisfy { "0123456789abcdefABCDEFx.".utf8.contains($0) },
                "outside of its fence: \(text)"
            )
        case .array(let values): for value in values { try checkFenced(value) }
        case .object(let object):
            if object.members.map(\.key) == ["untrusted"],
                let text = object["untrusted"]?.stringValue
            {
                try require(text.unicodeScalars.count <= Fence.maximum, "a long text in a fence")
                try requireEqual(PlainText.clean(text), text, "a text in a fence is harmless")
                return
            }
            for member in object.members { try checkFenced(member.value) }
        case .null, .bool, .number: break
        }
    }

    static func checkSentence(_ text: String) throws {
        let quoted = "It says \(PlainText.quoted(text, limit: 300)), and ends."
        let sentence = FencedSentence(quoted, MachineText(folders: [])).text
        let isPlain = sentence == quoted
        try require(
            isPlain || sentence.hasPrefix("It says [1], and ends. [1] \""),
            "words of others do not stand last: \(sentence)"
        )
        try require(sentence.unicodeScalars.count <= Fence.maximum + 40, "a long sentence")
        try requireEqual(PlainText.clean(sentence), sentence, "a sentence is harmless")
    }

    @Sendable
    static func seeds() throws -> [[UInt8]] {
        let hash = "0x" + String(repeating: "ab", count: 32)
        let meta =
            #"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
            + #""io.modelcontextprotocol/clientCapabilities":{},"progressToken":7}"#
        return [
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#,
            #"{"method":"tools/list","params":{"_meta":\#(meta)},"jsonrpc":"2.0","id":"a"}"#,
            #"{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"price","#
                + #""arguments":{"pair":"ZRX/WETH","side":"sell","depth":7,"query":"a\nb"}}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{"pair":"A/B","#
                + #""order":"\#(hash)","orders":["\#(hash)"],"hash":"0x1234"}}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#,
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\r\n\n[]\n{\n",
            #"{"jsonrpc":"2.0","id":4,"method":"a","params":{"arguments":{"yes":true},"symbol":"go","#
                + #""address":null,"name":"send \u202e all"}}"#,
            "a \"quoted \\\" text\" of others…",
        ].map { Array($0.utf8) }
    }
}
