/// The source of a watched book's changes, relay by relay.
package struct WatchSource: Hashable, Sendable {
    /// Relays whose feed is followed.
    package let following: [String]
    /// Relays that are asked again and again.
    package let polling: [String]
    /// Those of them whose feed has neither begun nor failed yet.
    package let connecting: [String]
    /// Milliseconds between two reads.
    package let interval: UInt64

    package init(
        following: [String],
        polling: [String],
        connecting: [String] = [],
        interval: UInt64
    ) {
        self.following = following
        self.polling = polling
        self.connecting = connecting
        self.interval = interval
    }
}
