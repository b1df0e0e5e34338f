/// A request to an HTTP server, with its whole body.
package struct HTTPRequest: Sendable, Hashable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
    }

    package var method: Method
    /// The absolute URL; it may contain a key, so it is never shown in full.
    package var url: String
    /// Names and values in sending order.
    package var headers: [HTTPHeader]
    package var body: [UInt8]
    /// The server may receive the request twice without harm.
    ///
    /// If false it gets a new connection: on a reused one that turns out dead, libcurl would send
    /// it again.
    package var mayRepeat: Bool
    /// The limits of the answer, in addition to the transport's own.
    package var bounds = AnswerBounds()

    package init(
        _ method: Method,
        url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8] = [],
        mayRepeat: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.mayRepeat = mayRepeat
    }

    /// A question in JSON that is answered in JSON.
    ///
    /// - Parameter json: the body.
    static func question(
        to url: String,
        json: [UInt8],
        mayRepeat: Bool = true
    ) -> HTTPRequest {
        HTTPRequest(
            .post,
            url: url,
            headers: [
                HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Accept", "application/json"),
            ],
            body: json,
            mayRepeat: mayRepeat
        )
    }
}

/// A header line.
package struct HTTPHeader: Sendable, Hashable {
    /// The name; letter case does not matter.
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
