import Ethereum
import StrictJSON

@testable import DexNetwork

/// A node in memory: answers each call of a request by a closure, as a proper node would.
struct FakeNode: Sendable {
    /// A call's method and parameters.
    struct Call: Sendable {
        let id: String
        let method: String
        let parameters: [JSONValue]
    }

    /// The calls in a request's body, and whether they came as a batch.
    static func calls(in body: [UInt8]) throws -> (calls: [Call], isBatch: Bool) {
        let json = try JSONParser.parse(body)
        let calls = (json.arrayValue ?? [json]).map { element in
            Call(
                id: element["id"]?.numberText ?? "?",
                method: element["method"]?.stringValue ?? "?",
                parameters: element["params"]?.arrayValue ?? []
            )
        }
        return (calls, json.arrayValue != nil)
    }

    /// One answer.
    static func answer(_ id: String, _ result: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    /// One error.
    static func error(_ id: String, code: Int, _ message: String, data: String? = nil) -> String {
        let data = data.map { #","data":\#($0)"# } ?? ""
        return
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"message":"\#(message)"\#(data)}}"#
    }

    /// The body with one answer for each call.
    static func body(
        _ request: HTTPRequest,
        _ answer: (Call) -> String
    ) -> String {
        guard let (calls, isBatch) = try? calls(in: request.body) else { return "bad request" }
        let answers = calls.map(answer)
        return isBatch ? "[\(answers.joined(separator: ","))]" : answers.joined()
    }

    /// The first byte of the data of an eth_call, echoed as its result.
    static func echo(_ call: Call) -> String {
        let data = call.parameters.first?["data"]?.stringValue ?? "0x"
        return FakeNode.answer(call.id, "\"\(data)\"")
    }
}

extension ChainRead {
    /// An eth_call whose data is a number.
    static func numbered(_ number: Int) -> ChainRead {
        .call(
            CallRequest(to: .zero, data: UInt256(UInt64(number)).bigEndianBytes),
            .number(7)
        )
    }
}
