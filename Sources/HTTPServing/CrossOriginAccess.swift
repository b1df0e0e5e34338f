import HTTPTypes
package import Hummingbird
import HummingbirdCore

/// Lets web pages of every origin read and post: for a public API without cookies or passwords.
///
/// It never belongs on a server for this machine alone, whose pages are refused by
/// `LocalRequestGuard`. Hummingbird's own middleware names the exposed headers only in answers to
/// preflight requests, where browsers do not read them.
///
/// Source: the Fetch standard, section 3.2.
package struct CrossOriginAccess<Context: RequestContext>: RouterMiddleware {
    /// A browser keeps the answer to a preflight request this long; Chromium's maximum.
    private static var maxAge: String { "7200" }

    private let exposed: String

    /// - Parameter exposed: the headers of answers that a page may read beside the simple ones.
    package init(exposed: [String]) {
        self.exposed = exposed.joined(separator: ", ")
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.origin] != nil else { return try await next(request, context) }
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            return Response(
                status: .noContent,
                headers: [
                    .accessControlAllowOrigin: "*",
                    .accessControlAllowMethods: "GET, HEAD, POST",
                    .accessControlAllowHeaders: "Content-Type, If-None-Match, X-Request-Id",
                    .accessControlMaxAge: Self.maxAge,
                ]
            )
        }
        var response = try await next(request, context)
        response.headers[.accessControlAllowOrigin] = "*"
        response.headers[.accessControlExposeHeaders] = exposed
        return response
    }
}
