package import HTTPTypes
package import NIOCore

/// A whole answer to a request.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    /// The length of the body is among them, unless there must be none.
    package var headers: HTTPFields
    package var body: ByteBuffer {
        didSet { headers[.contentLength] = String(body.readableBytes) }
    }
    /// The connection ends behind the body, also if that is shorter than its length.
    package var isCutOff = false

    package init(
        status: HTTPResponse.Status,
        headers: HTTPFields = [:],
        body: ByteBuffer = ByteBuffer()
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        if headers[.contentLength] == nil {
            self.headers[.contentLength] = String(body.readableBytes)
        }
    }

    /// An answer that has no header but its content type.
    package init(_ status: HTTPResponse.Status = .ok, type: String, _ body: ByteBuffer) {
        self.init(status: status, headers: [.contentType: type], body: body)
    }

    package init(_ status: HTTPResponse.Status = .ok, json: ByteBuffer) {
        self.init(status, type: "application/json", json)
    }

    /// The same without its body, for HEAD.
    package var withoutBody: Response {
        Response(status: status, headers: headers)
    }
}

/// A failure that has an answer.
package protocol AnswerableError: Error {
    var response: Response { get }
}

/// An answer without a body, thrown.
package struct HTTPError: AnswerableError, Hashable {
    package let status: HTTPResponse.Status

    package init(_ status: HTTPResponse.Status) {
        self.status = status
    }

    package var response: Response { Response(status: status) }
}

/// A path that is known by other methods.
package struct MethodNotAllowed: AnswerableError, Hashable {
    /// At least one.
    package let allowed: [HTTPRequest.Method]

    /// The methods as the Allow header lists them.
    package var list: String { allowed.map(\.rawValue).joined(separator: ", ") }

    package var response: Response {
        Response(status: .methodNotAllowed, headers: [.allow: list])
    }
}

/// The reason why a request has no body to work with.
package enum BodyFailure: AnswerableError, Hashable {
    case tooLong(maximum: Int)
    /// The client has gone, or broken the rules of HTTP.
    case cutShort

    package var response: Response {
        switch self {
        case .tooLong: Response(status: .contentTooLarge)
        case .cutShort: Response(status: .badRequest)
        }
    }
}
