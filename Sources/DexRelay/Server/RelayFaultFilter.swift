import HTTPServing
import HTTPTypes
import Logging

/// Turns every failure into an error body of the requested API, and applies the rate limit.
struct RelayFaultFilter: RequestFilter {
    let limiter: RateLimiter
    let keys: RelayKeys
    /// Requests an hour of one address, of now; nil is no limit.
    let requestsPerHour: @Sendable () -> Int?
    /// The APIs that are served, at least one.
    let interfaces: [RelayInterface]
    let logger: Logger

    func receive(_ request: Request, next: @escaping Responder) -> Reception {
        let fault = faultType(at: request.path)
        var request = request
        let standing: RateLimiter.Standing?
        var unknown: String?
        switch keys.caller(request.headers) {
        case .anonymous: standing = limiter.count(request.client)
        case .holder(let key):
            request.holder = key.name
            standing = keys.countRequest(of: key.name, standard: requestsPerHour())
        case .refused(let reason):
            // Whoever tries keys is a client like any other.
            standing = limiter.count(request.client)
            unknown = reason
        }
        let reception: Reception =
            if standing?.isExceeded == true {
                .now(Response(fault.throttled))
            } else if let unknown {
                .now(Response(unknownKey: unknown, fault))
            } else {
                next(request).map { [self, request] result in answer(result, request, fault) }
            }
        guard let standing else { return reception }
        return reception.map { result in
            var response = try result.get()
            response.headers.set(standing)
            return response
        }
    }

    /// The error type of the API with the request's path, else of the first one.
    private func faultType(at path: String) -> any RelayFault.Type {
        let interface = interfaces.first { interface in
            interface.paths.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        return (interface ?? interfaces[0]).fault
    }

    private func answer(
        _ result: Result<Response, any Error>,
        _ request: Request,
        _ fault: any RelayFault.Type
    ) -> Response {
        let error: any Error
        switch result {
        case .success(let response): return response
        case .failure(let failure): error = failure
        }
        switch error {
        case let fault as any RelayFault: return Response(fault)
        case let refusal as RequestRefusal:
            return Response(fault.init(status: refusal.status, reason: refusal.reason))
        case BodyFailure.tooLong(let maximum):
            let reason = "The body is larger than \(maximum) bytes"
            return Response(fault.init(status: .contentTooLarge, reason: reason))
        case BodyFailure.cutShort:
            // The client has gone: no failure of the relay, and nobody reads the answer.
            return Response(fault.init(status: .badRequest, reason: "The body ended too early"))
        case let error as HTTPError where error.status == .notFound:
            let paths = interfaces.flatMap(\.paths).joined(separator: " and ")
            let reason = "There is nothing at this path; the API is below \(paths)"
            return Response(fault.init(status: .notFound, reason: reason))
        case let error as MethodNotAllowed:
            let reason = "\(request.method) does not work at this path; \(error.list) do"
            var response = Response(fault.init(status: .methodNotAllowed, reason: reason))
            response.headers[.allow] = error.list
            return response
        case let error as any AnswerableError:
            let status = error.response.status
            return Response(fault.init(status: status, reason: status.reasonPhrase))
        default:
            logger.error(
                "A request failed: \(error)",
                metadata: request.id.map { ["request": .string($0)] }
            )
            return Response(
                fault.init(
                    status: .internalServerError,
                    reason: "The relay failed; try again later"
                )
            )
        }
    }
}

extension Response {
    /// 401 with a sentence.
    init(unknownKey reason: String, _ fault: any RelayFault.Type) {
        self.init(fault.init(status: .unauthorized, reason: reason))
        headers[.wwwAuthenticate] = "Bearer"
    }
}

extension HTTPFields {
    mutating func set(_ standing: RateLimiter.Standing) {
        set("X-RateLimit-Limit", String(standing.limit))
        set("X-RateLimit-Remaining", String(standing.remaining))
        set("X-RateLimit-Reset", String(standing.reset))
    }

    /// Sets a header with a name that is not predefined.
    mutating func set(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name) else { return }
        self[name] = value
    }
}
