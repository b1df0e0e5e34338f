import Synchronization

/// The configuration of a market, replaced as a whole when the operator's file is read again.
package final class LiveConfiguration: Sendable {
    private let value: Mutex<RelayConfiguration>

    package init(_ configuration: RelayConfiguration) {
        value = Mutex(configuration)
    }

    package var current: RelayConfiguration {
        value.withLock { $0 }
    }

    package func replace(with configuration: RelayConfiguration) {
        value.withLock { $0 = configuration }
    }
}
