import Ethereum
import StrictJSON

/// An error object of JSON-RPC, and what it means: `RPCFault+Words.swift` has the nodes' words.
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

    /// What it means as the answer to a question.
    func error(of read: ChainRead) -> ChainError {
        switch read {
        case .call, .estimateGas, .accessList: errorOfCall
        default: error
        }
    }

    /// What it means as the answer to a call or a gas estimate: the contract's failure is a revert.
    var errorOfCall: ChainError {
        if isRevert {
            .reverted(data: Self.bytes(in: data, depth: 0) ?? [], message: message)
        } else if isUnaffordable {
            .unaffordable(code: code, message: message)
        } else {
            error
        }
    }

    /// What it means as the answer to a broadcast that the node has not taken (`isAlreadyKnown`).
    ///
    /// An error is no proof that nobody has the transaction: a gateway passes it on and fails
    /// afterwards. Only words that a client gives before it takes anything are a refusal; their
    /// codes prove nothing, since gateways use them too.
    var errorOfSend: ChainError {
        if isGatewayFailure {
            .rpc(code: code, message: message)
        } else if isNonceUsed {
            .nonceUsed(code: code, message: message)
        } else if isRefusal {
            .notTaken(code: code, message: message)
        } else {
            .rpc(code: code, message: message)
        }
    }

    /// What it means as the answer to anything else.
    var error: ChainError {
        isBlockMissing
            ? .missingBlock(code: code, message: message) : .rpc(code: code, message: message)
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
