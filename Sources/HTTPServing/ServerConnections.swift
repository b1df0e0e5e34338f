package import HummingbirdCore
package import Logging

package enum ServerConnections {
    /// The maximum number of open connections; further ones wait.
    private static let most = 512

    /// HTTP/1.1 with time limits that close waiting connections.
    package static func http(
        _ times: ConnectionTimes = ConnectionTimes()
    ) -> HTTPServerBuilder {
        .http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [ConnectionDeadlines(times)]
            )
        )
    }

    package static func bound(logger: Logger) -> MaximumAvailableConnections {
        MaximumAvailableConnections(most, logger: logger)
    }
}
