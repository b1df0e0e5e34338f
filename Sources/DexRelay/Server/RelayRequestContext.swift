package import Hummingbird
package import Logging
import NIOCore

/// What the relay knows of a request beside itself.
package struct RelayRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Who asks, for the rate limit: the address without its port.
    package let client: String

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        client = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// A context without a connection, for requests within the process.
    package init(client: String, logger: Logger) {
        coreContext = CoreRequestContextStorage(source: InProcessSource(logger: logger))
        self.client = client
    }

    private struct InProcessSource: RequestContextSource {
        let logger: Logger
    }
}
