package import StrictJSON

/// What a client wrote in one line.
///
/// Source: https://www.jsonrpc.org/specification
package enum MCPMessage: Equatable, Sendable {
    case request(MCPRequest)
    /// Asks for no answer, and gets none.
    case notification(method: String, params: JSONObject)
    /// An answer, though nothing was asked.
    case answer
    /// No request; `id` is null where it cannot be told.
    case fault(MCPFault, id: JSONValue)

    /// The most values of a message.
    private static let maximumValues = 20_000
    /// The most bytes of an id.
    private static let longestID = 256

    package init(_ bytes: [UInt8]) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes, maximumValues: Self.maximumValues)
        } catch {
            self = .fault(.parse(error.problem, offset: error.offset), id: .null)
            return
        }
        guard case .object(let object) = value else {
            let isBatch = value.arrayValue != nil
            self = .fault(.invalid(isBatch ? "a batch" : "no object"), id: .null)
            return
        }
        self.init(object)
    }

    private init(_ object: JSONObject) {
        let given = object["id"]
        let id = given.flatMap(Self.id)
        func invalid(_ what: String) -> MCPMessage { .fault(.invalid(what), id: id ?? .null) }
        guard given == nil || id != nil else {
            self = invalid("its id is neither a string nor an integer")
            return
        }
        guard object["jsonrpc"] == "2.0" else {
            self = invalid("its \"jsonrpc\" is not \"2.0\"")
            return
        }
        guard let method = object["method"] else {
            let isAnswer = object["result"] != nil || object["error"] != nil
            self = isAnswer ? .answer : invalid("it has no method")
            return
        }
        guard let method = method.stringValue else {
            self = invalid("its method is no string")
            return
        }
        let params = object["params"] ?? [:]
        guard let params = params.objectValue else {
            self =
                id.map { .fault(.parameters("params is no object."), id: $0) }
                ?? .notification(method: method, params: JSONObject())
            return
        }
        self =
            id.map { .request(MCPRequest(id: $0, method: method, params: params)) }
            ?? .notification(method: method, params: params)
    }

    /// A string or an integer, as it was written: 2^53 and beyond come back digit for digit.
    package static func id(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .string(let text): text.utf8.count <= longestID ? value : nil
        case .number(let text):
            text.utf8.count <= longestID
                && text.utf8.dropFirst(text.hasPrefix("-") ? 1 : 0).allSatisfy {
                    (0x30...0x39).contains($0)
                } ? value : nil
        default: nil
        }
    }
}

/// A request: it gets exactly one answer, unless the client withdraws it.
package struct MCPRequest: Equatable, Sendable {
    /// A string or an integer.
    package let id: JSONValue
    package let method: String
    package let params: JSONObject

    package init(id: JSONValue, method: String, params: JSONObject) {
        self.id = id
        self.method = method
        self.params = params
    }
}
