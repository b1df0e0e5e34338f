import Synchronization

/// The settings in use, which SIGHUP replaces.
final class CurrentSettings: Sendable {
    private let settings: Mutex<RelaySettings>

    init(_ settings: RelaySettings) {
        self.settings = Mutex(settings)
    }

    var value: RelaySettings {
        get { settings.withLock { $0 } }
        set { settings.withLock { $0 = newValue } }
    }
}
