import StrictJSON

/// A refusal of the Swap API.
struct SwapAPIError: Error, Hashable, Sendable {
    struct Detail: Hashable, Sendable {
        let field: String
        let reason: String
    }

    let status: Int
    /// nil for the gateway in front of the API, which does not know its names.
    let name: String?
    let message: String
    var details: [Detail] = []

    static let noKey = SwapAPIError(
        status: 401,
        name: nil,
        message: "No API key found in the header 0x-api-key"
    )

    static let nothingHere = SwapAPIError(
        status: 404,
        name: nil,
        message: "There is nothing at this path; the API is below /swap and at /sources"
    )

    static let failed = SwapAPIError(
        status: 500,
        name: "INTERNAL_SERVER_ERROR",
        message: "The chain did not answer"
    )

    /// The server stops while an answer waits; nobody gets this one.
    static let interrupted = SwapAPIError(
        status: 503,
        name: nil,
        message: "The sandbox is stopping"
    )
    var isInterruption: Bool { self == .interrupted }

    static func invalid(_ details: [Detail]) -> SwapAPIError {
        SwapAPIError(
            status: 400,
            name: "INPUT_INVALID",
            message: "The input is invalid",
            details: details
        )
    }

    func json(_ zid: String) -> JSONValue {
        guard let name else { return ["message": .string(message)] }
        var data = JSONObject()
        data["zid"] = .string(zid)
        if !details.isEmpty {
            data["details"] = .array(
                details.map { ["field": .string($0.field), "reason": .string($0.reason)] }
            )
        }
        return ["name": .string(name), "message": .string(message), "data": .object(data)]
    }
}
