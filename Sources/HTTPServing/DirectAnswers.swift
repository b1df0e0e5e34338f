package import HTTPTypes
package import NIOCore
import NIOHTTPTypes

/// A whole answer that is ready as soon as its request's head is read.
package struct DirectAnswer: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: ByteBuffer

    package init(status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Gives the answers that need no wait on the connection's own event loop.
///
/// The application's way takes a task and several hand-overs between threads for each request,
/// which cost more than the answer. Only a plain GET is offered: without a body, without a word on
/// the connection, while no earlier request of the connection waits, and while the client takes its
/// answers: the application stops reading from one that does not.
final class DirectAnswers: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let source: DirectSource
    private var peer: String?
    /// Waits for its request's end.
    private var ready: DirectAnswer?
    /// Requests that the application has not wholly answered.
    private var unanswered = 0
    /// Requests that were read to their end.
    private(set) var ended: UInt64 = 0
    private var isAtEnd = true
    /// The connection ends with an answer, or is broken.
    private var isEnding = false
    /// The application got something since the last end of a reading.
    private var hasPassed = true

    init(_ source: DirectSource) {
        self.source = source
    }

    /// Everything that was read is wholly answered, and another request may come.
    var isIdle: Bool { isAtEnd && unanswered == 0 && !isEnding }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            let isFree = unanswered == 0 && context.channel.isWritable
            ready = isFree && Self.isPlain(request) ? source.get(request, peer(context)) : nil
            isAtEnd = false
            if let word = request.headerFields[.connection], word != "keep-alive" {
                isEnding = true
            }
            guard ready == nil else { return }
            unanswered += 1
        case .body: break
        case .end:
            ended &+= 1
            isAtEnd = true
            guard let answer = ready else { break }
            ready = nil
            return write(answer, context)
        }
        hasPassed = true
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isEnding = true
        context.fireErrorCaught(error)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard hasPassed else { return }
        hasPassed = false
        context.fireChannelReadComplete()
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        if case .end = unwrapOutboundIn(data) { unanswered = max(0, unanswered - 1) }
        context.write(data, promise: promise)
    }

    private func write(_ answer: DirectAnswer, _ context: ChannelHandlerContext) {
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        head.headerFields[.date] = HTTPDate.current()
        if answer.status != .notModified, answer.headers[.contentLength] == nil {
            head.headerFields[.contentLength] = String(answer.body.readableBytes)
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if answer.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(answer.body)), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func peer(_ context: ChannelHandlerContext) -> String {
        if let peer { return peer }
        let address = context.channel.remoteAddress?.ipAddress ?? "local"
        peer = address
        return address
    }

    private static func isPlain(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.headerFields[.contentLength] == nil
            && request.headerFields[.transferEncoding] == nil
            && request.headerFields[.connection] == nil
            && request.headerFields[.expect] == nil
    }
}

@available(*, unavailable)
extension DirectAnswers: Sendable {}
