package import NIOCore
package import NIOHTTPTypes

/// How long a connection may keep a server waiting.
///
/// All are times to the end of something, not between two bytes of it: who sends a byte a second is
/// waited for no longer than who sends none.
package struct ConnectionTimes: Sendable, Hashable {
    /// From the connection to the first request's head.
    package var head = TimeAmount.seconds(10)
    /// From a request's head to the end of its body.
    package var body = TimeAmount.seconds(30)
    /// From an answer's beginning until all of it is taken.
    package var answer = TimeAmount.seconds(60)
    /// From an answer's end to the head of the next request.
    package var idle = TimeAmount.seconds(60)

    package init() {}
}

/// Closes a connection that keeps the server waiting.
///
/// While a request is worked on the client waits for us, and there is no limit.
package final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let times: ConnectionTimes
    private var timer: Scheduled<Void>?
    /// Requests whose heads came and whose answers are not all taken.
    private var unanswered = 0
    private var isAnswering = false
    private var hasBegun = false

    package init(_ times: ConnectionTimes) {
        self.times = times
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        stop()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            start(times.body, context)
        case .body: break
        // Behind an answer that came first the rest of the request may take as long as idleness.
        case .end where unanswered > 0:
            if isAnswering { start(times.answer, context) } else { stop() }
        case .end: break
        }
        context.fireChannelRead(data)
    }

    package func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        switch unwrapOutboundIn(data) {
        case .head:
            isAnswering = true
            start(times.answer, context)
            context.write(data, promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenSuccess { [self] in
                isAnswering = false
                unanswered = max(0, unanswered - 1)
                if unanswered == 0 { start(times.idle, context) }
            }
            context.write(data, promise: written)
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        start(times.head, context)
    }

    private func start(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        stop()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            context.close(promise: nil)
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension ConnectionDeadlines: Sendable {}
