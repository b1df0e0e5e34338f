import DexTestSupport
import HTTPServing
import NIOCore
import Testing

private typealias Client = FrameClient

/// Over real sockets, with a client that can break every rule.
@Suite("WebSockets beside HTTP")
struct WebSocketServerTests {
    private let fixture = WebSocketFixture()

    @Test("the handshake has the RFC's accept value, and messages go both ways")
    func handshake() async throws {
        try await fixture.serve { port, _ in
            let client = try Client(port: port)
            try await client.send(Client.request("/echo"))
            let head = try await client.head()
            #expect(head.status == 101)
            #expect(head.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
            #expect(head.headers["upgrade"] == "websocket")
            #expect(head.headers["connection"] == "upgrade")
            #expect(head.headers["sec-websocket-extensions"] == nil)
            for text in [
                "", "a", String(repeating: "é", count: 63), String(repeating: "b", count: 900),
            ] {
                try await client.send(Client.text(text))
                #expect(try await client.message() == text)
            }
        }
    }

    @Test("a connection that served HTTP upgrades too, as proxies do, and a query is no other path")
    func upgradeLater() async throws {
        try await fixture.serve { port, _ in
            let client = try Client(port: port)
            for _ in 0..<2 {
                try await client.send(Array("GET /plain HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
                #expect(try await client.head().status == 200)
                #expect(try await client.body(5) == "plain")
            }
            try await client.send(Client.request("/echo/?a=b"))
            #expect(try await client.head().status == 101)
            try await client.send(Client.text("later"))
            #expect(try await client.message() == "later")
        }
    }

    @Test("frames that come in one packet with the handshake are read, byte by byte too")
    func early() async throws {
        try await fixture.serve { port, _ in
            let client = try Client(port: port)
            try await client.send(Client.request("/echo") + Client.text("early"))
            #expect(try await client.head().status == 101)
            #expect(try await client.message() == "early")
            for byte in Client.text("slow") { try await client.send([byte]) }
            #expect(try await client.message() == "slow")
        }
    }

    @Test("a refused handshake gets an HTTP status, and the connection ends")
    func refusals() async throws {
        try await fixture.serve { port, _ in
            func answer(_ request: [UInt8]) async throws -> (Client.Head, String) {
                let client = try Client(port: port)
                try await client.send(request)
                let head = try await client.head()
                return (head, String(decoding: try await client.rest(), as: UTF8.self))
            }
            let (version, _) = try await answer(
                Client.request(
                    "/echo",
                    headers: ["Sec-WebSocket-Version: 8"],
                    without: "Sec-WebSocket-Version"
                )
            )
            #expect(version.status == 426)
            #expect(version.headers["sec-websocket-version"] == "13")
            for key in [
                "", "Sec-WebSocket-Key: short", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25j!Q==",
            ] {
                let (head, _) = try await answer(
                    Client.request(
                        "/echo",
                        headers: key.isEmpty ? [] : [key],
                        without: "Sec-WebSocket-Key"
                    )
                )
                #expect(head.status == 400, "\(key)")
            }
            let (twice, _) = try await answer(
                Client.request("/echo", headers: ["Sec-WebSocket-Key: \(Client.key)"])
            )
            #expect(twice.status == 400)
            let (closed, body) = try await answer(
                Client.request("/closed", headers: ["Origin: http://evil.test"])
            )
            #expect(closed.status == 503)
            #expect(closed.headers["retry-after"] == "7")
            #expect(body == "closed to http://evil.test")
            // Not a WebSocket's path, method or version: HTTP answers, and ends the connection.
            let (unknown, _) = try await answer(Client.request("/other"))
            #expect(unknown.status == 404)
            let plain = String(decoding: Client.request("/plain"), as: UTF8.self)
            let (other, text) = try await answer(
                Array(plain.replacing("Upgrade: websocket", with: "Upgrade: h2c").utf8)
            )
            #expect(other.status == 200)
            #expect(text == "plain")
            let echo = String(decoding: Client.request("/echo"), as: UTF8.self)
            let (old, _) = try await answer(
                Array(echo.replacing("HTTP/1.1", with: "HTTP/1.0").utf8)
            )
            #expect(old.status == 404)
        }
    }

    /// What a client does wrong, and the close code that it gets.
    static let violations: [(String, [UInt8], Int)] = [
        ("unmasked", Client.frame(1, [65], isMasked: false), 1002),
        ("reserved bit", Client.frame(1, [65], flags: 0xC0), 1002),
        ("opcode 3", Client.frame(3), 1002),
        ("opcode 15", Client.frame(15), 1002),
        ("fragmented ping", Client.frame(9, [65], flags: 0), 1002),
        ("long ping", Client.frame(9, [UInt8](repeating: 65, count: 126)), 1002),
        ("continuation of nothing", Client.frame(0, [65]), 1002),
        ("message in a message", Client.frame(1, [65], flags: 0) + Client.frame(1, [65]), 1002),
        ("binary", Client.frame(2, [65]), 1003),
        ("binary fragment", Client.frame(2, [65], flags: 0), 1003),
        ("not UTF-8", Client.frame(1, [0xC3, 0x28]), 1007),
        ("surrogate", Client.frame(1, [0xED, 0xA0, 0x80]), 1007),
        ("cut UTF-8", Client.frame(1, [0xC3], flags: 0) + Client.frame(0, []), 1007),
        ("half a close code", Client.frame(8, [3]), 1002),
        ("close 999", Client.close(999), 1002),
        ("close 1005", Client.close(1005), 1002),
        ("close 1006", Client.close(1006), 1002),
        ("close 2000", Client.close(2000), 1002),
        ("close reason not UTF-8", Client.frame(8, [3, 232, 0xFF]), 1007),
        ("1,001 bytes", Client.frame(1, [UInt8](repeating: 65, count: 1_001)), 1009),
        ("a promise of 2^40 bytes", Client.frame(1, length: 1 << 40), 1009),
        ("a length above 2^63", Client.frame(1, length: 1 << 63), 1009),
        (
            "1,200 bytes in fragments",
            Client.frame(1, [UInt8](repeating: 65, count: 600), flags: 0)
                + Client.frame(0, [UInt8](repeating: 65, count: 600)), 1009
        ),
    ]

    @Test("each violation ends the connection with its close code", arguments: violations.indices)
    func violation(_ index: Int) async throws {
        let (name, bytes, code) = Self.violations[index]
        try await fixture.serve { port, _ in
            let client = try await Client.open(port: port, path: "/echo")
            // What follows a violation is not read.
            try await client.send(bytes + Client.text("after"))
            #expect(try await client.frame()?.closeCode == code, "\(name)")
            #expect(try await client.frame() == nil, "\(name)")
        }
        #expect(fixture.ends.all == [.server(WebSocketCloseCode(UInt16(code)))], "\(name)")
    }

    @Test("fragments make one message, with pings between them and characters across them")
    func fragments() async throws {
        try await fixture.serve { port, _ in
            let client = try await Client.open(port: port, path: "/echo")
            try await client.send(
                Client.frame(1, [0x61, 0xC3], flags: 0) + Client.frame(9, [1, 2, 3])
                    + Client.frame(0, [], flags: 0) + Client.frame(10, [9])
                    + Client.frame(0, [0xA9, 0x62])
            )
            let pong = try await client.frame()
            #expect(pong?.opcode == 10)
            #expect(pong?.payload == [1, 2, 3])
            #expect(try await client.message() == "aéb")
        }
    }

    @Test("a Close frame is answered with its code, or with none, and the server ends")
    func closing() async throws {
        try await fixture.serve { port, _ in
            let first = try await Client.open(port: port, path: "/echo")
            try await first.send(Client.close(1000) + Client.text("late"))
            #expect(try await first.frame()?.closeCode == 1000)
            #expect(try await first.frame() == nil)
            let second = try await Client.open(port: port, path: "/echo")
            try await second.send(Client.frame(8))
            let answer = try await second.frame()
            #expect(answer?.opcode == 8)
            #expect(answer?.payload == [])
            #expect(try await second.frame() == nil)
        }
        #expect(fixture.ends.all == [.client(.normal), .client(nil)])
    }

    @Test("a client that ends without a Close frame is lost")
    func lost() async throws {
        try await fixture.serve { port, _ in
            let client = try await Client.open(port: port, path: "/echo")
            client.endSending()
            #expect(try await client.frame() == nil)
        }
        #expect(fixture.ends.all == [.lost])
    }

    @Test("a server that stops says 1001 to everyone, and ends when they agree")
    func stop() async throws {
        try await fixture.serve { port, stop in
            var clients: [Client] = []
            for _ in 0..<3 { clients.append(try await Client.open(port: port, path: "/echo")) }
            stop()
            for client in clients {
                #expect(try await client.frame()?.closeCode == 1001)
                try await client.send(Client.close(1001))
                #expect(try await client.frame() == nil)
            }
        }
        #expect(
            fixture.ends.all == [.server(.goingAway), .server(.goingAway), .server(.goingAway)]
        )
    }

    @Test("a reader that leaves more than the limit unread is closed with 1013")
    func slowReader() async throws {
        try await fixture.serve { port, _ in
            let client = try await Client.open(port: port, path: "/echo", receiveBuffer: 4_096)
            try await client.send(Client.text("flood"))
            // It reads after all: everything before the Close frame comes, then, as it agrees, the end.
            var last = try await client.frame()
            while let frame = last, frame.opcode != 8 { last = try await client.frame() }
            #expect(last?.closeCode == 1013)
            try await client.send(Client.close(1013))
            #expect(try await client.frame() == nil)
        }
        #expect(fixture.ends.all == [.server(.tryAgainLater)])
    }

    @Test("a handshake that trickles is cut by the deadline for a request's head")
    func slowHandshake() async throws {
        var fixture = fixture
        fixture.connectionTimes.head = .milliseconds(50)
        try await fixture.serve { port, _ in
            let client = try Client(port: port)
            try await client.send(Array(Client.request("/echo").dropLast(2)))
            #expect(try await client.rest() == [])
        }
    }
}
