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
    let direct: DirectSource?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            // A page of a book goes out whole: it should not stop and start the pipeline.
            try channel.syncOptions?.setOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(low: 65_536, high: 262_144)
            )
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
            let answers = direct.map { DirectAnswers($0) }
            var plainPosts: PlainPosts?
            if let direct, let answers, !direct.paths.isEmpty {
                let handler = PlainPosts(direct, answers: answers, deadlines: deadlines)
                try pipeline.addHandler(handler)
                plainPosts = handler
            }
            try pipeline.addHandler(encoder)
            try pipeline.addHandler(decoder)
            try pipeline.addHandler(
                WebSocketUpgrade(
                    webSockets,
                    decoder: decoder,
                    encoder: encoder,
                    deadlines: deadlines,
                    plainPosts: plainPosts
                )
            )
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
            try pipeline.addHandler(deadlines)
            if let answers { try pipeline.addHandler(answers) }
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true)
            )
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
