import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Turns an HTTP/1.1 connection into a WebSocket where a request asks for it.
///
/// NIO's own upgrade handler looks only at a connection's first request. Proxies send requests to
/// upgrade over connections that they used before, so this one looks at every request.
final class WebSocketUpgrade: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case http
        /// The rest of a request to upgrade is awaited.
        case asked(HTTPRequestHead)
        /// Refused: nothing more is read.
        case refused
        /// The bytes that follow belong to the WebSocket.
        case upgraded
    }

    private let server: WebSocketServer
    /// What reads and writes HTTP around this handler, removed by an upgrade.
    private let decoder: ByteToMessageHandler<HTTPRequestDecoder>
    private let encoder: HTTPResponseEncoder
    private let http: HTTPConnection
    private var state = State.http
    /// Requests without a whole answer.
    private var unanswered = 0

    init(
        _ server: WebSocketServer,
        decoder: ByteToMessageHandler<HTTPRequestDecoder>,
        encoder: HTTPResponseEncoder,
        http: HTTPConnection
    ) {
        self.server = server
        self.decoder = decoder
        self.encoder = encoder
        self.http = http
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .http: readHTTP(context, data)
        case .asked(let head):
            if case .end = unwrapInboundIn(data) { decide(head, context) }
        case .refused: break
        case .upgraded: context.fireChannelRead(data)
        }
    }

    func write(
        context: ChannelHandlerContext,
        data: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        defer { context.write(data, promise: promise) }
        // After an upgrade it is the WebSocket's bytes that pass.
        if case .upgraded = state { return }
        if case .end = unwrapOutboundIn(data) { unanswered = max(0, unanswered - 1) }
    }

    private func readHTTP(_ context: ChannelHandlerContext, _ data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else {
            return context.fireChannelRead(data)
        }
        guard Self.asksToUpgrade(head) else {
            unanswered += 1
            return context.fireChannelRead(data)
        }
        if unanswered == 0, head.method == .GET, head.version == .http1_1,
            Self.tokens(of: "upgrade", in: head).contains("websocket"),
            server.paths.contains(WebSocketRequest.path(of: head)),
            RequestRules.refusal(head) == nil
        {
            state = .asked(head)
        } else {
            // NIO's decoder reads nothing behind a request to upgrade, whatever is answered.
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            unanswered += 1
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
    }

    private func decide(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard head.headers["Sec-WebSocket-Version"] == ["13"] else {
            return refuse(
                .handshake(.upgradeRequired, "WebSocket version 13 is spoken here"),
                context
            )
        }
        let keys = head.headers["Sec-WebSocket-Key"]
        guard keys.count == 1, Self.isKey(keys[0]) else {
            return refuse(
                .handshake(.badRequest, "Sec-WebSocket-Key has to be 16 bytes in base64"),
                context
            )
        }
        let peer = context.channel.remoteAddress?.ipAddress ?? "local"
        switch server.answer(WebSocketRequest(head, peer: peer)) {
        case .refuse(let refusal): refuse(refusal, context)
        case .accept(let limits, let makeSession):
            let connection = WebSocketConnection(
                limits: limits,
                times: server.times,
                makeSession: makeSession
            )
            // NIO's upgrader computes the accept header; its answer is there at once.
            let upgrader = NIOWebSocketServerUpgrader(
                shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
                upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture()
                }
            )
            upgrader.buildUpgradeResponse(
                channel: context.channel,
                upgradeRequest: head,
                initialResponseHeaders: [:]
            )
            .flatMapThrowing { headers in
                HTTPResponseHead(
                    version: .http1_1,
                    status: .switchingProtocols,
                    headers: headers
                )
            }
            .assumeIsolated()
            .flatMapThrowing { [self] response in
                try upgrade(response, connection, limits, context)
            }
            .whenFailure { _ in context.close(promise: nil) }
        }
    }

    private func upgrade(
        _ response: HTTPResponseHead,
        _ connection: WebSocketConnection,
        _ limits: WebSocketLimits,
        _ context: ChannelHandlerContext
    ) throws {
        state = .upgraded
        context.writeAndFlush(wrapOutboundOut(.head(response)), promise: nil)
        let pipeline = context.pipeline.syncOperations
        let frames = ByteToMessageHandler(
            WebSocketFrameDecoder(maxFrameSize: min(limits.maximumMessageBytes, Int(UInt32.max)))
        )
        try pipeline.addHandler(frames, position: .after(self))
        try pipeline.addHandler(connection, position: .after(frames))
        pipeline.removeHandler(http, promise: nil)
        pipeline.removeHandler(encoder, promise: nil)
        // Passes on the bytes that came with the request; this handler lets them through.
        pipeline.removeHandler(decoder, promise: nil)
    }

    private func refuse(_ refusal: Response, _ context: ChannelHandlerContext) {
        state = .refused
        var headers = HTTPHeaders(refusal.headers)
        headers.add(name: "Connection", value: "close")
        if refusal.status == .upgradeRequired {
            headers.add(name: "Upgrade", value: "websocket")
            headers.add(name: "Sec-WebSocket-Version", value: "13")
        }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: refusal.status.code),
            headers: headers
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(refusal.body))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    /// The request has what makes NIO's decoder stop behind it.
    private static func asksToUpgrade(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "Upgrade")
            && tokens(of: "Connection", in: head).contains("upgrade")
    }

    private static func tokens(of header: String, in head: HTTPRequestHead) -> [String] {
        head.headers[canonicalForm: header].map { $0.lowercased() }
    }

    private static func isKey(_ text: String) -> Bool {
        guard text.utf8.count == 24, text.hasSuffix("==") else { return false }
        return text.utf8.dropLast(2).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
    }
}

extension Response {
    fileprivate static func handshake(
        _ status: HTTPResponse.Status,
        _ reason: String
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: ByteBuffer(string: "\(reason).\n")
        )
    }
}

@available(*, unavailable)
extension WebSocketUpgrade: Sendable {}
