import DexRelay
import Dispatch
import Glibc
import HTTPServing
import HTTPTypes
import NIOCore
import NIOPosix
import StrictJSON

/// How a test talks to the relay: into its router, or over a real socket.
enum Wire: CaseIterable, Sendable {
    case inProcess
    case socket
}

/// An answer of the relay.
struct Answer: Sendable {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: [UInt8]

    var json: JSONValue {
        get throws { try JSONParser.parse(body) }
    }

    /// The fields at fault with their codes, `maker 1002`.
    var faults: [String] {
        get throws {
            try (json["validationErrors"]?.arrayValue ?? []).map {
                "\($0["field"]?.stringValue ?? "?") \($0["code"]?.numberText ?? "?")"
            }
        }
    }

    var code: String? {
        get throws { try json["code"]?.numberText }
    }
}

extension Router {
    /// The answer to one request within the process.
    func answer(
        _ request: HTTPRequest,
        body: [UInt8] = [],
        client: String
    ) async throws -> Answer {
        let response = try await respond(
            to: Request(
                request,
                peer: client,
                eventLoop: MultiThreadedEventLoopGroup.singleton.any()
            ),
            body: ByteBuffer(bytes: body)
        )
        var headers: [String: String] = [:]
        for field in response.headers { headers[field.name.canonicalName] = field.value }
        return Answer(
            status: response.status.code,
            headers: headers,
            body: Array(response.body.readableBytesView)
        )
    }
}

/// Sends requests to a relay.
struct RelayConnection: Sendable {
    fileprivate let send:
        @Sendable (_ method: String, _ path: String, _ body: [UInt8]) async throws -> Answer

    func get(_ path: String) async throws -> Answer {
        try await send("GET", path, [])
    }

    func post(_ path: String, _ body: [UInt8]) async throws -> Answer {
        try await send("POST", path, body)
    }
}

extension RelayServer {
    /// Rounds of the order watcher until it rests.
    ///
    /// - Returns: how many orders have left the books.
    @discardableResult
    func watch() async -> Int {
        func count() -> Int {
            markets.reduce(0) { $0 + $1.intake.book.read { $0.shown.count } }
        }
        let before = count()
        while await watcher.step() == .more {}
        return before - count()
    }
}

/// A relay that a test talks to.
protocol ServedRelay: Sendable {
    var server: RelayServer { get }
}

extension ServedRelay {
    /// Runs a body against this relay over a wire.
    func talk(
        _ wire: Wire,
        _ body: @escaping @Sendable (RelayConnection) async throws -> Void
    ) async throws {
        switch wire {
        case .inProcess: try await body(inProcess())
        case .socket:
            try await live { port in
                try await body(
                    RelayConnection { method, path, content in
                        let length = content.isEmpty ? "" : "Content-Length: \(content.count)\r\n"
                        let head =
                            "\(method) \(path) HTTP/1.1\r\nHost: relay.test\r\n"
                            + "Connection: close\r\n\(length)\r\n"
                        return try await Socket.exchange(port: port, Array(head.utf8) + content)
                    }
                )
            }
        }
    }

    /// Serves on a free port while the body runs.
    func live(_ body: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
        let (ports, sender) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // A test that waits for a thread reads no ping meanwhile.
            var times = WebSocketTimes()
            times.ping = .hours(1)
            times.closing = .minutes(1)
            let application = server.application(port: 0, webSocketTimes: times) {
                sender.yield($0)
            }
            group.addTask {
                do {
                    try await application.run()
                } catch is CancellationError {}
                sender.finish()
            }
            group.addTask {
                var iterator = ports.makeAsyncIterator()
                guard let port = await iterator.next() else {
                    throw Unexpected("the server did not start")
                }
                try await body(port)
            }
            defer { group.cancelAll() }
            // The first to end is the body: the server runs until it is cancelled.
            try await group.next()
        }
    }

    private func inProcess() -> RelayConnection {
        let router = server.router()
        return RelayConnection { method, path, content in
            try await router.answer(
                HTTPRequest(
                    method: HTTPRequest.Method(method) ?? .get,
                    scheme: "http",
                    authority: "relay.test",
                    path: path
                ),
                body: content,
                client: "test"
            )
        }
    }
}

/// A plain socket, so that a test can send what no client would.
enum Socket {
    /// Sends bytes and reads until the server closes.
    static func exchange(port: Int, _ bytes: [UInt8]) async throws -> Answer {
        try parse(await answers(port: port, bytes))
    }

    /// All bytes that come back until the server closes.
    static func answers(port: Int, _ bytes: [UInt8]) async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try blockingAnswers(port: port, bytes) })
            }
        }
    }

    private static func blockingAnswers(port: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Unexpected("no socket") }
        defer { close(descriptor) }
        // Long: on a loaded machine the server has to wait for its turn behind all other tests.
        var limit = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Unexpected("no connection") }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // A server that refuses a body may close before it has read all of it.
            guard count > 0 else { break }
            sent += count
        }
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            received.append(contentsOf: chunk.prefix(count))
        }
        return received
    }

    private static func parse(_ bytes: [UInt8]) throws -> Answer {
        let separator = Array("\r\n\r\n".utf8)
        guard
            let end = bytes.indices.dropLast(3).first(where: {
                bytes[$0] == 13 && bytes[$0..<($0 + 4)].elementsEqual(separator)
            })
        else { throw Unexpected("no HTTP answer in \(bytes.count) bytes") }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        guard let first = lines.first, let status = first.split(separator: " ").dropFirst().first,
            let code = Int(status)
        else { throw Unexpected("no status line") }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return Answer(status: code, headers: headers, body: Array(bytes[(end + 4)...]))
    }
}
