import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// The Swap API's data about a request.
struct SwapRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// nil within the process.
    let channel: (any Channel)?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

extension SwapRequestContext: ConnectedContext {
    var connection: (any Channel)? { channel }
}

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

    private func router(_ hosts: AcceptedHosts) -> Router<SwapRequestContext> {
        let router = Router(context: SwapRequestContext.self)
        router.add(middleware: LocalRequestGuard(hosts: hosts))
        router.add(
            middleware: FaultMiddleware<SwapRequestContext>(server: .swap, board: board)
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
            status: HTTPResponse.Status(code: reply.status),
            headers: [
                .contentType: reply.isWebPage ? "text/html; charset=utf-8" : "application/json"
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body))
        )
    }
}
