import DexTestSupport
import Synchronization
import Testing

@testable import DexNetwork

@Suite("The WebSocket client against real servers, honest and hostile")
struct WebSocketClientTests {
    /// The answer that accepts a request's upgrade.
    static func accept(_ request: ScriptedRequest) -> String {
        let key =
            request.lines.first { $0.lowercased().hasPrefix("sec-websocket-key:") }
            .map { $0.dropFirst("sec-websocket-key:".count).filter { $0 != " " } } ?? ""
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(for: key))\r\n\r\n"
    }

    /// A server that upgrades and then does what the test wants.
    static func server(_ serve: @escaping @Sendable (ScriptedConnection) -> Void) throws
        -> ScriptedServer
    {
        try ScriptedServer { connection in
            guard let request = connection.readRequest() else { return }
            connection.write(accept(request))
            serve(connection)
        }
    }

    private func client(_ change: (inout WebSocketLimits) -> Void = { _ in }) -> WebSocketClient {
        var limits = WebSocketLimits()
        // A loaded machine is silent for long.
        limits.ping = 3_600_000
        change(&limits)
        return WebSocketClient(limits: limits)
    }

    /// The error that ends a connection, and the messages before it.
    private func end(
        _ server: ScriptedServer,
        _ client: WebSocketClient
    ) async -> (messages: [String], error: WebSocketError) {
        var messages: [String] = []
        do throws(WebSocketError) {
            let connection = try await client.connect(to: "ws://127.0.0.1:\(server.port)/secret")
            while true { messages.append(try await connection.next()) }
        } catch {
            #expect(!error.description.contains("secret"))
            return (messages, error)
        }
    }

    @Test("texts go both ways, many and large ones")
    func echo() async throws {
        let large = String(repeating: "ü", count: 400_000)
        let server = try Self.server { connection in
            var bytes: [UInt8] = []
            // A masked frame of five bytes of text: header 2, mask 4.
            while bytes.count < 11, let more = connection.readSome() { bytes += more }
            guard bytes.count >= 11 else { return }
            let mask = bytes[2..<6]
            let text = zip(bytes[6..<11], mask + mask).map { $0 ^ $1 }
            connection.write(ServerFrame.frame(0x81, text))
            connection.write(ServerFrame.text(large))
            for index in 0..<1_000 { connection.write(ServerFrame.text("\(index)")) }
            connection.write(ServerFrame.frame(0x88, [0x03, 0xE8]))
            connection.waitForClose()
        }
        let connection = try await client().connect(to: "ws://127.0.0.1:\(server.port)/")
        connection.send("hello")
        #expect(try await connection.next() == "hello")
        #expect(try await connection.next() == large)
        for index in 0..<1_000 { #expect(try await connection.next() == "\(index)") }
        await #expect(throws: WebSocketError.closed(code: 1000, reason: "")) {
            try await connection.next()
        }
    }

    @Test("a ping is answered while the reader does something else")
    func pong() async throws {
        let server = try Self.server { connection in
            connection.write(ServerFrame.frame(0x89, Array("beat".utf8)))
            var bytes: [UInt8] = []
            while bytes.count < 10, let more = connection.readSome() { bytes += more }
            guard bytes.count >= 10, bytes[0] == 0x8A, bytes[1] == 0x84 else { return }
            let payload = zip(bytes[6..<10], bytes[2..<6]).map { $0 ^ $1 }
            connection.write(ServerFrame.frame(0x81, payload))
            connection.waitForClose()
        }
        let connection = try await client().connect(to: "ws://127.0.0.1:\(server.port)/")
        #expect(try await connection.next() == "beat")
    }

    @Test("a server that is silent, even to pings, is given up")
    func silent() async throws {
        let server = try Self.server { $0.waitForClose() }
        let (_, error) = await end(server, client { $0.ping = 30 })
        #expect(error == .silent(milliseconds: 60))
    }

    @Test("a server that never answers the upgrade is given up")
    func silentHandshake() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        let (_, error) = await end(
            server,
            client { limits in
                limits.handshake = 50
                limits.ping = 50
            }
        )
        #expect(error == .silent(milliseconds: 50))
    }

    @Test("a server that answers our pings stays, however little it says")
    func quiet() async throws {
        // Time passes only when the server says so.
        let passed = PassedTime()
        let server = try Self.server { connection in
            // Not before the client counts from the upgrade: "go" in a masked frame.
            var start: [UInt8] = []
            while start.count < 8, let more = connection.readSome() { start += more }
            for _ in 0..<5 {
                passed.add(20)
                var bytes: [UInt8] = []
                while bytes.count < 6, let more = connection.readSome() { bytes += more }
                guard bytes.first == 0x89 else { return }
                connection.write(ServerFrame.frame(0x8A, []))
            }
            connection.write(ServerFrame.text("still here"))
            connection.waitForClose()
        }
        var limits = WebSocketLimits()
        limits.ping = 20
        let client = WebSocketClient(limits: limits, elapsed: { passed.milliseconds })
        let connection = try await client.connect(to: "ws://127.0.0.1:\(server.port)/")
        connection.send("go")
        #expect(try await connection.next() == "still here")
    }

    @Test("no WebSocket there: the status is told, and it is permanent")
    func refused() async throws {
        let server = try ScriptedServer.answering { _ in ScriptedAnswer("404 Not Found") }
        let (_, error) = await end(server, client())
        #expect(error == .refused(status: 404) && error.isPermanent)
        let busy = try ScriptedServer.answering { _ in ScriptedAnswer("503 Busy") }
        #expect(await end(busy, client()).error.isPermanent == false)
    }

    @Test("garbage, a cut connection, and nobody at all")
    func broken() async throws {
        let garbage = try ScriptedServer { connection in
            _ = connection.readRequest()
            connection.write("SSH-2.0-OpenSSH_9.2\r\n\r\n")
            connection.waitForClose()
        }
        guard case .badHandshake = await end(garbage, client()).error else {
            Issue.record("expected .badHandshake")
            return
        }
        let cut = try Self.server { $0.write(ServerFrame.text("half").dropLast(2).map { $0 }) }
        #expect(await end(cut, client()).error == .cutOff)
        let noise = try Self.server { connection in
            connection.write([UInt8](repeating: 0xFF, count: 1_000))
            connection.waitForClose()
        }
        guard case .violation = await end(noise, client()).error else {
            Issue.record("expected .violation")
            return
        }
        let port = try ScriptedServer.closedPort()
        let error = await #expect(throws: WebSocketError.self) {
            try await client().connect(to: "ws://127.0.0.1:\(port)/")
        }
        #expect(error == .noConnection(.noConnection(host: "127.0.0.1:\(port)")))
    }

    @Test("a flood that the reader does not take is not read, and all of it comes in the end")
    func flood() async throws {
        let text = String(repeating: "x", count: 10_000)
        let server = try Self.server { connection in
            for _ in 0..<500 { guard connection.write(ServerFrame.text(text)) else { return } }
            connection.write(ServerFrame.frame(0x88, [0x03, 0xE9]))
            connection.waitForClose()
        }
        let (messages, error) = await end(server, client { $0.inbox = 20_000 })
        #expect(messages.count == 500 && messages.allSatisfy { $0 == text })
        #expect(error == .closed(code: 1001, reason: ""))
    }

    @Test("a huge frame is refused by its header, and the server hears 1009")
    func huge() async throws {
        let heard = Heard()
        let server = try Self.server { connection in
            connection.write([0x81, 127, 0, 0, 0, 0xFF, 0, 0, 0, 0])
            var bytes: [UInt8] = []
            while bytes.count < 8, let more = connection.readSome() { bytes += more }
            heard.set(bytes)
            connection.waitForClose()
        }
        #expect(await end(server, client()).error == .tooLarge(bytes: 8 << 20))
        let bytes = try await heard.value()
        #expect(bytes.prefix(2) == [0x88, 0x82])
        guard bytes.count == 8 else { return }
        #expect([bytes[6] ^ bytes[2], bytes[7] ^ bytes[3]] == [0x03, 0xF1])
    }

    @Test("cancelling the reader ends its wait at once")
    func cancelled() async throws {
        let server = try Self.server { $0.waitForClose() }
        let connection = try await client().connect(to: "ws://127.0.0.1:\(server.port)/")
        let reading = Task { () -> WebSocketError? in
            do throws(WebSocketError) {
                _ = try await connection.next()
                return nil
            } catch {
                return error
            }
        }
        reading.cancel()
        #expect(await reading.value == .cancelled)
        connection.close()
        await #expect(throws: WebSocketError.cancelled) { try await connection.next() }
    }

    @Test("a server without TLS at a wss address is not trusted")
    func noTLS() async throws {
        let server = try ScriptedServer { connection in
            connection.write(ScriptedAnswer("400 Bad Request").bytes)
            connection.waitForClose()
        }
        let error = await #expect(throws: WebSocketError.self) {
            try await client().connect(to: "wss://127.0.0.1:\(server.port)/")
        }
        guard case .noConnection(.untrusted) = error else {
            Issue.record("expected .untrusted, got \(String(describing: error))")
            return
        }
    }
}

/// A clock that a test moves.
private final class PassedTime: Sendable {
    private let time = Mutex<UInt64>(0)

    var milliseconds: UInt64 { time.withLock { $0 } }

    func add(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds } }
}

/// Bytes that a server's thread hands to a test.
private final class Heard: Sendable {
    private let stream: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func set(_ bytes: [UInt8]) {
        continuation.yield(bytes)
        continuation.finish()
    }

    func value() async throws -> [UInt8] {
        try await stream.next("bytes at the server") ?? []
    }
}
