package import Hummingbird
package import Logging

extension ServerConnections {
    /// A server of a router, without WebSockets, within the limits of connections.
    ///
    /// - Parameters:
    ///   - port: 0 takes any free port.
    ///   - onRunning: gets the port once the server listens.
    package static func application<Context: RequestContext>(
        _ router: Router<Context>,
        host: String,
        port: Int,
        logger: Logger,
        onRunning: @escaping @Sendable (_ port: Int) async -> Void
    ) -> some ApplicationProtocol where Context.Source == ApplicationRequestContextSource {
        Application(
            router: router,
            server: http(),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: bound(logger: logger)
            ),
            onServerRunning: { await onRunning($0.localAddress?.port ?? port) },
            logger: logger
        )
    }
}
