import Foundation
import StrictJSON
import Synchronization

/// A server on 127.0.0.1 that stands before another: it passes each request on, but for those
/// that a test takes for itself, and remembers all of them.
package final class Interposer: Sendable {
    /// What becomes of a request.
    package enum Decision: Sendable {
        /// It is answered by the server behind.
        case pass
        /// It is answered by the server behind, then this is run, and only then is the answer
        /// passed back.
        case passThen(@Sendable () -> Void)
        /// The test does with the connection whatever it wants; then it is closed.
        case take(@Sendable (ScriptedConnection) -> Void)
        /// It is answered by the server behind; what it said is handed to the test, which then does
        /// with the connection whatever it wants.
        case replace(@Sendable (ScriptedConnection, _ genuine: [UInt8]) -> Void)
        /// The connection breaks, and nobody listens any more.
        case die
    }

    private let log: RequestLog
    private let server: ScriptedServer

    /// - Parameters:
    ///   - target: the URL of the server behind: `http://127.0.0.1:8545`, with or without a path.
    ///   - decide: gets the request and how many came before it.
    package init(
        before target: String,
        _ decide: @escaping @Sendable (_ request: ScriptedRequest, _ number: Int) -> Decision
    ) throws {
        let port = try ScriptedRequest.port(of: target)
        let log = RequestLog()
        self.log = log
        server = try ScriptedServer { connection, stop in
            while let request = connection.readRequest() {
                switch decide(request, log.append(request)) {
                case .take(let serve):
                    serve(connection)
                    return
                case .replace(let serve):
                    guard let answer = try? request.send(toPort: port) else { return }
                    serve(connection, answer)
                    return
                case .die:
                    stop()
                    return
                case .pass:
                    guard let answer = try? request.send(toPort: port) else { return }
                    connection.write(answer)
                case .passThen(let run):
                    guard let answer = try? request.send(toPort: port) else { return }
                    run()
                    connection.write(answer)
                }
                // The server behind was asked to close, and its answer says so.
                return
            }
        }
    }

    deinit {
        server.stop()
    }

    /// Where it listens, without a path.
    package var url: String { server.url }

    /// Every request so far.
    package var requests: [ScriptedRequest] { log.all }

    /// Every JSON-RPC method that was called so far, in order.
    package var methods: [String] { requests.flatMap(\.methods) }

    /// How many orders were posted.
    package var postedOrders: Int {
        requests.count { $0.method == "POST" && $0.target.hasSuffix("/order") }
    }

    private final class RequestLog: Sendable {
        private let requests = Mutex<[ScriptedRequest]>([])

        var all: [ScriptedRequest] { requests.withLock { $0 } }

        func append(_ request: ScriptedRequest) -> Int {
            requests.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
        }
    }
}

extension ScriptedRequest {
    /// The port of a server of 127.0.0.1.
    ///
    /// - Throws: `DexBinary.Failure` where the URL names none.
    fileprivate static func port(of url: String) throws -> UInt16 {
        guard let port = URL(string: url)?.port.flatMap({ UInt16(exactly: $0) }) else {
            throw DexBinary.Failure(description: "no port in \(url)")
        }
        return port
    }

    /// Sends it to the server of a URL on 127.0.0.1, whatever its path, and reads until the server
    /// closes.
    ///
    /// - Returns: the answer as it came, its head included.
    package func send(to url: String) throws -> [UInt8] {
        try send(toPort: Self.port(of: url))
    }

    /// The same for a port of 127.0.0.1.
    fileprivate func send(toPort port: UInt16) throws -> [UInt8] {
        let connection = try ScriptedConnection(toPort: port)
        defer { connection.close() }
        // Not compressed, so that the answer can be changed.
        let dropped = ["connection:", "accept-encoding:"]
        let kept = lines.filter { line in
            !line.isEmpty && !dropped.contains { line.lowercased().hasPrefix($0) }
        }
        let head = (kept + ["Connection: close"]).joined(separator: "\r\n")
        connection.write(Array((head + "\r\n\r\n").utf8) + body)
        return connection.readToEnd()
    }

    /// The JSON-RPC methods that it calls; none where it is no such request.
    package var methods: [String] {
        guard let json = try? JSONParser.parse(body) else { return [] }
        return (json.arrayValue ?? [json]).compactMap { $0["method"]?.stringValue }
    }

    /// A POST of a text.
    package static func post(_ path: String, _ text: String) -> ScriptedRequest {
        ScriptedRequest(
            lines: [
                "POST \(path) HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
                "Content-Length: \(text.utf8.count)",
            ],
            body: Array(text.utf8)
        )
    }
}
