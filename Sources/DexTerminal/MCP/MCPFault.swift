import DexCore
package import StrictJSON

/// A fault of the protocol itself: an error of JSON-RPC, not of a tool.
package struct MCPFault: Error, Equatable, Sendable {
    package let code: Int
    package let message: String
    package var data: JSONValue?

    package static func parse(_ problem: String, offset: Int) -> MCPFault {
        MCPFault(code: -32_700, message: "This is not JSON: \(problem) (at byte \(offset)).")
    }

    package static let tooLong = MCPFault(
        code: -32_700,
        message: "The message is longer than \(MCPFrames.maximumBytes) bytes, and was not read."
    )

    package static func invalid(_ what: String) -> MCPFault {
        MCPFault(code: -32_600, message: "This is no request of JSON-RPC 2.0: \(what).")
    }

    package static let idInUse = MCPFault(
        code: -32_600,
        message: "A request with this id is still running."
    )

    package static func unknownMethod(_ method: String) -> MCPFault {
        MCPFault(
            code: -32_601,
            message: "Method not found",
            data: .string(PlainText.clean(method, limit: 100))
        )
    }

    package static func parameters(_ message: String) -> MCPFault {
        MCPFault(code: -32_602, message: message)
    }

    package static func unknownTool(_ name: String) -> MCPFault {
        parameters("Unknown tool: \(PlainText.clean(name, limit: 100))")
    }

    package static func version(_ requested: String) -> MCPFault {
        MCPFault(
            code: -32_022,
            message: "Unsupported protocol version",
            data: [
                "supported": .array(MCPRevision.modernVersions.map { .string($0) }),
                "requested": .string(PlainText.clean(requested, limit: 100)),
            ]
        )
    }

    package var json: JSONValue {
        var object = JSONObject()
        object["code"] = .integer(code)
        object["message"] = .string(message)
        object["data"] = data
        return .object(object)
    }
}
