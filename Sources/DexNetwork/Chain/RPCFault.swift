import Ethereum
import StrictJSON

/// An error object of JSON-RPC, and what nodes mean by it: every kind of node has words of its own.
struct RPCFault: Error, Hashable, Sendable {
    let code: Int
    /// As the node sent it, cut to a bearable length.
    let message: String
    let data: JSONValue?

    private static let longestMessage = 1000
    private static let deepestData = 4

    init(code: Int, message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Reads an error object; what it lacks is left empty, since an error is an error.
    init(_ json: JSONValue) {
        code = json["code"].flatMap { $0.numberText ?? $0.stringValue }.flatMap { Int($0) } ?? 0
        let text = json["message"]?.stringValue ?? json.stringValue ?? ""
        message =
            text.isEmpty
            ? "(no message)"
            : String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.longestMessage)))
        data = json["data"]
    }

    /// The error of a call or a gas estimate: a failure of the contract becomes a revert.
    var errorOfCall: ChainError {
        guard isRevert else { return error }
        return .reverted(data: Self.bytes(in: data, depth: 0) ?? [], message: message)
    }

    /// The error of any other request.
    var error: ChainError {
        .rpc(code: code, message: message)
    }

    /// The contract failed, so the same transaction would fail too.
    private var isRevert: Bool {
        // 3 is what geth, and after it most others, say of a revert with data.
        code == 3
            || contains(
                "revert",
                "invalid opcode",
                "bad instruction",
                "bad jump destination",
                "invalid jump",
                "stack underflow",
                "stack overflow",
                "stack limit",
                "out of gas",
                "outofgas",
                "gas required exceeds allowance",
                "always failing transaction",
                "vm execution error",
                "vm exception"
            )
    }

    /// Too many requests for now; the same one may pass later.
    var isRateLimit: Bool {
        code == 429
            || contains(
                "rate limit",
                "rate-limit",
                "ratelimit",
                "too many requests",
                "compute units",
                "throughput",
                "request count exceeded",
                "requests per second",
                "requests per minute"
            )
    }

    /// The node asked has not caught up with the one asked before it.
    var isLagging: Bool {
        contains("header not found", "unknown block", "block not found", "try again")
    }

    /// The batch is refused as a whole: it has too many calls, or too large an answer.
    var isBatchLimit: Bool {
        guard !isRateLimit else { return false }
        return [-32600, -32005, -32003].contains(code)
            || contains("batch", "too large", "too big", "too many", "limit", "exceed", "max")
    }

    /// The node stopped answering in the middle of a batch (geth's -32003).
    var isAnswerLimit: Bool {
        contains("response too large", "response size", "response is too big")
    }

    private func contains(_ phrases: String...) -> Bool {
        let text = message.lowercased()
        return phrases.contains { text.contains($0) }
    }

    /// The returned bytes, wherever the node put them: a string, "Reverted 0x...", or in objects.
    private static func bytes(in json: JSONValue?, depth: Int) -> [UInt8]? {
        guard let json, depth <= deepestData else { return nil }
        switch json {
        case .string(let text):
            let hex = text.hasPrefix("Reverted ") ? String(text.dropFirst(9)) : text
            return try? Hex.decode(hex)
        case .object(let object):
            for key in ["data", "return", "result", "output", "originalError", "error", "cause"] {
                if let bytes = bytes(in: object[key], depth: depth + 1) { return bytes }
            }
            // Ganache files it under the transaction's hash.
            for member in object.members.prefix(16) {
                guard case .object = member.value else { continue }
                if let bytes = bytes(in: member.value, depth: depth + 1) { return bytes }
            }
            return nil
        default: return nil
        }
    }
}
