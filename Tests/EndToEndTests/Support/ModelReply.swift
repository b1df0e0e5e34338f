import StrictJSON

/// The answer to a call of a tool.
struct ModelReply: Sendable, CustomStringConvertible {
    /// The whole message; null if the server has gone before it.
    let message: JSONValue

    var isGone: Bool { message.isNull }
    /// `structuredContent`; nil of an error.
    var data: JSONValue? { message["result"]?["structuredContent"] }

    /// The object of an error, with `error`, `planId` and `state`; nil without one.
    var failure: JSONValue? {
        guard message["result"]?["isError"]?.boolValue == true,
            let text = message["result"]?["content"]?.arrayValue?.first?["text"]?.stringValue
        else { return nil }
        return try? JSONParser.parse(text: text)  // nil: no JSON, which no test takes for an error
    }

    /// The code of an error; `ok` of an answer.
    var code: String {
        if data != nil { return "ok" }
        return failure?["error"]?["code"]?.stringValue ?? "none"
    }

    /// The exit code of an error, or of the command that a plan stands for.
    var exit: Int32? {
        (failure?["error"]?["exitCode"] ?? data?["exitCode"])?.numberText.flatMap { Int32($0) }
    }

    var state: String { (data ?? failure)?["state"]?.stringValue ?? "none" }
    var planID: String? { (data ?? failure)?["planId"]?.stringValue }

    /// The hashes of a plan's transactions.
    var hashes: [String] {
        (data ?? failure)?["transactions"]?.arrayValue?
            .compactMap { $0["hash"]?.stringValue } ?? []
    }

    /// What tests look at; plans are long.
    var description: String {
        if isGone { return "gone" }
        guard let data = data ?? failure else { return message.text }
        guard planID != nil else { return String(data.text.prefix(2_000)) }
        let parts = ["error", "why", "approve", "transactions", "outcome"].compactMap { key in
            data[key].map { "\(key) \($0.text.prefix(600))" }
        }
        return "\(planID ?? "") \(state), exit \(exit.map { "\($0)" } ?? "-"): "
            + parts.joined(separator: ", ")
    }
}
