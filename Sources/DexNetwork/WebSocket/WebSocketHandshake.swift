import FoundationEssentials
import OpenSSL

/// The request that turns an HTTP connection into a WebSocket, and the check of its answer.
///
/// Source: RFC 6455, section 4.1
struct WebSocketHandshake: Sendable {
    /// The maximum bytes of the answer's head.
    static let maximumBytes = 16 << 10

    private let target: WebSocketAddress
    private let key: String
    private var head: [UInt8] = []

    /// - Parameter nonce: 16 unpredictable bytes.
    init(to target: WebSocketAddress, nonce: [UInt8]) {
        self.target = target
        key = Data(nonce).base64EncodedString()
    }

    /// The bytes of the request.
    var request: [UInt8] {
        let lines = [
            "GET \(target.resource) HTTP/1.1",
            "Host: \(target.host)",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: \(key)",
            "Sec-WebSocket-Version: 13",
            "User-Agent: dex",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Takes a part of the answer.
    ///
    /// - Returns: the bytes after the answer, once it is whole and right; nil before.
    /// - Throws: `WebSocketError`.
    mutating func receive(_ bytes: [UInt8]) throws(WebSocketError) -> [UInt8]? {
        let from = max(0, head.count - 3)
        head += bytes
        guard let end = Self.end(of: head, from: from) else {
            guard head.count <= Self.maximumBytes else {
                throw .badHandshake("its headers are too long")
            }
            return nil
        }
        guard end <= Self.maximumBytes else { throw .badHandshake("its headers are too long") }
        try check(String(decoding: head[..<end], as: UTF8.self))
        return Array(head[end...])
    }

    /// The index after the empty line.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= 4, start <= bytes.count - 4 else { return nil }
        return (start...(bytes.count - 4)).first { bytes[$0..<($0 + 4)].elementsEqual(mark) }
            .map { $0 + 4 }
    }

    private func check(_ text: String) throws(WebSocketError) {
        var lines = text.utf8.split(separator: 10).map { line in
            var line = Substring(line)
            if line.utf8.last == 13 { line = Substring(line.utf8.dropLast()) }
            return line
        }
        let status = lines.isEmpty ? "" : lines.removeFirst()
        let parts = status.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0] == "HTTP/1.1", parts[1].utf8.count == 3,
            let code = Int(parts[1])
        else { throw .badHandshake("it is not HTTP/1.1") }
        guard code == 101 else { throw .refused(status: code) }
        var headers: [String: [String]] = [:]
        for line in lines where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else {
                throw .badHandshake("a header has no colon")
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            let trimmed = String(value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            headers[line[..<colon].lowercased(), default: []].append(trimmed)
        }
        guard headers["upgrade"]?.map({ $0.lowercased() }) == ["websocket"] else {
            throw .badHandshake("it does not upgrade to a WebSocket")
        }
        let connection = (headers["connection"] ?? []).flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " }.lowercased() }
        guard connection.contains("upgrade") else {
            throw .badHandshake("it does not upgrade the connection")
        }
        guard headers["sec-websocket-accept"] == [Self.accept(for: key)] else {
            throw .badHandshake("it does not answer our key")
        }
        guard headers["sec-websocket-extensions"] == nil,
            headers["sec-websocket-protocol"] == nil
        else { throw .badHandshake("it chose what was not offered") }
    }

    /// The answer that proves that the server read the key as a WebSocket's.
    static func accept(for key: String) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(HashFunction.sha1.hash(Array(text.utf8))).base64EncodedString()
    }
}

/// The parts of a `ws://` or `wss://` URL.
struct WebSocketAddress: Hashable, Sendable {
    /// The same address with http or https, for libcurl.
    let url: String
    let web: WebAddress
    /// The path and the query, for the request line.
    let resource: String

    /// nil if it is not an absolute ws or wss URL.
    init?(_ text: String) {
        guard let mark = text.utf8.firstRange(of: "://".utf8) else { return nil }
        let rest = text[mark.upperBound...].prefix { $0 != "#" }
        switch text[..<mark.lowerBound].lowercased() {
        case "ws": url = "http://\(rest)"
        case "wss": url = "https://\(rest)"
        default: return nil
        }
        guard let web = WebAddress(url) else { return nil }
        self.web = web
        let path = rest.drop { $0 != "/" && $0 != "?" }
        resource = path.hasPrefix("/") ? String(path) : "/\(path)"
    }

    /// For the header: the port only where it is not the usual one.
    var host: String {
        web.port == (web.scheme == "https" ? 443 : 80) ? web.host : "\(web.host):\(web.port)"
    }
}
