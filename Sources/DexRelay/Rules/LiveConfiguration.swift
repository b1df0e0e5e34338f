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

    /// A part of it, without a copy of the whole.
    package func read<Part>(_ part: (borrowing RelayConfiguration) -> Part) -> Part {
        value.withLock { part($0) }
    }

    /// Takes what the operator decided about orders; the rest stays.
    package func replace(moderation: Moderation) {
        value.withLock { $0.moderation = moderation }
    }

    /// Takes what the settings say; what the operator decided about orders stays.
    package func replace(settings configuration: RelayConfiguration) {
        value.withLock { value in
            var configuration = configuration
            configuration.moderation = value.moderation
            value = configuration
        }
    }

    package func replace(with configuration: RelayConfiguration) {
        value.withLock { $0 = configuration }
    }
}
