import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Turns every failure into an error body of the requested API, and applies the rate limit.
struct RelayMiddleware: RouterMiddleware {
    let limiter: RateLimiter
    /// The APIs that are served, at least one.
    let interfaces: [RelayInterface]

    func handle(
        _ request: Request,
        context: RelayRequestContext,
        next: @concurrent (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let standing = limiter.count(context.client)
        let fault = faultType(at: request.uri.path)
        var response: Response
        if standing?.isExceeded == true {
            response = Response(fault.throttled)
        } else {
            response = await answer(request, context, fault, next)
        }
        if let standing { response.headers.set(standing) }
        return response
    }

    /// The error type of the API with the request's path, else of the first one.
    private func faultType(at path: String) -> any RelayFault.Type {
        let interface = interfaces.first { interface in
            interface.paths.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        return (interface ?? interfaces[0]).fault
    }

    private func answer(
        _ request: Request,
        _ context: RelayRequestContext,
        _ fault: any RelayFault.Type,
        _ next: @concurrent (Request, RelayRequestContext) async throws -> Response
    ) async -> Response {
        do {
            return try await next(request, context)
        } catch let fault as any RelayFault {
            return Response(fault)
        } catch let refusal as RequestRefusal {
            return Response(fault.init(status: refusal.status, reason: refusal.reason))
        } catch let error as HTTPError where error.status == .notFound {
            let paths = interfaces.flatMap(\.paths).joined(separator: " and ")
            let reason = "There is nothing at this path; the API is below \(paths)"
            return Response(fault.init(status: .notFound, reason: reason))
        } catch let error as any HTTPResponseError {
            return Response(fault.init(status: error.status, reason: error.status.reasonPhrase))
        } catch {
            context.logger.error("A request failed: \(error)")
            return Response(
                fault.init(
                    status: .internalServerError,
                    reason: "The relay failed; try again later"
                )
            )
        }
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
