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

    /// A request that is being answered.
    struct Record {
        let id: String
        /// See `RelayRequestContext`.
        let client: String
        let isClientCertain: Bool
        fileprivate let start: Double
    }

    func handle(
        _ request: Request,
        context: RelayRequestContext,
        next: @concurrent (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let record = begin(request.head, from: context.client)
        var context = context
        context.isClientCertain = record.isClientCertain
        context.client = record.client
        context.logger[metadataKey: "request"] = .string(record.id)
        func ended(_ status: HTTPResponse.Status) {
            let route = context.endpointPath ?? Self.unknownRoute
            end(
                record,
                request.head,
                route: route == "NotFound" ? Self.unknownRoute : route,
                status,
                context.logger
            )
        }
        do {
            var response = try await next(request, context)
            Self.name(&response.headers, record)
            ended(response.status)
            return response
        } catch {
            ended((error as? any HTTPResponseError)?.status ?? .internalServerError)
            throw error
        }
    }

    /// - Parameter peer: the address of the connection.
    func begin(_ request: HTTPRequest, from peer: String) -> Record {
        let headers = request.headerFields
        let addresses = addresses()
        counter.began()
        return Record(
            id: RequestIdentifier.accepted(Self.idHeader.flatMap { headers[$0] })
                ?? RequestIdentifier.make(random()),
            client: addresses.client(peer: peer, headers: headers),
            isClientCertain: addresses.isCertain(peer: peer, headers: headers),
            start: uptime()
        )
    }

    /// Each request that began ends once.
    func end(
        _ record: Record,
        _ request: HTTPRequest,
        route: String,
        _ status: HTTPResponse.Status,
        _ logger: Logger
    ) {
        let seconds = max(0, uptime() - record.start)
        counter.ended(route: route, method: request.method, status: status.code, seconds: seconds)
        logger.debug(
            "request",
            metadata: [
                "request": .string(record.id),
                "method": .string(request.method.rawValue),
                "path": .string(URI(request.path ?? "").path),
                "status": .stringConvertible(status.code),
                "seconds": .stringConvertible(seconds),
                "client": .string(record.client),
            ]
        )
    }

    /// Writes the request's name into its answer.
    static func name(_ headers: inout HTTPFields, _ record: Record) {
        if let name = idHeader { headers.append(HTTPField(name: name, value: record.id)) }
    }

    /// The headers that it reads.
    static let headers = ClientAddress.headers + [idHeader].compactMap { $0 }

    private static let unknownRoute = "none"
    private static let idHeader = HTTPField.Name("X-Request-Id")
}
