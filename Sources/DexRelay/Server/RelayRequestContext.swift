package import Hummingbird
package import Logging
package import NIOCore

/// The relay's data about a request.
package struct RelayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The client, for limits: the address without its port, behind trusted proxies the one that
    /// they name.
    package var client: String
    /// Nobody unknown could have chosen `client`.
    package var isClientCertain = false
    /// The request's connection; nil within the process.
    package let channel: (any Channel)?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        client = source.channel.remoteAddress?.ipAddress ?? "local"
        channel = source.channel
    }

    /// A context without a connection, for requests within the process.
    package init(client: String, logger: Logger) {
        coreContext = CoreRequestContextStorage(source: InProcessSource(logger: logger))
        self.client = client
        channel = nil
    }

    private struct InProcessSource: RequestContextSource {
        let logger: Logger
    }
}
