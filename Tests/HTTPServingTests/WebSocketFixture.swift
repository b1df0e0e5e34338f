import HTTPServing
import HTTPTypes
import Logging
import NIOCore
import Synchronization

/// A server that answers GET /plain over HTTP and sends each message of a WebSocket back.
struct WebSocketFixture {
    /// How WebSockets ended, in order.
    final class Ends: Sendable {
        private let ends = Mutex<[WebSocketEnd]>([])
        var all: [WebSocketEnd] { ends.withLock { $0 } }

        func add(_ end: WebSocketEnd) {
            ends.withLock { $0.append(end) }
        }
    }

    private struct NotStarted: Error {}

    let ends = Ends()
    var maximumMessageBytes = 1_000
    var maximumUnsentBytes = 100_000
    /// Long: a loaded machine answers late.
    var times = {
        var times = WebSocketTimes()
        times.ping = .hours(1)
        times.closing = .minutes(1)
        return times
    }()
    var connectionTimes = ConnectionTimes()

    /// Serves while the body runs; the body gets the port and a way to stop the server.
    func serve(
        _ body:
            @escaping @Sendable (_ port: Int, _ stop: @escaping @Sendable () -> Void)
            async throws -> Void
    ) async throws {
        let (ports, sender) = AsyncStream.makeStream(of: Int.self)
        let http = http
        let server = Task {
            defer { sender.finish() }
            try await http.run { sender.yield($0) }
        }
        defer { server.cancel() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            throw NotStarted()
        }
        try await body(port) { server.cancel() }
        server.cancel()
        try await server.value
    }

    private var http: HTTPServer {
        var router = Router()
        router.get("plain") { _ in Response(type: "text/plain", ByteBuffer(string: "plain")) }
        let webSockets = WebSocketServer(paths: ["/echo", "/closed"], times: times) {
            [ends, maximumMessageBytes, maximumUnsentBytes] request in
            if request.path == "/closed" {
                let name = request.value(of: "Origin") ?? "nobody"
                return .refuse(
                    Response(
                        status: .serviceUnavailable,
                        headers: [.contentType: "text/plain", .retryAfter: "7"],
                        body: ByteBuffer(string: "closed to \(name)")
                    )
                )
            }
            let limits = WebSocketLimits(
                maximumMessageBytes: maximumMessageBytes,
                maximumUnsentBytes: maximumUnsentBytes
            )
            return .accept(limits) { EchoSession($0, ends) }
        }
        return HTTPServer(
            router,
            port: 0,
            times: connectionTimes,
            webSockets: webSockets,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }
}

/// Sends each message back; "flood" makes it send without end.
final class EchoSession: WebSocketSession {
    private let connection: WebSocketConnection
    private let ends: WebSocketFixture.Ends

    init(_ connection: WebSocketConnection, _ ends: WebSocketFixture.Ends) {
        self.connection = connection
        self.ends = ends
    }

    func received(_ text: ByteBuffer) {
        if text == ByteBuffer(string: "flood") {
            while connection.isOpen {
                connection.queue(ByteBuffer(repeating: UInt8(ascii: "x"), count: 50_000))
                connection.flush()
            }
        } else {
            connection.queue(text)
            connection.flush()
        }
    }

    func ended(_ end: WebSocketEnd) {
        ends.add(end)
    }
}
