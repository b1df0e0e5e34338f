import DexCore
import DexTerminal
import StrictJSON

/// The tools of a server, in the order in which a client sees them.
struct ToolTable: Sendable {
    /// All there are.
    private static let all: [Tool] = Tool.looking + Tool.planning

    private let ring: ToolRing
    /// policy.toml has `[mcp]`: without it nothing moves by a tool.
    private let hasLimits: Bool

    /// - Parameter ring: of `--allow`.
    init(ring: ToolRing, hasLimits: Bool) {
        self.ring = ring
        self.hasLimits = hasLimits
    }

    /// Those that a client may call.
    var listed: [Tool] { Self.all.filter { refusal(of: $0) == nil } }

    /// `tools` of `tools/list`: the same bytes in every process.
    var json: JSONValue { .list(listed) { $0.description.json } }

    /// A tool by its name, whether or not it may be called.
    static func find(_ name: String) -> Tool? { all.first { $0.name == name } }

    /// Why a tool may not be called; nil if it may.
    func refusal(of tool: Tool) -> DexError? {
        let needed = tool.description.ring
        if needed > ring { return MCPError.notAllowed(tool: tool.name, ring: needed) }
        return needed == .do && !hasLimits ? MCPError.noLimits(tool: tool.name) : nil
    }
}
