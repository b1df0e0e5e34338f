package import HTTPTypes
import NIOCore

/// The reason why a request to a local server is refused before it is handled.
package struct RequestRefusal: AnswerableError, Hashable {
    package let status: HTTPResponse.Status
    /// A sentence without the full stop, with nothing of the request in it.
    package let reason: String

    package init(status: HTTPResponse.Status, reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// The requests that a server for programs accepts: none from a web page.
///
/// A page can send requests to loopback addresses, and with a name of its own that resolves there
/// (DNS rebinding) it could read the answers. So the host must be one of the server's own
/// (`AcceptedHosts`), an origin must be the server itself, and a post must be JSON. A page may not
/// send JSON to another origin without a preflight request, which is never granted.
///
/// Source: RFC 9110, section 7.2; the Fetch standard, sections 3.2 and 4.9.
package enum LocalRequest {
    /// Why a request is refused; nil if it is accepted.
    ///
    /// - Parameters:
    ///   - host: the Host header, with a port or without.
    ///   - origin: the Origin header; only browsers send one.
    ///   - contentType: the Content-Type header.
    ///   - isPost: the request is neither GET nor HEAD.
    ///   - hosts: the server's own.
    package static func refusal(
        host: String?,
        origin: String?,
        contentType: String?,
        isPost: Bool,
        hosts: AcceptedHosts = .loopback
    ) -> RequestRefusal? {
        guard let host, hosts.contain(host) else {
            return RequestRefusal(
                status: .forbidden,
                reason: "This server answers only as \(hosts)"
            )
        }
        if let origin, origin.lowercased() != "http://" + host.lowercased() {
            return RequestRefusal(
                status: .forbidden,
                reason: "This server takes no requests of web pages"
            )
        }
        if isPost, !isJSON(contentType) {
            return RequestRefusal(
                status: .unsupportedMediaType,
                reason: "A request has to be of the type application/json"
            )
        }
        return nil
    }

    private static func isJSON(_ type: String?) -> Bool {
        let media = type?.split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        let name = media.drop { $0 == " " || $0 == "\t" }
            .prefix { $0 != " " && $0 != "\t" }
        return name.lowercased() == "application/json"
    }
}

/// Refuses requests from web pages; it runs before everything else in a server for programs.
///
/// A server whose pages are paired takes them, and still refuses foreign hosts.
package struct LocalRequestGuard: RequestFilter {
    private let hosts: AcceptedHosts
    private let takesPages: Bool

    /// - Parameter takesPages: origins are checked later, by what is paired.
    package init(hosts: AcceptedHosts = .loopback, takesPages: Bool = false) {
        self.hosts = hosts
        self.takesPages = takesPages
    }

    package func receive(_ request: Request, next: @escaping Responder) -> Reception {
        let refusal = LocalRequest.refusal(
            host: request.authority,
            origin: takesPages ? nil : request.headers[.origin],
            contentType: request.headers[.contentType],
            isPost: request.method != .get && request.method != .head
                && !(takesPages && request.method == .options),
            hosts: hosts
        )
        return if let refusal { .failed(refusal) } else { next(request) }
    }
}

extension RequestRefusal {
    package var response: Response {
        Response(
            status,
            type: "text/plain; charset=utf-8",
            ByteBuffer(string: reason + ".\n")
        )
    }
}
