import HTTPServing
import HTTPTypes
import Logging

/// The outermost filter: it names each request, finds its client's address, and counts its answer.
struct RequestRecorder: RequestFilter {
    let counter: RequestCounter
    /// The configuration may be read again, so it is asked each time.
    let addresses: @Sendable () -> ClientAddress
    /// Any clock in seconds that only goes forward.
    let uptime: @Sendable () -> Double
    let random: @Sendable () -> UInt64
    let logger: Logger

    func receive(_ request: Request, next: @escaping Responder) -> Reception {
        let start = uptime()
        let addresses = addresses()
        let headers = request.headers
        let id =
            RequestIdentifier.accepted(Self.idHeader.flatMap { headers[$0] })
            ?? RequestIdentifier.make(random())
        var request = request
        request.id = id
        request.client = addresses.client(peer: request.peer, headers: headers)
        request.isClientCertain = addresses.isCertain(peer: request.peer, headers: headers)
        counter.began()
        return next(request).map { [self, request] result in
            switch result {
            case .success(var response):
                if let name = Self.idHeader {
                    response.headers.append(HTTPField(name: name, value: id))
                }
                ended(request, response.status, start)
                return response
            case .failure(let error):
                let status = (error as? any AnswerableError)?.response.status
                ended(request, status ?? .internalServerError, start)
                throw error
            }
        }
    }

    private func ended(_ request: Request, _ status: HTTPResponse.Status, _ start: Double) {
        let seconds = max(0, uptime() - start)
        counter.ended(
            route: request.route ?? Self.unknownRoute,
            method: request.method,
            status: status.code,
            seconds: seconds
        )
        logger.debug(
            "request",
            metadata: [
                "request": .string(request.id ?? ""),
                "method": .string(request.method.rawValue),
                "path": .string(request.path),
                "status": .stringConvertible(status.code),
                "seconds": .stringConvertible(seconds),
                "client": .string(request.client),
            ]
        )
    }

    private static let unknownRoute = "none"
    private static let idHeader = HTTPField.Name("X-Request-Id")
}
