package import NIOCore
package import NIOHTTPTypes

/// The time limits of a connection to a server.
///
/// Each limit is for a whole step, not between two bytes: a client that sends a byte a second gets
/// no more time than a silent one.
package struct ConnectionTimes: Sendable, Hashable {
    /// From the connection to the head of the first request.
    package var head = TimeAmount.seconds(10)
    /// From a request's head to the end of its body.
    package var body = TimeAmount.seconds(30)
    /// From the start of an answer until the client has taken all of it.
    package var answer = TimeAmount.seconds(60)
    /// From the end of an answer to the head of the next request.
    package var idle = TimeAmount.seconds(60)

    package init() {}
}

/// Closes a connection that keeps the server waiting.
///
/// There is no limit while the server works on a request. A connection has one timer: a later limit
/// does not move it, it looks for the current limit when it fires.
package final class ConnectionDeadlines: ChannelDuplexHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias InboundOut = HTTPRequestPart
    package typealias OutboundIn = HTTPResponsePart
    package typealias OutboundOut = HTTPResponsePart

    private let times: ConnectionTimes
    private var timer: Scheduled<Void>?
    /// When the timer fires: at the limit or before it.
    private var firesAt = NIODeadline.distantFuture
    /// The current limit; nil if there is none.
    private var limit: NIODeadline?
    /// Requests with a head whose answers are not completely taken.
    private var unanswered = 0
    private var isAnswering = false
    private var hasBegun = false
    private var context: ChannelHandlerContext?

    package init(_ times: ConnectionTimes) {
        self.times = times
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        cancel()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            start(times.body, context)
        case .body: break
        // After an early answer, the rest of the request has the idle limit.
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

    // MARK: Requests that do not pass through this handler

    /// A request's head was read, and its body is not whole.
    func beganBeside() {
        if let context { start(times.body, context) }
    }

    /// A request was read whole: the server works on it.
    func readBeside() {
        unanswered += 1
        stop()
    }

    /// The request's answer is written.
    ///
    /// - Parameter taken: succeeds once the client has taken it.
    func answersBeside(_ taken: EventLoopFuture<Void>) {
        guard let context else { return }
        start(times.answer, context)
        taken.assumeIsolated().whenSuccess { [self] in
            unanswered = max(0, unanswered - 1)
            if unanswered == 0, let context = self.context { start(times.idle, context) }
        }
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        start(times.head, context)
    }

    private func start(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        let limit = context.eventLoop.now + time
        self.limit = limit
        if timer != nil, firesAt <= limit { return }
        timer?.cancel()
        schedule(at: limit, context)
    }

    private func schedule(at time: NIODeadline, _ context: ChannelHandlerContext) {
        firesAt = time
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) {
            self.fire(context)
        }
    }

    private func fire(_ context: ChannelHandlerContext) {
        timer = nil
        guard let limit else { return }
        if limit <= context.eventLoop.now {
            context.close(promise: nil)
        } else {
            schedule(at: limit, context)
        }
    }

    private func stop() {
        limit = nil
    }

    private func cancel() {
        limit = nil
        timer?.cancel()
        timer = nil
    }
}

@available(*, unavailable)
extension ConnectionDeadlines: Sendable {}
