import DexSandbox
import HTTPServing
import HTTPTypes
import Logging
import NIOCore

/// Serves the Swap API over HTTP, to programs and no web pages.
struct SwapServer: Sendable {
    let api: SwapAPI
    let board: FaultRegistry
    let logger: Logger

    private static let key = HTTPField.Name("0x-api-key")
    private static let version = HTTPField.Name("0x-version")

    /// The server at an address.
    ///
    /// - Parameter port: 0 takes a free one.
    func server(_ listen: ListenAddress, port: Int) -> HTTPServer {
        HTTPServer(router(listen.hosts), host: listen.text, port: port, logger: logger)
    }

    private func router(_ hosts: AcceptedHosts) -> Router {
        var router = Router()
        router.add(LocalRequestGuard(hosts: hosts))
        router.add(FaultFilter(server: .swap, board: board))
        router.otherwise([.get]) { request in .task { try await answer(request) } }
        return router
    }

    private func answer(_ request: Request) async throws -> Response {
        let reply = try await api.answer(
            SwapAPI.Request(
                path: request.path,
                items: request.queryItems,
                key: Self.key.flatMap { request.headers[$0] },
                version: Self.version.flatMap { request.headers[$0] }
            )
        )
        return Response(
            HTTPResponse.Status(code: reply.status),
            type: reply.isWebPage ? "text/html; charset=utf-8" : "application/json",
            ByteBuffer(bytes: reply.body)
        )
    }
}
