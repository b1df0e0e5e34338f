import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging

/// The outermost middleware: it names each request, finds its client's address, and counts its
/// answer.
struct RequestRecorder: RouterMiddleware {
    let counter: RequestCounter
    /// The configuration may be read again, so it is asked each time.
    let addresses: @Sendable () -> ClientAddress
    /// Any clock in seconds that only goes forward.
    let uptime: @Sendable () -> Double
    let random: @Sendable () -> UInt64

    func handle(
        _ request: Request,
        context: RelayRequestContext,
        next: @concurrent (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let id =
            RequestIdentifier.accepted(Self.idHeader.flatMap { request.headers[$0] })
            ?? RequestIdentifier.make(random())
        let addresses = addresses()
        var context = context
        context.isClientCertain = addresses.isCertain(
            peer: context.client,
            headers: request.headers
        )
        context.client = addresses.client(peer: context.client, headers: request.headers)
        context.logger[metadataKey: "request"] = .string(id)
        let start = uptime()
        counter.began()
        func ended(_ status: HTTPResponse.Status) {
            let seconds = max(0, uptime() - start)
            let route = context.endpointPath ?? Self.unknownRoute
            counter.ended(
                route: route == "NotFound" ? Self.unknownRoute : route,
                method: request.method,
                status: status.code,
                seconds: seconds
            )
            context.logger.debug(
                "request",
                metadata: [
                    "method": .string(request.method.rawValue),
                    "path": .string(request.uri.path),
                    "status": .stringConvertible(status.code),
                    "seconds": .stringConvertible(seconds),
                    "client": .string(context.client),
                ]
            )
        }
        do {
            var response = try await next(request, context)
            if let name = Self.idHeader { response.headers[name] = id }
            ended(response.status)
            return response
        } catch {
            ended((error as? any HTTPResponseError)?.status ?? .internalServerError)
            throw error
        }
    }

    private static let unknownRoute = "none"
    private static let idHeader = HTTPField.Name("X-Request-Id")
}
