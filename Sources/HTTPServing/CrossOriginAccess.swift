import HTTPTypes

/// Lets web pages of every origin read and post: for a public API without cookies or passwords.
///
/// It never belongs on a server for this machine alone, whose pages are refused by
/// `LocalRequestGuard`.
///
/// Source: the Fetch standard, section 3.2.
package struct CrossOriginAccess: RequestFilter {
    /// A browser keeps the answer to a preflight request this long; Chromium's maximum.
    private static let maxAge = "7200"

    private static let allowedHeaders =
        "Content-Type, If-None-Match, X-Request-Id, Authorization, 0x-api-key"

    private let exposed: String

    /// - Parameter exposed: the headers of answers that a page may read beside the simple ones.
    package init(exposed: [String]) {
        self.exposed = exposed.joined(separator: ", ")
    }

    package func receive(_ request: Request, next: @escaping Responder) -> Reception {
        guard request.headers[.origin] != nil else { return next(request) }
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil {
            return .now(
                Response(
                    status: .noContent,
                    headers: [
                        .accessControlAllowOrigin: "*",
                        .accessControlAllowMethods: "GET, HEAD, POST",
                        .accessControlAllowHeaders: Self.allowedHeaders,
                        .accessControlMaxAge: Self.maxAge,
                    ]
                )
            )
        }
        return next(request).map { [exposed] result in
            var response = try result.get()
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.accessControlExposeHeaders] = exposed
            return response
        }
    }
}
