import DexCore
import DexNetwork
import SandboxHost

/// Requests of a copy to the machine whose sandbox it follows.
struct LeaderClient: LeaderConnection {
    private let base: String
    private let transport: CurlTransport

    /// The longest answer: a batch of blocks, or a page of orders.
    private static let maximumBytes = 8 << 20
    /// Milliseconds to a connection, and to the end of an answer.
    private static let connectTimeout = 3_000
    private static let timeout = 20_000

    /// - Parameter node: the base URL of the other machine's node.
    init(node: String) {
        base = node.hasSuffix("/") ? String(node.dropLast()) : node
        transport = CurlTransport(
            options: .init(
                connectTimeout: Self.connectTimeout,
                timeout: Self.timeout,
                stallTimeout: 5,
                maximumBody: Self.maximumBytes,
                // A machine of the same network needs no proxy, whatever the environment says.
                environment: { _ in nil }
            )
        )
    }

    func get(_ path: String) async throws(LeaderSilence) -> LeaderAnswer {
        try await send(HTTPRequest(.get, url: base + path))
    }

    func post(
        _ path: String,
        to server: LeaderServer,
        _ body: [UInt8]
    ) async throws(LeaderSilence) -> LeaderAnswer {
        var url = base
        if case .relay(let port) = server {
            url = Self.url(base, port: port)
        }
        return try await send(
            HTTPRequest(
                .post,
                url: url + path,
                headers: [HTTPHeader("Content-Type", "application/json")],
                body: body,
                mayRepeat: false
            )
        )
    }

    /// Scheme and host of a URL with another port.
    static func url(_ url: String, port: Int) -> String {
        let origin = PlainText.origin(of: url)
        let host = origin.lastIndex(of: "]").map { origin.index(after: $0) }
        let start = host ?? origin.firstRange(of: "://")?.upperBound ?? origin.startIndex
        let colon = origin[start...].firstIndex(of: ":")
        return "\(origin[..<(colon ?? origin.endIndex)]):\(port)"
    }

    private func send(_ request: HTTPRequest) async throws(LeaderSilence) -> LeaderAnswer {
        do throws(HTTPError) {
            let response = try await transport.send(request)
            return LeaderAnswer(
                status: response.status,
                books: response.values(of: "x-dex-books").first.map { String($0.prefix(100)) },
                body: response.body
            )
        } catch {
            throw LeaderSilence(reason: "\(error.reason)")
        }
    }
}
