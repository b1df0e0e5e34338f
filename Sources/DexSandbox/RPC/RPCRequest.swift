import Ethereum
import StrictJSON

/// What one HTTP body asks.
enum RPCBody: Sendable {
    /// Also a body that cannot be read, as an invalid request.
    case single(RPCRequest)
    case batch([RPCRequest])

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let calls = PlainCallScanner.batch(bytes) {
            self = .batch(calls)
            return
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(bytes)
        } catch {
            self = .single(RPCRequest(.init(code: -32700, message: "parse error: \(error)")))
            return
        }
        guard case .array(let items) = json else {
            self = .single(RPCRequest(json))
            return
        }
        if items.isEmpty {
            self = .single(RPCRequest(.init(code: -32600, message: "empty batch")))
        } else if items.count > SandboxChain.maximumBatch {
            self = .single(RPCRequest(.init(code: -32600, message: "batch too large")))
        } else {
            self = .batch(items.map { RPCRequest($0) })
        }
    }
}

/// One JSON-RPC request, or why it is invalid.
struct RPCRequest: Sendable {
    /// A string, a number or null; nil for a notification, which gets no answer.
    let id: JSONValue?
    let content: Result<Call, NodeError>

    enum Call: Sendable {
        /// eth_call, by far the most frequent, with decoded parameters.
        case call(CallMessage, BlockReference)
        /// Any method with its positional parameters.
        case method(String, RPCParameters)
    }

    /// An eth_call with decoded parameters.
    init(id: JSONValue, call: CallMessage, at block: BlockReference) {
        self.id = id
        content = .success(.call(call, block))
    }

    /// One that is invalid, and whose id is not known.
    init(_ error: NodeError) {
        id = .null
        content = .failure(error)
    }

    /// Reads a request by JSON-RPC 2.0.
    init(_ json: JSONValue) {
        guard case .object(let object) = json else {
            id = .null
            content = .failure(NodeError(code: -32600, message: "invalid request"))
            return
        }
        var version: String?
        var method: String?
        var parameters: JSONValue?
        var id: JSONValue?
        for member in object.members {
            switch member.key {
            case "jsonrpc": version = member.value.stringValue
            case "method": method = member.value.stringValue
            case "params": parameters = member.value
            case "id": id = member.value
            default: break
            }
        }
        switch id {
        case .array, .object, .bool: id = .null
        default: break
        }
        guard version == "2.0", let method else {
            // It is not even a notification, so the error is reported.
            self.id = id ?? .null
            content = .failure(NodeError(code: -32600, message: "invalid request"))
            return
        }
        self.id = id
        switch parameters {
        case nil, .null:
            content = .success(.method(method, RPCParameters(values: [])))
        case .array(let values):
            content = .success(.method(method, RPCParameters(values: values)))
        default: content = .failure(.invalidParameters("non-array args"))
        }
    }
}

struct RPCReply: Sendable {
    let id: JSONValue
    let result: Result<RPCValue, NodeError>
}

/// A result; bytes and numbers, the most frequent ones, need no JSON tree.
enum RPCValue: Sendable {
    case json(JSONValue)
    case bytes([UInt8])
}

extension RPCReply {
    func write(to output: inout [UInt8]) {
        Self.append(#"{"jsonrpc":"2.0","id":"#, to: &output)
        id.write(to: &output)
        switch result {
        case .success(.bytes(let bytes)):
            Self.append(#","result":"0x"#, to: &output)
            bytes.withUnsafeBytes { Hex.append(digitsOf: $0, to: &output) }
            Self.append(#""}"#, to: &output)
        case .success(.json(let value)):
            Self.append(#","result":"#, to: &output)
            value.write(to: &output)
            Self.append("}", to: &output)
        case .failure(let error):
            Self.append(#","error":{"code":"#, to: &output)
            output.append(contentsOf: String(error.code).utf8)
            Self.append(#","message":"#, to: &output)
            JSONValue.string(error.message).write(to: &output)
            if let data = error.data {
                Self.append(#","data":"0x"#, to: &output)
                data.withUnsafeBytes { Hex.append(digitsOf: $0, to: &output) }
                Self.append("\"", to: &output)
            }
            Self.append("}}", to: &output)
        }
    }

    private static func append(_ text: StaticString, to output: inout [UInt8]) {
        output.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
    }
}
