import DexTestSupport
import Foundation
import StrictJSON

/// How a request to a node or a relay fails.
enum FaultKind: String, CaseIterable, Sendable {
    /// The server dies: this connection breaks, and nobody listens any more.
    case dies
    /// The connection is closed without an answer.
    case cut
    /// No answer comes, and the connection stays open.
    case hangs
    /// The answer breaks off in its middle.
    case body
    case throttled
    case throttledWithAdvice
    case unavailable
    case garbage
    /// An error in the server's own form, to what changes something.
    case error
    /// The answers are those of another chain, or of a relay for another chain.
    case otherChain
    /// The chain's id is right, but the contracts are not there.
    case otherContracts

    /// Those of a relay: it knows no contracts but the exchange's address.
    static let ofRelays = allCases.filter { $0 != .otherContracts }

    /// Whether a request can meet it: errors of reads are told apart by what is read.
    func canMeet(_ request: ScriptedRequest) -> Bool {
        self != .error || FaultCase.isWrite(request)
    }

    /// A server that died stays dead.
    var canHappenOnce: Bool { self != .dies }

    /// A server may do what it is asked and fail all the same.
    var canBeCarriedOut: Bool {
        switch self {
        case .dies, .cut, .hangs, .body, .unavailable, .garbage, .error: true
        case .throttled, .throttledWithAdvice, .otherChain, .otherContracts: false
        }
    }

    /// What the client gets in place of the genuine answer.
    ///
    /// - Parameter genuine: the whole answer of the server behind; nil where it was not asked.
    func serve(
        _ connection: ScriptedConnection,
        _ request: ScriptedRequest,
        genuine: [UInt8]?
    ) {
        switch self {
        case .dies, .cut: break
        case .hangs: connection.waitForClose()
        case .body:
            let whole = genuine ?? ScriptedAnswer(body: #"{"jsonrpc":"2.0","id":0,"re"#).bytes
            connection.write(Array(whole.prefix(whole.count - max(1, whole.count / 4))))
        case .throttled: connection.write(ScriptedAnswer("429 Too Many Requests").bytes)
        case .throttledWithAdvice:
            let headers = ["Retry-After: 1"]
            connection.write(ScriptedAnswer("429 Too Many Requests", headers: headers).bytes)
        case .unavailable: connection.write(ScriptedAnswer("503 Service Unavailable").bytes)
        case .garbage: connection.write(ScriptedAnswer(body: "{\"jsonrpc\":\"2.0\",,}").bytes)
        case .error:
            connection.write(Self.error(isOfRelay: request.target != "/"))
        case .otherChain, .otherContracts:
            let body =
                request.target == "/"
                ? otherNode(request, genuine: genuine)
                : Self.otherRelay(request, genuine: genuine)
            connection.write(body)
        }
    }

    /// An error that says nothing about what was done, as a node or a gateway before a relay gives it.
    static func error(isOfRelay: Bool) -> [UInt8] {
        let words = #""error":{"code":-32603,"message":"Internal error"}"#
        return isOfRelay
            ? ScriptedAnswer("403 Forbidden", body: #"{"reason":"Internal error",\#(words)}"#).bytes
            : ScriptedAnswer(body: #"{"jsonrpc":"2.0","id":0,\#(words)}"#).bytes
    }

    /// The server behind must have answered for this one to be made of it.
    var needsGenuine: Bool { self == .body || self == .otherChain || self == .otherContracts }

    // MARK: Another chain

    private func otherNode(_ request: ScriptedRequest, genuine: [UInt8]?) -> [UInt8] {
        guard let json = try? JSONParser.parse(request.body) else { return [] }
        let known = Self.results(genuine)
        let answers = (json.arrayValue ?? [json]).map { call in
            let id = call["id"]?.numberText ?? "0"
            let content: String
            switch call["method"]?.stringValue {
            case "eth_chainId" where self == .otherChain: content = #""result":"0x1""#
            case "eth_call": content = #""result":"0x""#
            case "eth_getTransactionByHash" where self == .otherChain,
                "eth_getTransactionReceipt" where self == .otherChain:
                content = #""result":null"#
            case "eth_getTransactionCount" where self == .otherChain: content = #""result":"0x0""#
            case "eth_sendRawTransaction" where self == .otherChain:
                content =
                    #""error":{"code":-32000,"message":"invalid sender: invalid chain id for "#
                    + #"signer: have 1337 want 1"}"#
            default: content = known[id] ?? #""error":{"code":-32000,"message":"no such block"}"#
            }
            return #"{"jsonrpc":"2.0","id":\#(id),\#(content)}"#
        }
        let body =
            json.arrayValue == nil ? answers.joined() : "[\(answers.joined(separator: ","))]"
        return ScriptedAnswer(body: body).bytes
    }

    /// The genuine results or errors by id, as members.
    private static func results(_ genuine: [UInt8]?) -> [String: String] {
        guard let genuine, let end = genuine.firstRange(of: Array("\r\n\r\n".utf8)),
            let json = try? JSONParser.parse(Array(genuine[end.upperBound...]))
        else { return [:] }
        var results: [String: String] = [:]
        for answer in json.arrayValue ?? [json] {
            guard let id = answer["id"]?.numberText else { continue }
            for key in ["result", "error"] {
                if let value = answer[key] { results[id] = "\"\(key)\":\(value.text)" }
            }
        }
        return results
    }

    /// A relay of another chain: its orders name another exchange, and it refuses ours.
    private static func otherRelay(_ request: ScriptedRequest, genuine: [UInt8]?) -> [UInt8] {
        guard request.method == "GET", let genuine else {
            let body = #"""
                {"code":100,"reason":"Validation failed","validationErrors":[{"field":\#
                "exchangeContractAddress","code":1002,"reason":"It is not our exchange"}]}
                """#
            return ScriptedAnswer("400 Bad Request", body: body).bytes
        }
        let text = String(decoding: genuine, as: UTF8.self)
        return Array(
            text.replacingOccurrences(
                of: "0x12459c951127e0c374ff9105dda097662a027093",
                with: "0x48bacb9266a570d521063ef5dd96e61686dbe788"
            ).utf8
        )
    }
}
