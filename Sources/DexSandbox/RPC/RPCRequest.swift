import StrictJSON

/// One JSON-RPC request, or what makes it none.
struct RPCRequest: Sendable {
    /// A string, a number or null; nil for a notification, which gets no answer.
    let id: JSONValue?
    let content: Result<Call, NodeError>

    /// The method and its positional parameters.
    struct Call: Sendable {
        let method: String
        let parameters: RPCParameters
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
            // Not even a notification, so it is told.
            self.id = id ?? .null
            content = .failure(NodeError(code: -32600, message: "invalid request"))
            return
        }
        self.id = id
        switch parameters {
        case nil, .null:
            content = .success(Call(method: method, parameters: RPCParameters(values: [])))
        case .array(let values):
            content = .success(Call(method: method, parameters: RPCParameters(values: values)))
        default: content = .failure(.invalidParameters("non-array args"))
        }
    }
}

/// What a request is answered with.
struct RPCReply: Sendable {
    let id: JSONValue
    let result: Result<RPCValue, NodeError>
}

/// A result; bytes and numbers, the most frequent, need no JSON tree.
enum RPCValue: Sendable {
    case json(JSONValue)
    case bytes([UInt8])
}

extension RPCReply {
    /// Appends the answer as JSON.
    func write(to output: inout [UInt8]) {
        output.append(contentsOf: #"{"jsonrpc":"2.0","id":"#.utf8)
        id.write(to: &output)
        switch result {
        case .success(.bytes(let bytes)):
            output.append(contentsOf: #","result":"0x"#.utf8)
            Self.append(hex: bytes, to: &output)
            output.append(contentsOf: #""}"#.utf8)
        case .success(.json(let value)):
            output.append(contentsOf: #","result":"#.utf8)
            value.write(to: &output)
            output.append(UInt8(ascii: "}"))
        case .failure(let error):
            output.append(contentsOf: #","error":{"code":"#.utf8)
            output.append(contentsOf: String(error.code).utf8)
            output.append(contentsOf: #","message":"#.utf8)
            JSONValue.string(error.message).write(to: &output)
            if let data = error.data {
                output.append(contentsOf: #","data":"0x"#.utf8)
                Self.append(hex: data, to: &output)
                output.append(UInt8(ascii: "\""))
            }
            output.append(contentsOf: "}}".utf8)
        }
    }

    private static func append(hex bytes: [UInt8], to output: inout [UInt8]) {
        output.reserveCapacity(output.count + 2 * bytes.count + 2)
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
