import DexTestSupport
import StrictJSON

/// A way in which a relay or a node may fail.
struct Misbehaviour: Sendable {
    let name: String
    /// The codes with which it may be told, without `node-` or `relay-`.
    let codes: Set<String>
    /// Being unreachable so is nothing that another try helps against.
    private(set) var isPermanent = false
    /// It leaves the client waiting.
    private(set) var isQuiet = false
    let serve: @Sendable (ScriptedConnection, ScriptedRequest) -> Void

    init(
        _ name: String,
        codes: Set<String>,
        isQuiet: Bool = false,
        _ serve: @escaping @Sendable (ScriptedConnection, ScriptedRequest) -> Void
    ) {
        self.name = name
        self.codes = codes
        self.isQuiet = isQuiet
        self.serve = serve
    }

    /// One that answers and closes.
    init(
        _ name: String,
        codes: Set<String>,
        status: String = "200 OK",
        type: String = "application/json",
        headers: [String] = [],
        isPermanent: Bool = false,
        body: @escaping @Sendable (ScriptedRequest) -> String
    ) {
        self.init(name, codes: codes) { connection, request in
            let answer = ScriptedAnswer(
                status,
                headers: ["Content-Type: \(type)", "Connection: close"] + headers,
                body: body(request)
            )
            connection.write(answer.bytes)
        }
        self.isPermanent = isPermanent
    }

    /// What a terminal would take for commands: colours, a title, a bell, an override.
    static let escapes = "\u{1B}[31mEVIL\u{1B}]0;title\u{07}\u{9B}2J\u{202E}\u{2028}\r\n\u{0}"
    /// The same in JSON.
    static let escapesInJSON =
        #"\u001b[31mEVIL\u001b]0;title\u0007\u009b2J\u202e\u2028\r\n\u0000 \ud83d\ude00"#

    private static let html = "<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>"

    /// What both kinds of servers may do.
    static let common: [Misbehaviour] = [
        Misbehaviour("silence", codes: ["unreachable"], isQuiet: true) { connection, _ in
            connection.waitForClose()
        },
        Misbehaviour("silence in the middle", codes: ["unreachable"], isQuiet: true) {
            connection,
            _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n[{")
            connection.waitForClose()
        },
        Misbehaviour("closing without a word", codes: ["unreachable"]) { _, _ in },
        Misbehaviour("cut off in the middle", codes: ["unreachable"]) { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n{\"jsonrpc\":")
        },
        Misbehaviour("no HTTP", codes: ["unreachable", "nonsense"]) { connection, _ in
            connection.write("220 mail.example ESMTP \(escapes)\r\n")
        },
        Misbehaviour(
            "rate limit",
            codes: ["rate-limited"],
            status: "429 Too Many Requests",
            headers: ["Retry-After: 3600"]
        ) { _ in "slow down" },
        Misbehaviour("HTML", codes: ["nonsense"], type: "text/html") { _ in html },
        Misbehaviour(
            "a gateway's HTML",
            codes: ["unreachable"],
            status: "502 Bad Gateway",
            type: "text/html"
        ) { _ in html },
        Misbehaviour(
            "no page",
            codes: ["unreachable"],
            status: "404 Not Found",
            isPermanent: true
        ) { _ in "\(escapes) not found" },
        Misbehaviour("broken JSON", codes: ["nonsense"]) { _ in #"{"jsonrpc":"2.0","id":1,"# },
        Misbehaviour("JSON of another shape", codes: ["nonsense"]) { _ in
            #"{"hello":["\#(escapesInJSON)"]}"#
        },
        Misbehaviour("null", codes: ["nonsense"]) { _ in "null" },
        Misbehaviour("a number", codes: ["nonsense"]) { _ in "1e999999999" },
        Misbehaviour("no bytes", codes: ["nonsense"]) { _ in "" },
        Misbehaviour("deep JSON", codes: ["nonsense"]) { _ in
            String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        },
        Misbehaviour("a gigabyte", codes: ["nonsense", "unreachable"]) { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n")
            let piece = [UInt8](repeating: 0x20, count: 1 << 20)
            for _ in 0..<1024 where !connection.write(piece) { return }
        },
        Misbehaviour("a body without end", codes: ["nonsense", "unreachable"]) { connection, _ in
            connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let piece = [UInt8](repeating: 0x20, count: 1 << 20)
            let chunk = Array("100000\r\n".utf8) + piece + Array("\r\n".utf8)
            while connection.write(chunk) {}
        },
    ]

    /// What only a node can do.
    static let nodes: [Misbehaviour] = [
        node("numbers beyond 256 bits") { _ in
            "\"result\":\"0x1\(String(repeating: "0", count: 64))\""
        },
        node("numbers that are none") { _ in #""result":"0xzz""# },
        node("bare numbers beyond 64 bits") { _ in
            "\"result\":1\(String(repeating: "0", count: 30))"
        },
        node("results of null") { _ in #""result":null"# },
        node("bytes of an odd number of digits") { method in
            method == "eth_chainId" ? #""result":"0x539""# : #""result":"0x123""#
        },
        node("words of the length of an attack") { method in
            method == "eth_chainId"
                ? #""result":"0x539""# : "\"result\":\"0x\(String(repeating: "f", count: 64))\""
        },
        node("errors full of escapes", codes: ["error"]) { _ in
            #""error":{"code":-32000,"message":"\#(escapesInJSON)","data":"\#(escapesInJSON)"}"#
        },
    ]

    /// What only a relay can do, with 7 where it refuses.
    static let relays: [Misbehaviour] = [
        Misbehaviour("reasons full of escapes", codes: ["refused"], status: "400 Bad") {
            _ in
            #"{"code":100,"reason":"\#(escapesInJSON)","validationErrors":["#
                + #"{"field":"\#(escapesInJSON)","code":1001,"reason":"\#(escapesInJSON)"}]}"#
        },
        Misbehaviour("fees beyond 256 bits", codes: ["nonsense"]) { request in
            let huge = "1\(String(repeating: "0", count: 80))"
            return request.method == "POST"
                ? #"{"feeRecipient":"0x0000000000000000000000000000000000000000","#
                    + #""makerFee":"\#(huge)","takerFee":"\#(huge)"}"#
                : #"{"bids":\#(huge),"asks":\#(huge)}"#
        },
    ]

    /// A node that answers each call of a request with the same.
    private static func node(
        _ name: String,
        codes: Set<String> = ["nonsense", "error"],
        _ answer: @escaping @Sendable (_ method: String) -> String
    ) -> Misbehaviour {
        Misbehaviour(name, codes: codes) { request in
            guard let json = try? JSONParser.parse(request.body) else { return "" }
            let answers = (json.arrayValue ?? [json]).map { call in
                let id = call["id"]?.numberText ?? "null"
                return
                    #"{"jsonrpc":"2.0","id":\#(id),\#(answer(call["method"]?.stringValue ?? ""))}"#
            }
            return json.arrayValue == nil ? answers.joined() : "[\(answers.joined(separator: ","))]"
        }
    }
}
