import DexCore
import DexTerminal
import StrictJSON

/// The result of a call, as a client gets it.
struct ToolResult: Sendable {
    /// Larger answers are refused: a model reads all of them.
    static let maximumBytes = 256 << 10

    /// The keys of the result.
    let members: KeyValuePairs<String, JSONValue>
    /// The error's code, for the log; else `ok`.
    let code: String

    /// - Throws: `too-large`.
    init(_ answer: ToolAnswer, of tool: Tool, _ host: ToolHost) throws(DexError) {
        let data = host.fence(answer.data, tool.description.answer)
        let text = data.text
        guard text.utf8.count <= Self.maximumBytes else {
            throw MCPError.tooLarge(bytes: text.utf8.count, maximum: Self.maximumBytes)
        }
        members = [
            "content": .array([Self.text(text)] + Self.beside(answer, host)),
            "structuredContent": data,
            "isError": false,
        ]
        code = "ok"
    }

    /// What is said beside an answer, as a content of its own: warnings, and that the state is old.
    private static func beside(_ answer: ToolAnswer, _ host: ToolHost) -> [JSONValue] {
        var object = JSONObject()
        if !answer.warnings.isEmpty {
            object["warnings"] = .list(answer.warnings) { warning in
                .string(FencedSentence(warning, host.machine).text)
            }
        }
        if let stale = answer.stale {
            object["stale"] = [
                "block": .integer(stale.block), "age": .integer(stale.age),
                "limit": .integer(stale.limit),
            ]
        }
        return object.members.isEmpty ? [] : [text(JSONValue.object(object).text)]
    }

    /// - Parameter about: keys beside `error`.
    init(failure: DexError, about: JSONObject = JSONObject(), _ host: ToolHost) {
        var object = JSONObject()
        object["error"] = [
            "code": .string(failure.code),
            "exitCode": .integer(failure.exit.rawValue),
            "message": .string(FencedSentence(failure.message, host.machine).text),
            "hint": .string(FencedSentence(failure.hint ?? "", host.machine).text),
            "retryable": .bool(failure.retryable),
        ]
        for member in about.members { object[member.key] = member.value }
        for member in TradeJSON.sent(failure.sent).objectValue?.members ?? [] {
            object[member.key] = member.value
        }
        members = ["content": [Self.text(JSONValue.object(object).text)], "isError": true]
        code = failure.code
    }

    private static func text(_ text: String) -> JSONValue {
        ["type": "text", "text": .string(text)]
    }
}
