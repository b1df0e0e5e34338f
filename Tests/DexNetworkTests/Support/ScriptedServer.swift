import Foundation
import Synchronization

/// A server on 127.0.0.1 that does to its clients whatever a test wants, byte by byte.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: CInt
    private let count = Mutex(0)

    /// Listens and hands each connection to `serve` on a thread of its own; a connection is closed
    /// when `serve` returns.
    init(_ serve: @escaping @Sendable (ScriptedConnection) -> Void) throws {
        signal(SIGPIPE, SIG_IGN)
        listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw ScriptedServerError.noSocket }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else { throw ScriptedServerError.noSocket }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else {
                    close(listener)
                    return
                }
                count.withLock { $0 += 1 }
                let connection = ScriptedConnection(socket: socket)
                Thread.detachNewThread {
                    serve(connection)
                    connection.close()
                }
            }
        }
    }

    /// Answers every request of every connection, which it keeps open.
    static func answering(
        _ answer: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer
    ) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while let request = connection.readRequest() {
                guard connection.write(answer(request).bytes) else { return }
            }
        }
    }

    /// Where it listens.
    var url: String { "http://127.0.0.1:\(port)" }

    /// How many connections it took.
    var accepted: Int { count.withLock { $0 } }

    /// Stops listening.
    ///
    /// The thread that accepts closes the socket, so that its number cannot
    /// become another server's while it still accepts.
    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
    }

    /// A port at which nothing listens.
    static func closedPort() throws -> UInt16 {
        let server = try ScriptedServer { _ in }
        server.stop()
        return server.port
    }
}

enum ScriptedServerError: Error {
    case noSocket
}

/// One client's connection.
final class ScriptedConnection: Sendable {
    private let socket: CInt
    private let rest = Mutex<[UInt8]>([])

    init(socket: CInt) {
        self.socket = socket
    }

    /// The next request with its body; nil when the client has closed.
    func readRequest() -> ScriptedRequest? {
        rest.withLock { rest in
            while true {
                if let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
                    let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                    let lines = head.components(separatedBy: "\r\n")
                    let length = lines.compactMap { line -> Int? in
                        let parts = line.split(separator: ":", maxSplits: 1)
                        guard parts.count == 2, parts[0].lowercased() == "content-length" else {
                            return nil
                        }
                        return Int(parts[1].trimmingCharacters(in: .whitespaces))
                    }
                    let total = end.upperBound + (length.first ?? 0)
                    if rest.count >= total {
                        let body = Array(rest[end.upperBound..<total])
                        rest.removeFirst(total)
                        return ScriptedRequest(lines: lines, body: body)
                    }
                }
                guard let more = read(), !more.isEmpty else { return nil }
                rest.append(contentsOf: more)
            }
        }
    }

    /// Waits until the client closes; whatever it sends before is thrown away.
    func waitForClose() {
        while let bytes = read(), !bytes.isEmpty {}
    }

    /// Sends bytes; false when the client has closed.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let written = bytes[sent...].withUnsafeBytes { piece in
                Foundation.send(socket, piece.baseAddress, piece.count, CInt(MSG_NOSIGNAL))
            }
            guard written > 0 else { return false }
            sent += written
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool {
        write(Array(text.utf8))
    }

    func close() {
        shutdown(socket, CInt(SHUT_RDWR))
        Foundation.close(socket)
    }

    private func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(socket, &buffer, buffer.count, 0)
        return count < 0 ? nil : Array(buffer[..<count])
    }
}

/// A request as it came over the wire.
struct ScriptedRequest: Sendable {
    /// The request line and the headers.
    let lines: [String]
    let body: [UInt8]

    var method: String { lines[0].components(separatedBy: " ")[0] }
    var target: String { lines[0].components(separatedBy: " ")[1] }

    func header(_ name: String) -> String? {
        lines.dropFirst().compactMap { line -> String? in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }.first
    }
}

/// An answer with its length.
struct ScriptedAnswer: Sendable {
    var status = "200 OK"
    var headers: [String] = []
    var body: [UInt8] = []

    init(_ status: String = "200 OK", headers: [String] = [], body: String = "") {
        self.status = status
        self.headers = headers
        self.body = Array(body.utf8)
    }

    var bytes: [UInt8] {
        let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}
