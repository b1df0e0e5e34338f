import Ethereum
import StrictJSON

/// A JSON-RPC error object and its meaning; `RPCFault+Words.swift` has the nodes' words.
struct RPCFault: Error, Hashable, Sendable {
    let code: Int
    /// The node's text, cut to a limited length.
    private(set) var message: String
    let data: JSONValue?

    private static let longestMessage = 1000
    /// What stands for words that a node did not give.
    private static let noMessage = "(no message)"
    private static let deepestData = 4
    /// The code of JSON-RPC for a method that a node lacks; nodes and gateways use others as well.
    private static let methodNotFound = -32_601

    init(code: Int, message: String, data: JSONValue? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Reads an error object; missing members are empty, since it is an error in any case.
    init(_ json: JSONValue) {
        code = json["code"].flatMap { $0.numberText ?? $0.stringValue }.flatMap { Int($0) } ?? 0
        let text = json["message"]?.stringValue ?? json.stringValue ?? ""
        let data = json["data"]
        self.data = data
        let first = Self.cut(text.isEmpty ? Self.noMessage : text)
        message = first
        // Gateways put what their nodes said there; of a revert it is the contract's own data.
        guard !isRevert, let more = data?.stringValue, !more.isEmpty, !more.hasPrefix("0x"),
            !first.contains(more)
        else { return }
        message = Self.cut(text.isEmpty ? more : "\(first): \(more)")
    }

    private static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(longestMessage)))
    }

    /// Its meaning as the answer to a question.
    func error(of read: ChainRead) -> ChainError {
        switch read {
        case .call, .estimateGas, .accessList, .lineaTip: errorOfCall
        case .verbatim(let read): error(of: read)
        default: error
        }
    }

    /// Its meaning as the answer to a call or gas estimate: a failure of the contract is a revert.
    var errorOfCall: ChainError {
        if isRevert {
            .reverted(data: Self.bytes(in: data, depth: 0) ?? [], message: message)
        } else if isUnaffordable {
            .unaffordable(code: code, message: message)
        } else {
            error
        }
    }

    /// Its meaning as the answer to a broadcast that the node has not accepted (`isAlreadyKnown`).
    ///
    /// An error does not prove that no node has the transaction: a gateway may pass it on and then
    /// fail. Only words that a client uses before it accepts anything are a refusal. Error codes
    /// prove nothing, since gateways use them too.
    var errorOfSend: ChainError {
        if isGatewayFailure || message.isEmpty || message == Self.noMessage {
            .rpc(code: code, message: message)
        } else if isNonceUsed {
            .nonceUsed(code: code, message: message)
        } else if isRefusal {
            .notTaken(code: code, message: message)
        } else {
            .declined(code: code, message: message)
        }
    }

    var error: ChainError {
        if isBlockMissing { return .missingBlock(code: code, message: message) }
        return .rpc(code: isMethodMissing ? Self.methodNotFound : code, message: message)
    }

    /// The returned bytes wherever the node put them: a string, "Reverted 0x...", or nested
    /// objects.
    private static func bytes(in json: JSONValue?, depth: Int) -> [UInt8]? {
        guard let json, depth <= deepestData else { return nil }
        switch json {
        case .string(let text):
            let hex = text.hasPrefix("Reverted ") ? String(text.dropFirst(9)) : text
            return Hex.bytes(hex)
        case .object(let object):
            for key in ["data", "return", "result", "output", "originalError", "error", "cause"] {
                if let bytes = bytes(in: object[key], depth: depth + 1) { return bytes }
            }
            // Ganache nests it under the transaction's hash.
            for member in object.members.prefix(16) {
                guard case .object = member.value else { continue }
                if let bytes = bytes(in: member.value, depth: depth + 1) { return bytes }
            }
            return nil
        default: return nil
        }
    }
}
