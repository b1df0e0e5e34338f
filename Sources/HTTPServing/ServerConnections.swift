package import HummingbirdCore
package import Logging

/// What our servers have in common about connections.
package enum ServerConnections {
    /// Connections beyond these wait until others are closed.
    private static let most = 512

    /// HTTP/1.1 whose connections are closed where they keep the server waiting.
    package static func http(
        _ times: ConnectionTimes = ConnectionTimes()
    ) -> HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ConnectionDeadlines(times)]
            )
        )
    }

    /// The bound of open connections.
    package static func bound(logger: Logger) -> MaximumAvailableConnections {
        MaximumAvailableConnections(most, logger: logger)
    }
}
