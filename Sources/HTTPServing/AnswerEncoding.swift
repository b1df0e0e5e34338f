import HTTPTypes
import NIOCore

/// Gives answers to GET and HEAD requests that may be kept a strong ETag, answers 304 to a client that has
/// the answer, and compresses it for a client that prefers gzip.
///
/// An ETag that a handler has set is believed; otherwise it is computed from the bytes. No answer
/// here has a secret in it, so its compressed length gives nothing away.
package struct AnswerEncoding: RequestFilter {
    private let answers: CompressedAnswers

    /// - Parameter answers: keeps what it compresses.
    package init(_ answers: CompressedAnswers = CompressedAnswers()) {
        self.answers = answers
    }

    package func receive(_ request: Request, next: @escaping Responder) -> Reception {
        let reception = next(request)
        guard request.method == .get || request.method == .head else { return reception }
        let headers = request.headers
        if case .answer(.settled(.success(let response))) = reception, response.isEncodable,
            let tag = response.headers[.eTag].flatMap({ EntityTag(header: $0) }),
            AcceptEncoding.prefersGzip(headers[.acceptEncoding]),
            !tag.isKnown(to: headers[.ifNoneMatch]), !answers.isReady(response.body, tag)
        {
            // To compress takes longer than an event loop has for one connection.
            return .answer(.task { [answers] in response.encoded(for: headers, answers) })
        }
        return reception.map { [answers] result in
            let response = try result.get()
            return response.isEncodable ? response.encoded(for: headers, answers) : response
        }
    }
}

extension Response {
    /// Smaller answers are sent as they are: they fit into one packet anyway.
    package static var minimumCompressed: Int { 1_024 }

    private var isLong: Bool { body.readableBytes >= Self.minimumCompressed }

    /// It may be kept, and is not encoded already.
    fileprivate var isEncodable: Bool {
        status == .ok && body.readableBytes > 0 && headers[.contentEncoding] == nil
            && headers[.cacheControl] != "no-store"
    }

    /// Adds the ETag and what belongs to it.
    @discardableResult
    package mutating func addTag() -> EntityTag {
        let tag = headers[.eTag].flatMap { EntityTag(header: $0) } ?? EntityTag(of: body)
        if headers[.eTag] == nil { headers[.eTag] = tag.header }
        if headers[.cacheControl] == nil {
            // It may be kept, but is asked for each time: a book changes at any moment.
            headers[.cacheControl] = "no-cache"
        }
        if isLong, !headers[values: .vary].contains("Accept-Encoding") {
            headers[values: .vary].append("Accept-Encoding")
        }
        return tag
    }

    /// The answer with its ETag, or 304, or compressed, as the client asks.
    ///
    /// - Parameters:
    ///   - request: the headers of a GET request.
    ///   - answers: keeps what is compressed.
    fileprivate func encoded(for request: RequestHeaders, _ answers: CompressedAnswers) -> Response
    {
        var response = self
        let tag = response.addTag()
        if tag.isKnown(to: request[.ifNoneMatch]) {
            // With the headers that a cache keeps beside the answer that it has.
            response.status = .notModified
            response.body = ByteBuffer()
            response.headers[.contentLength] = nil
            response.headers[.contentType] = nil
            return response
        }
        guard isLong, AcceptEncoding.prefersGzip(request[.acceptEncoding]),
            let compressed = answers.compressed(body, tag),
            compressed.readableBytes < body.readableBytes
        else { return response }
        response.headers[.eTag] = tag.compressedHeader
        response.headers[.contentEncoding] = "gzip"
        response.body = compressed
        return response
    }
}
