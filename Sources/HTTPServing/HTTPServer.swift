package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server of HTTP/1.1, and of WebSockets beside it: NIO's parser, one router, one way from a
/// request to its answer.
package struct HTTPServer: Sendable {
    /// What one address has of the connections beside its WebSockets.
    package static let maximumOfAddress = 256
    /// The open connections beside WebSockets; further ones wait.
    private static let maximum = 512
    /// The parser of every connection, made before the first one.
    ///
    /// Two event loops that name this type first, at the same moment, end the process: Swift 6.3
    /// looks for `HTTPDecoder`'s conformance while the other thread has not set its superclass yet.
    private static let parser = ByteToMessageHandler<HTTPRequestDecoder>.self

    private let parser = Self.parser
    private let router: Router
    private let host: String
    private let port: Int
    private let times: ConnectionTimes
    private let webSockets: WebSocketServer?
    private let maximumWebSockets: Int
    private let shares: ConnectionShares?
    private let logger: Logger

    /// A server that is not running yet.
    ///
    /// - Parameters:
    ///   - host: an IP address of this machine.
    ///   - port: 0 takes any free one.
    ///   - webSockets: what upgrades; nil is nothing.
    ///   - maximumWebSockets: they count beside the other connections.
    ///   - shares: how many connections one address has; nil is no limit.
    package init(
        _ router: Router,
        host: String = "127.0.0.1",
        port: Int,
        times: ConnectionTimes = ConnectionTimes(),
        webSockets: WebSocketServer? = nil,
        maximumWebSockets: Int = 0,
        shares: ConnectionShares? = nil,
        logger: Logger
    ) {
        self.router = router
        self.host = host
        self.port = port
        self.times = times
        self.webSockets = webSockets
        self.maximumWebSockets = maximumWebSockets
        self.shares = shares
        self.logger = logger
    }

    /// Serves until the task is cancelled, or the stop is made and all are answered.
    ///
    /// - Parameter onRunning: gets the port once the server listens; it is called beside requests.
    /// - Throws: `IOError` if the address cannot be bound.
    package func run(
        until stop: ServerStop? = nil,
        onRunning: @Sendable (_ port: Int) async -> Void
    ) async throws {
        let connections = OpenConnections()
        try await withTaskCancellationHandler {
            let listener = try await bootstrap(connections).bind(host: host, port: port).get()
            connections.listen(at: listener)
            stop?.attach(connections)
            await onRunning(listener.localAddress?.port ?? port)
            await connections.ended()
            stop?.detach()
        } onCancel: {
            connections.cut()
        }
    }

    private func bootstrap(_ connections: OpenConnections) -> ServerBootstrap {
        let maximumOpen = Self.maximum + maximumWebSockets
        return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ConnectionBound(maximum: maximumOpen, connections)
                    )
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // A page of a book goes out whole: it should not stop and start its connection.
            .childChannelOption(
                .writeBufferWaterMark,
                value: ChannelOptions.Types.WriteBufferWaterMark(low: 65_536, high: 262_144)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try serve(channel, connections) }
            }
    }

    /// Makes the pipeline of a connection; called on its event loop.
    func serve(_ channel: any Channel, _ connections: OpenConnections) throws {
        let pipeline = channel.pipeline.syncOperations
        if let shares { try pipeline.addHandler(shares.handler) }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = limits.maxHeaderFieldSize
        let encoder = HTTPResponseEncoder()
        let decoder = parser.init(
            HTTPRequestDecoder(
                leftOverBytesStrategy: webSockets == nil ? .dropBytes : .forwardBytes,
                limitConfiguration: limits
            )
        )
        let lastRead = LastRead()
        let http = HTTPConnection(router, times, connections, lastRead: lastRead, logger)
        try pipeline.addHandler(encoder)
        try pipeline.addHandler(lastRead)
        try pipeline.addHandler(decoder)
        if let webSockets {
            try pipeline.addHandler(
                WebSocketUpgrade(webSockets, decoder: decoder, encoder: encoder, http: http)
            )
        }
        try pipeline.addHandler(http)
    }
}
