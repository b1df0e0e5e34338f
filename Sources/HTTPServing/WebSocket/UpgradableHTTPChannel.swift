import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// A connection that speaks HTTP/1.1, and WebSocket after an upgrade.
///
/// The application's task for the connection waits beside a WebSocket, so that one stop ends both.
struct UpgradableHTTPChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: Responder
    let times: ConnectionTimes
    let webSockets: WebSocketServer
    let shares: ConnectionShares?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let encoder = HTTPResponseEncoder()
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderListSize = limits.maxHeaderFieldSize
            let decoder = ByteToMessageHandler(
                HTTPRequestDecoder(
                    leftOverBytesStrategy: .forwardBytes,
                    limitConfiguration: limits
                )
            )
            let deadlines = ConnectionDeadlines(times)
            if let shares { try pipeline.addHandler(shares.handler) }
            try pipeline.addHandler(encoder)
            try pipeline.addHandler(decoder)
            try pipeline.addHandler(
                WebSocketUpgrade(
                    webSockets,
                    decoder: decoder,
                    encoder: encoder,
                    deadlines: deadlines
                )
            )
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(deadlines)
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await handleHTTP(asyncChannel: value, logger: logger)
        }
    }
}
