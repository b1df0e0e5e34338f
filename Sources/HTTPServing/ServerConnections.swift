package import HummingbirdCore
package import Logging

package enum ServerConnections {
    /// The maximum number of open connections; further ones wait.
    private static let most = 512

    /// What one address has of them beside its WebSockets.
    package static let mostOfAddress = 256

    /// HTTP/1.1 with time limits that close waiting connections.
    ///
    /// - Parameters:
    ///   - webSockets: what upgrades; nil is nothing.
    ///   - shares: how many connections one address has of those that upgrade; nil is no limit.
    ///   - direct: answers plain requests without the application; nil leaves all to it.
    package static func http(
        _ times: ConnectionTimes = ConnectionTimes(),
        webSockets: WebSocketServer? = nil,
        shares: ConnectionShares? = nil,
        direct: DirectSource? = nil
    ) -> HTTPServerBuilder {
        guard let webSockets else {
            return HTTPServerBuilder { responder in
                DroppableConnections(
                    handler: HTTP1Channel(
                        responder: responder,
                        configuration: HTTP1Channel.Configuration(
                            additionalChannelHandlers: [ConnectionDeadlines(times)]
                        )
                    )
                )
            }
        }
        return HTTPServerBuilder { responder in
            DroppableConnections(
                handler: UpgradableHTTPChannel(
                    responder: responder,
                    times: times,
                    webSockets: webSockets,
                    shares: shares,
                    direct: direct
                )
            )
        }
    }

    /// - Parameter webSockets: the maximum number of WebSockets, which count beside the others.
    package static func bound(
        webSockets: Int = 0,
        logger: Logger
    ) -> MaximumAvailableConnections {
        MaximumAvailableConnections(most + webSockets, logger: logger)
    }
}
