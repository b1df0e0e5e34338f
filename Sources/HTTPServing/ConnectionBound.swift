import NIOCore

/// Stands in a listening socket's pipeline: beyond a number of open connections, and where the
/// process has few descriptors left, others wait.
final class ConnectionBound: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// What others of the process close is seen this late.
    static let retry = TimeAmount.milliseconds(200)

    private let maximum: Int
    private let descriptors: FreeDescriptors
    private let connections: OpenConnections
    private var count = 0
    private var isHeld = false
    private var retry: Scheduled<Void>?

    init(maximum: Int, _ connections: OpenConnections, descriptors: FreeDescriptors = .ofProcess) {
        self.maximum = maximum
        self.connections = connections
        self.descriptors = descriptors
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        count += 1
        connections.add(channel)
        let place = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        channel.closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            let (handler, context) = place.value
            handler.closed(context)
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        guard count < maximum else {
            isHeld = true
            return
        }
        guard descriptors.allowConnection else {
            isHeld = true
            retryLater(context)
            return
        }
        context.read()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        retry?.cancel()
        retry = nil
    }

    private func closed(_ context: ChannelHandlerContext) {
        count -= 1
        readHeld(context)
    }

    private func readHeld(_ context: ChannelHandlerContext) {
        guard isHeld else { return }
        isHeld = false
        read(context: context)
    }

    private func retryLater(_ context: ChannelHandlerContext) {
        guard retry == nil else { return }
        retry = context.eventLoop.assumeIsolated().scheduleTask(in: Self.retry) { [self] in
            retry = nil
            readHeld(context)
        }
    }
}

@available(*, unavailable)
extension ConnectionBound: Sendable {}
