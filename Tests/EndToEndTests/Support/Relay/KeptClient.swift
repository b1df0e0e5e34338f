import DexTestSupport
import Foundation

/// A client that keeps one HTTP connection to a relay, or to a proxy before it.
struct KeptClient: Sendable {
    /// A whole answer.
    struct Answer: Sendable {
        let status: Int
        /// Names in lower case.
        let headers: [String: String]
        let body: String
    }

    /// The connection did not come about, or ended before a whole answer.
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    private let connection: FrameClient

    /// Connects.
    ///
    /// - Parameter url: `http://127.0.0.1:PORT`.
    /// - Throws: `Broken` if nobody listens.
    init(_ url: String) throws {
        guard let port = URL(string: url)?.port else {
            throw Broken(description: "\(url) has no port")
        }
        do {
            connection = try FrameClient(port: port)
        } catch let error as FrameClient.Failure {
            throw Broken(description: error.description)
        }
    }

    /// - Parameter key: of a client of the relay.
    func get(_ target: String, key: String? = nil) async throws -> Answer {
        try await ask("GET", target, "", key.map { ["0x-api-key: \($0)"] } ?? [])
    }

    func post(_ target: String, _ body: String) async throws -> Answer {
        try await ask("POST", target, body)
    }

    private func ask(
        _ method: String,
        _ target: String,
        _ body: String,
        _ headers: [String] = []
    ) async throws -> Answer {
        do {
            return try await exchange(method, target, body, headers)
        } catch let error as FrameClient.Failure {
            throw Broken(description: error.description)
        }
    }

    private func exchange(
        _ method: String,
        _ target: String,
        _ body: String,
        _ headers: [String]
    ) async throws -> Answer {
        let lines =
            [
                "\(method) \(target) HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
                "Content-Length: \(body.utf8.count)",
            ] + headers
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n" + body
        try await connection.send(Array(text.utf8))
        let head = try await connection.head()
        guard head.headers["transfer-encoding"] == nil else {
            throw Broken(description: "an answer without a length: \(head.headers)")
        }
        let length = head.headers["content-length"].flatMap { Int($0) } ?? 0
        let content = length == 0 ? "" : try await connection.body(length)
        guard content.utf8.count == length else {
            throw Broken(description: "the connection ends in a body")
        }
        return Answer(status: head.status, headers: head.headers, body: content)
    }
}
