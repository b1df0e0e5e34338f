import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import HTTPServing

/// Answers on a connection's own event loop, beside an application's.
@Suite("Answers that are ready at once")
struct DirectAnswerTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(
            handler: DirectAnswers(
                DirectSource { request, peer in
                    guard request.path == "/ready" else { return nil }
                    return DirectAnswer(
                        status: .ok,
                        headers: [.contentType: "text/plain"],
                        body: ByteBuffer(string: "for \(peer)")
                    )
                }
            )
        )
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
    }

    private func send(
        _ path: String,
        method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:]
    ) throws {
        let head = HTTPRequest(
            method: method,
            scheme: "http",
            authority: "relay.test",
            path: path,
            headerFields: headers
        )
        try channel.writeInbound(HTTPRequestPart.head(head))
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    /// What the application got: the paths of its requests.
    private func passed() throws -> [String] {
        var paths: [String] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .head(let head) = part { paths.append(head.path ?? "") }
        }
        return paths
    }

    /// What went out: status and length of each head, the text of bodies, "end".
    private func written() throws -> [String] {
        var parts: [String] = []
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
            switch part {
            case .head(let head):
                parts.append("\(head.status.code) \(head.headerFields[.contentLength] ?? "-")")
            case .body(let body): parts.append(String(buffer: body))
            case .end: parts.append("end")
            }
        }
        return parts
    }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .notFound)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    @Test("a ready answer goes out whole, and the application hears nothing of it")
    func ready() throws {
        try send("/ready")
        try send("/ready")
        let whole = ["200 13", "for 192.0.2.1", "end"]
        #expect(try written() == whole + whole)
        #expect(try passed() == [])
    }

    @Test("it waits for the end of its request")
    func end() throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/ready")
        try channel.writeInbound(HTTPRequestPart.head(head))
        #expect(try written() == [])
        try channel.writeInbound(HTTPRequestPart.end(nil))
        #expect(try written().count == 3)
    }

    @Test("what is not ready goes to the application")
    func other() throws {
        try send("/other")
        #expect(try passed() == ["/other"])
        try answer()
        #expect(try written() == ["404 -", "end"])
        try send("/ready")
        #expect(try written().count == 3)
    }

    @Test("answers keep the order of their requests")
    func order() throws {
        try send("/other")
        try send("/ready")
        #expect(try passed() == ["/other", "/ready"])
        #expect(try written() == [])
        try answer()
        try send("/ready")
        #expect(try passed() == ["/ready"])
        try answer()
        try answer()
        #expect(try written().count == 6)
        try send("/ready")
        #expect(try written().count == 3)
    }

    @Test("a client that does not take its answers is left to the application")
    func slowReader() throws {
        channel.isWritable = false
        try send("/ready")
        #expect(try passed() == ["/ready"])
        channel.isWritable = true
        try send("/ready")
        #expect(try passed() == ["/ready"])
        try answer()
        try answer()
        try send("/ready")
        #expect(try passed() == [])
    }

    @Test(
        "only a plain GET is answered so",
        arguments: [
            (.post, HTTPFields()), (.head, HTTPFields()), (.get, [.contentLength: "0"]),
            (.get, [.transferEncoding: "chunked"]), (.get, [.connection: "close"]),
            (.get, [.expect: "100-continue"]),
        ] as [(HTTPRequest.Method, HTTPFields)]
    )
    func plain(method: HTTPRequest.Method, headers: HTTPFields) throws {
        try send("/ready", method: method, headers: headers)
        #expect(try passed() == ["/ready"])
        #expect(try written() == [])
    }

    @Test("dates are as HTTP writes them")
    func dates() {
        #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(1_709_164_799) == "Wed, 28 Feb 2024 23:59:59 GMT")
    }
}
