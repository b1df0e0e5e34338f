import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore

/// Gives answers to GET requests that may be kept a strong ETag, answers 304 to a client that has the answer, and
/// compresses it for a client that prefers gzip.
///
/// An ETag that a handler has set is believed; otherwise it is computed from the bytes. No answer
/// here has a secret in it, so its compressed length gives nothing away.
package struct AnswerEncoding<Context: RequestContext>: RouterMiddleware {
    private let answers: CompressedAnswers

    /// - Parameter answers: keeps what it compresses.
    package init(_ answers: CompressedAnswers = CompressedAnswers()) {
        self.answers = answers
    }

    package func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.method == .get, response.status == .ok,
            let length = response.body.contentLength, length > 0,
            response.headers[.contentEncoding] == nil,
            response.headers[.cacheControl] != "no-store"
        else { return response }
        var answer = DirectAnswer(
            status: response.status,
            headers: response.headers,
            body: try await response.body.collected()
        )
        answer.encode(for: request.headers, answers)
        guard answer.status == .ok else {
            var known = Response(status: answer.status, headers: answer.headers)
            known.headers[.contentLength] = nil
            return known
        }
        response.headers = answer.headers
        response.body = ResponseBody(byteBuffer: answer.body)
        return response
    }
}

extension DirectAnswer {
    /// Smaller answers are sent as they are: they fit into one packet anyway.
    package static var leastCompressed: Int { 1_024 }

    private var isLong: Bool { body.readableBytes >= Self.leastCompressed }

    /// Adds the ETag and what belongs to it.
    @discardableResult
    package mutating func addTag() -> EntityTag {
        let tag = headers[.eTag].flatMap { EntityTag(header: $0) } ?? EntityTag(of: body)
        headers[.eTag] = tag.header
        if headers[.cacheControl] == nil {
            // It may be kept, but is asked for each time: a book changes at any moment.
            headers[.cacheControl] = "no-cache"
        }
        if isLong { headers[values: .vary].append("Accept-Encoding") }
        return tag
    }

    /// Adds the ETag, then answers 304, or compresses, as the client asks.
    ///
    /// - Parameters:
    ///   - request: the headers of a GET request.
    ///   - answers: keeps what is compressed.
    package mutating func encode(for request: HTTPFields, _ answers: CompressedAnswers) {
        let tag = addTag()
        if tag.isKnown(to: request[.ifNoneMatch]) {
            // With the headers that a cache keeps beside the answer that it has.
            status = .notModified
            headers[.contentLength] = nil
            headers[.contentType] = nil
            body = ByteBuffer()
            return
        }
        guard isLong, AcceptEncoding.prefersGzip(request[.acceptEncoding]),
            let compressed = answers.compressed(body, tag),
            compressed.readableBytes < body.readableBytes
        else { return }
        headers[.eTag] = tag.compressedHeader
        headers[.contentEncoding] = "gzip"
        body = compressed
    }
}
