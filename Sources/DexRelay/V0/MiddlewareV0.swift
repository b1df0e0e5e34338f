import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import StrictJSON

/// Turns every failure into an error body of API v0, and keeps the rate limit.
struct MiddlewareV0: RouterMiddleware {
    let limiter: RateLimiter?
    let logger: Logger

    func handle(
        _ request: Request,
        context: RelayRequestContext,
        next: @concurrent (Request, RelayRequestContext) async throws -> Response
    ) async throws -> Response {
        let standing = limiter?.count(context.client)
        var response: Response
        if standing?.isExceeded == true {
            response = Response(
                FaultV0(status: .tooManyRequests, code: .throttled, reason: "Throttled")
            )
        } else {
            response = await answer(request, context, next)
        }
        if let standing {
            response.headers.set("X-RateLimit-Limit", String(standing.limit))
            response.headers.set("X-RateLimit-Remaining", String(standing.remaining))
            response.headers.set("X-RateLimit-Reset", String(standing.reset))
        }
        return response
    }

    private func answer(
        _ request: Request,
        _ context: RelayRequestContext,
        _ next: @concurrent (Request, RelayRequestContext) async throws -> Response
    ) async -> Response {
        do {
            return try await next(request, context)
        } catch let fault as FaultV0 {
            return Response(fault)
        } catch let error as HTTPError where error.status == .notFound {
            return Response(
                FaultV0(
                    status: .notFound,
                    code: .validationFailed,
                    reason: "There is nothing at this path; the API is below /v0"
                )
            )
        } catch let error as any HTTPResponseError {
            return Response(
                FaultV0(
                    status: error.status,
                    code: .validationFailed,
                    reason: error.status.reasonPhrase
                )
            )
        } catch {
            logger.error("A request failed: \(error)")
            return Response(
                FaultV0(
                    status: .internalServerError,
                    code: .validationFailed,
                    reason: "The relay failed; try again later"
                )
            )
        }
    }
}

extension HTTPFields {
    /// Sets a header whose name the compiler does not know.
    mutating func set(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name) else { return }
        self[name] = value
    }
}

extension Response {
    /// An answer of JSON bytes.
    init(_ status: HTTPResponse.Status = .ok, json: ByteBuffer) {
        self.init(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: json)
        )
    }

    /// An error of API v0.
    init(_ fault: FaultV0) {
        self.init(fault.status, json: ByteBuffer(bytes: fault.json.utf8))
    }
}
