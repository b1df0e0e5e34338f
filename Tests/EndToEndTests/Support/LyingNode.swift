import DexTestSupport
import StrictJSON
import Testing

/// One JSON-RPC call on its way through a node that lies.
struct NodeCall {
    let id: String
    let method: String
    /// The parameters as text, to look for addresses and functions.
    let parameters: String
    /// The honest result; nil for an error.
    let result: JSONValue?

    init(_ call: JSONValue, result: JSONValue?) {
        id = call["id"]?.numberText ?? "0"
        method = call["method"]?.stringValue ?? ""
        parameters = call["params"]?.text ?? ""
        self.result = result
    }

    /// An answer with another result.
    func answering(_ result: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    /// An answer with an error.
    func failing(_ message: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"message":"\#(message)"}}"#
    }

    /// The honest result with other members.
    func answering(with members: [String: JSONValue]) -> String? {
        guard let object = result?.objectValue else { return nil }
        var changed = object
        for (key, value) in members { changed[key] = value }
        return answering(JSONValue.object(changed).text)
    }

    /// A call of a function by its selector, without 0x.
    func calls(_ selector: String) -> Bool {
        method == "eth_call" && parameters.contains("\"data\":\"0x\(selector)")
    }
}

/// A way in which the second of two nodes lies.
struct NodeLie: Sendable {
    /// The row of docs/security.md.
    let name: String
    let command: [String]
    /// How it acts as a whole, in place of single answers.
    private(set) var act: (@Sendable (ScriptedConnection, ScriptedRequest) -> Void)?
    /// The answer to a transaction, which no honest node then gets from it.
    private(set) var onSend: (@Sendable (NodeCall) -> String)?
    /// The texts in place of the answer to a call; nil is the honest one.
    let change: @Sendable (NodeCall) -> [String]?

    static let buy = ["market-buy", "--via", "book", "ZRX/WETH", "0.1"]
    static let limit = ["place-limit", "sell", "ZRX/WETH", "1", "--price", "0.01"]
    static let send = ["send", "ZRX", "1", "0x00000000000000000000000000000000000000e1"]

    /// One answer that is a lie in place of an honest one.
    init(
        _ name: String,
        _ command: [String] = buy,
        _ change: @escaping @Sendable (NodeCall) -> String?
    ) {
        self.name = name
        self.command = command
        self.change = { call in change(call).map { [$0] } }
    }

    private init(answering name: String, _ change: @escaping @Sendable (NodeCall) -> [String]?) {
        self.name = name
        command = Self.buy
        self.change = change
    }

    /// Any number of answers in place of one.
    static func several(
        _ name: String,
        _ change: @escaping @Sendable (NodeCall) -> [String]?
    ) -> NodeLie {
        NodeLie(answering: name, change)
    }

    /// A node that misbehaves as a whole.
    static func acting(_ name: String, like misbehaviour: String) -> NodeLie {
        var lie = NodeLie(answering: name) { _ in nil }
        let all = Misbehaviour.common + Misbehaviour.nodes
        guard let known = all.first(where: { $0.name == misbehaviour }) else {
            Issue.record("there is no misbehaviour \(misbehaviour)")
            return lie
        }
        lie.act = known.serve
        return lie
    }

    /// A node that answers transactions itself, so that no honest one gets them from it.
    static func sending(
        _ name: String,
        _ answer: @escaping @Sendable (NodeCall) -> String
    ) -> NodeLie {
        var lie = NodeLie(answering: name) { _ in nil }
        lie.onSend = answer
        return lie
    }

    /// It leaves the client waiting.
    var isQuiet: Bool { name.hasPrefix("is silent") }

    /// The node before an honest one.
    func node(before rpc: String) throws -> Interposer {
        try Interposer(before: rpc) { request, _ in
            if let act { return .take { act($0, request) } }
            if let onSend, request.methods == ["eth_sendRawTransaction"] {
                let call = (try? JSONParser.parse(request.body)).map { NodeCall($0, result: nil) }
                let body = call.map(onSend) ?? ""
                return .take {
                    $0.write(ScriptedAnswer(headers: ["Connection: close"], body: body).bytes)
                }
            }
            return .replace { connection, genuine in
                connection.write(answer(to: request, genuine))
            }
        }
    }

    private func answer(to request: ScriptedRequest, _ genuine: [UInt8]) -> [UInt8] {
        guard let end = genuine.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound,
            let asked = try? JSONParser.parse(request.body),
            let reported = try? JSONParser.parse(Array(genuine[end...]))
        else { return genuine }
        let answers = reported.arrayValue ?? [reported]
        let texts = (asked.arrayValue ?? [asked]).flatMap { call -> [String] in
            let id = call["id"]?.numberText ?? "0"
            let honest = answers.first { $0["id"]?.numberText == id }
            let changed = change(NodeCall(call, result: honest?["result"]))
            return changed ?? honest.map { [$0.text] } ?? []
        }
        let isBatch = asked.arrayValue != nil
        return ScriptedAnswer(
            headers: ["Content-Type: application/json", "Connection: close"],
            body: isBatch ? "[\(texts.joined(separator: ","))]" : texts.joined()
        ).bytes
    }
}
