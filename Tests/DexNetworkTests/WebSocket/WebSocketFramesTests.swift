import Testing

@testable import DexNetwork

/// Frames as a server writes them, byte by byte.
enum ServerFrame {
    static func text(_ text: String, isLast: Bool = true) -> [UInt8] {
        frame(isLast ? 0x81 : 0x01, Array(text.utf8))
    }

    static func more(_ text: String, isLast: Bool) -> [UInt8] {
        frame(isLast ? 0x80 : 0x00, Array(text.utf8))
    }

    static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var bytes = [first]
        if payload.count < 126 {
            bytes.append(UInt8(payload.count))
        } else if payload.count < 65_536 {
            bytes += [126, UInt8(payload.count / 256), UInt8(payload.count % 256)]
        } else {
            bytes += [127, 0, 0, 0, 0, 0]
            bytes += [16, 8, 0].map { UInt8(truncatingIfNeeded: payload.count >> $0) }
        }
        return bytes + payload
    }
}

@Suite("The frames of a WebSocket")
struct WebSocketFramesTests {
    private func frames(_ change: (inout WebSocketLimits) -> Void = { _ in }) -> WebSocketFrames {
        var limits = WebSocketLimits()
        change(&limits)
        return WebSocketFrames(limits: limits) { 0x0102_0304 }
    }

    private func error(_ bytes: [UInt8], _ frames: WebSocketFrames) -> (WebSocketError?, [UInt8]) {
        var frames = frames
        do throws(WebSocketError) {
            _ = try frames.receive(bytes)
            return (nil, frames.outgoing)
        } catch {
            return (error, frames.outgoing)
        }
    }

    /// The close frame that we send with a code, masked with 01 02 03 04.
    private func close(_ code: UInt16) -> [UInt8] {
        let (high, low) = (UInt8(code >> 8) ^ 1, UInt8(code & 0xFF) ^ 2)
        return [0x88, 0x82, 1, 2, 3, 4, high, low]
    }

    @Test(
        "texts of every length come whole, however the bytes are cut",
        arguments: [1, 2, 7, 5_000]
    )
    func texts(cut: Int) throws {
        let texts = [
            "", "a", String(repeating: "ü", count: 100), String(repeating: "x", count: 70_000),
        ]
        let bytes = texts.flatMap { ServerFrame.text($0) }
        var frames = frames()
        var received: [String] = []
        for start in stride(from: 0, to: bytes.count, by: cut) {
            received += try frames.receive(bytes[start..<min(start + cut, bytes.count)])
        }
        #expect(received == texts)
        #expect(frames.outgoing.isEmpty)
    }

    @Test("parts make one message, with a ping between them answered at once")
    func parts() throws {
        var frames = frames()
        let bytes =
            ServerFrame.text("a", isLast: false) + ServerFrame.frame(0x89, [7, 8])
            + ServerFrame.more("b", isLast: false) + ServerFrame.more("c", isLast: true)
        #expect(try frames.receive(bytes) == ["abc"])
        #expect(frames.outgoing == [0x8A, 0x82, 1, 2, 3, 4, 6, 10])
    }

    @Test("what we send is masked, with the length in its shortest form")
    func sending() {
        var frames = frames()
        frames.send("abcde")
        let masked: [UInt8] = [0x60, 0x60, 0x60, 0x60, 0x64]
        let header: [UInt8] = [0x81, 0x85, 1, 2, 3, 4]
        #expect(frames.outgoing == header + masked)
        frames.sent(frames.outgoing.count)
        frames.send(String(repeating: "x", count: 126))
        #expect(frames.outgoing.prefix(4) == [0x81, 0xFE, 0, 126])
        frames.sent(frames.outgoing.count)
        frames.send(String(repeating: "x", count: 65_536))
        #expect(frames.outgoing.prefix(10) == [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0])
    }

    private static let broken: [UInt16: [[UInt8]]] = [
        1002: [
            [0xC1, 0], [0x83, 0], [0x81, 0x80, 0, 0, 0, 0], [0x09, 0], [0x89, 126, 0, 126],
            [0x80, 0], [0x81, 126, 0, 5], [0x81, 127, 0, 0, 0, 0, 0, 0, 1, 0],
            [0x01, 0, 0x81, 0], [0x88, 1, 3], [0x88, 2, 3, 0xED], [0x88, 2, 0, 0],
        ],
        1003: [[0x82, 1, 0]],
        1007: [[0x81, 1, 0xFF], [0x01, 1, 0xC3, 0x80, 1, 0x28], [0x88, 3, 3, 0xE8, 0xFF]],
        1009: [
            [0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0],
        ],
    ]

    @Test(
        "a broken rule ends it with the code of the rule",
        arguments: [1002, 1003, 1007, 1009] as [UInt16]
    )
    func violations(code: UInt16) throws {
        for bytes in try #require(Self.broken[code]) {
            let (error, outgoing) = error(bytes, frames())
            #expect(error != nil, "\(bytes)")
            #expect(outgoing == close(code), "\(bytes)")
        }
    }

    @Test("a message may be as large as the limit, and no byte more, in parts or as one")
    func size() throws {
        let small = frames { $0.message = 10 }
        var one = small
        #expect(try one.receive(ServerFrame.text("0123456789")) == ["0123456789"])
        #expect(error(ServerFrame.text("0123456789x"), small).0 == .tooLarge(bytes: 10))
        let parts = ServerFrame.text("01234567", isLast: false)
        let end = ServerFrame.more("890", isLast: true)
        #expect(error(parts + end, small).0 == .tooLarge(bytes: 10))
    }

    @Test("parts without end, even empty ones, end it")
    func endless() {
        let few = frames { $0.fragments = 3 }
        let bytes =
            ServerFrame.text("", isLast: false)
            + (0..<3).flatMap { _ in ServerFrame.more("", isLast: false) }
        guard case .violation = error(bytes, few).0 else {
            Issue.record("expected a violation")
            return
        }
    }

    @Test("a flood of pings that nobody reads the answers of ends it")
    func pings() {
        let small = frames { $0.unsent = 1_000 }
        let flood = (0..<200).flatMap { _ in ServerFrame.frame(0x89, [1, 2, 3, 4]) }
        #expect(error(flood, small).0 == .unread)
    }

    @Test("a close is answered with its code, and its reason told")
    func closing() {
        let bytes = ServerFrame.frame(0x88, [0x03, 0xF5] + Array("slow".utf8))
        let (error, outgoing) = error(bytes, frames())
        #expect(error == .closed(code: 1013, reason: "slow"))
        #expect(outgoing == close(1013))
        #expect(self.error([0x88, 0], frames()).0 == .closed(code: nil, reason: ""))
    }
}

@Suite("The upgrade to a WebSocket")
struct WebSocketHandshakeTests {
    private func handshake(_ url: String = "ws://127.0.0.1:80/v0/ws?key=1") throws
        -> WebSocketHandshake
    {
        _ = try CurlLibrary.load("libcurl.so.4")
        // The nonce of RFC 6455's own example: "the sample nonce".
        return WebSocketHandshake(
            to: try #require(WebSocketAddress(url)),
            nonce: Array("the sample nonce".utf8)
        )
    }

    private static let answer = """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: WebSocket\r
        Connection: keep-alive, Upgrade\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r
        \r\n
        """

    @Test("the request is as the protocol demands")
    func request() throws {
        let text = String(decoding: try handshake().request, as: UTF8.self)
        #expect(text.hasPrefix("GET /v0/ws?key=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"))
        #expect(text.contains("\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"))
        #expect(text.contains("\r\nSec-WebSocket-Version: 13\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
        let other = try handshake("wss://[::1]:8443").request
        let start = "GET / HTTP/1.1\r\nHost: [::1]:8443\r\n"
        #expect(String(decoding: other, as: UTF8.self).hasPrefix(start))
    }

    @Test("a right answer is taken, whole or byte by byte, and what follows is kept")
    func right() throws {
        var whole = try handshake()
        #expect(try whole.receive(Array((Self.answer + "rest").utf8)) == Array("rest".utf8))
        var cut = try handshake()
        for byte in Self.answer.utf8.dropLast() { #expect(try cut.receive([byte]) == nil) }
        #expect(try cut.receive([10]) == [])
    }

    @Test(
        "a lie in the answer is found",
        arguments: [
            ("HTTP/1.1 101", "HTTP/1.1 200"), ("HTTP/1.1 101", "HTTP/1.0 101"),
            ("HTTP/1.1 101", "SSH-2.0"), ("Upgrade: WebSocket", "Upgrade: h2c"),
            ("keep-alive, Upgrade", "close"), ("xOo=", "xOp="), ("Sec-WebSocket-Accept", "X"),
            ("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
            ("\r\n\r\n", "\r\nSec-WebSocket-Protocol: chat\r\n\r\n"),
            ("Connection:", "Connection"),
        ]
    )
    func lies(part: String, lie: String) throws {
        var handshake = try handshake()
        let text = Self.answer.replacing(part, with: lie, maxReplacements: 1)
        let error = #expect(throws: WebSocketError.self) {
            try handshake.receive(Array(text.utf8))
        }
        #expect(error?.isPermanent == true)
    }

    @Test("headers without end are not collected")
    func endless() throws {
        var handshake = try handshake()
        #expect(throws: WebSocketError.badHandshake("its headers are too long")) {
            for _ in 0..<1_000 {
                _ = try handshake.receive(Array(repeating: UInt8(ascii: "a"), count: 1_000))
            }
        }
    }

    @Test(
        "only ws and wss URLs are addresses",
        arguments: ["http://a/", "ws:/a", "", "wss://", "ws://a b"]
    )
    func addresses(url: String) throws {
        try CurlLibrary.load("libcurl.so.4")
        #expect(WebSocketAddress(url) == nil)
    }
}

extension WebSocketFrames {
    /// The messages that bytes without an error complete.
    fileprivate mutating func receive(
        _ bytes: some Collection<UInt8>
    ) throws(WebSocketError) -> [String] {
        var messages: [String] = []
        try receive(bytes) { messages.append($0) }
        return messages
    }
}
