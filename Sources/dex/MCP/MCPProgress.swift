import DexCore
import StrictJSON
import Synchronization

/// What a client hears of a call while it runs: each message has a higher number, and none comes after
/// the answer.
final class MCPProgress: Sendable {
    private struct State {
        var count = 0
        var isOver = false
    }

    private let token: JSONValue
    private let output: MCPOutput
    private let state = Mutex(State())

    init(_ token: JSONValue, _ output: MCPOutput) {
        self.token = token
        self.output = output
    }

    /// Tells it, unless the client has withdrawn the call.
    func tell(_ text: String) {
        guard !Task.isCancelled else { return }
        state.withLock { state in
            guard !state.isOver else { return }
            state.count += 1
            output.tell([
                "jsonrpc": "2.0",
                "method": "notifications/progress",
                "params": [
                    "progressToken": token,
                    "progress": .integer(state.count),
                    "message": .string(PlainText.clean(text, limit: 200)),
                ],
            ])
        }
    }

    func end() { state.withLock { $0.isOver = true } }
}
