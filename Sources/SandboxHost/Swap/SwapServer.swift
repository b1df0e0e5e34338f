import DexSandbox
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Serves the Swap API over HTTP, to programs and no web pages.
struct SwapServer: Sendable {
    let api: SwapAPI
    let board: FaultRegistry
    let logger: Logger

    private static let key = HTTPField.Name("0x-api-key")
    private static let version = HTTPField.Name("0x-version")

    /// A service to run in a group.
    ///
    /// - Parameters:
    ///   - listen: where.
    ///   - port: 0 takes a free one.
    ///   - onRunning: called once with the listening port.
    func application(
        _ listen: ListenAddress,
        port: Int,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        ServerConnections.application(
            router(listen.hosts),
            host: listen.text,
            port: port,
            logger: logger,
            onRunning: onRunning
        )
    }

    private func router(_ hosts: AcceptedHosts) -> Router<SandboxRequestContext> {
        let router = Router(context: SandboxRequestContext.self)
        router.add(middleware: LocalRequestGuard(hosts: hosts))
        router.add(
            middleware: FaultMiddleware<SandboxRequestContext>(server: .swap, board: board)
        )
        router.get("/**") { request, _ in
            try await answer(request)
        }
        return router
    }

    private func answer(_ request: Request) async throws -> Response {
        let reply = try await api.answer(
            SwapAPI.Request(
                path: request.uri.path,
                items: request.uri.queryParameters.map { (String($0.key), String($0.value)) },
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
