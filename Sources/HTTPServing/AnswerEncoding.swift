import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore

/// Gives answers to GET requests that may be kept a strong ETag, answers 304 to a client that has the answer, and
/// compresses it for a client that accepts gzip.
///
/// An ETag that a handler has set is believed; otherwise it is computed from the bytes. No answer
/// here has a secret in it, so its compressed length gives nothing away.
package struct AnswerEncoding<Context: RequestContext>: RouterMiddleware {
    /// Smaller answers are sent as they are: they fit into one packet anyway.
    package static var leastBytes: Int { 1_024 }

    private let answers = CompressedAnswers()

    package init() {}

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
        let collector = BufferCollector()
        try await response.body.write(collector)
        let body = collector.buffer
        let tag =
            response.headers[.eTag].flatMap { EntityTag(header: $0) } ?? EntityTag(of: body)
        response.headers[.eTag] = tag.header
        if response.headers[.cacheControl] == nil {
            // It may be kept, but is asked for each time: a book changes at any moment.
            response.headers[.cacheControl] = "no-cache"
        }
        if length >= Self.leastBytes { response.headers[values: .vary].append("Accept-Encoding") }
        if tag.isKnown(to: request.headers[.ifNoneMatch]) {
            return notModified(response)
        }
        guard length >= Self.leastBytes,
            AcceptEncoding.allowsGzip(request.headers[.acceptEncoding]),
            let compressed = answers.compressed(body, tag), compressed.readableBytes < length
        else {
            response.body = ResponseBody(byteBuffer: body)
            return response
        }
        response.headers[.eTag] = tag.compressedHeader
        response.headers[.contentEncoding] = "gzip"
        response.body = ResponseBody(byteBuffer: compressed)
        return response
    }

    /// 304 with the headers that a cache keeps beside the answer that it has.
    private func notModified(_ response: Response) -> Response {
        var known = Response(status: .notModified, headers: response.headers)
        known.headers[.contentLength] = nil
        known.headers[.contentType] = nil
        return known
    }
}

/// Keeps what a response writes; one buffer is kept without a copy.
private final class BufferCollector: ResponseBodyWriter {
    private(set) var buffer = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws {
        if self.buffer.readableBytes == 0 {
            self.buffer = buffer
        } else {
            self.buffer.writeImmutableBuffer(buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
