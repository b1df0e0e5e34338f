import NIOCore

final class CountedReads: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}
