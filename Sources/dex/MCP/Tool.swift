import DexCore
import DexTerminal
import StrictJSON

/// A tool of `dex mcp`: what a client is told of it, and what a call does.
struct Tool: Sendable {
    let description: ToolDescription
    let call: @Sendable (ToolCall) async throws -> ToolAnswer

    var name: String { description.name }
}

/// What a tool answers.
struct ToolAnswer: Sendable {
    /// As the answer of its description says; fenced when it is sent.
    var data: JSONValue
    /// Sentences beside it.
    var warnings: [String] = []
    /// How old the state is, if it is old.
    var stale: StaleChain?
}

/// An error with what a client has to know beside it, such as the plan that it is about.
struct ToolFailure: Error {
    let error: DexError
    /// Keys beside `error`: `planId`, `state`.
    let about: JSONObject
}
