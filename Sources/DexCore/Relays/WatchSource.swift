/// How a watched book learns of changes, relay by relay.
package struct WatchSource: Hashable, Sendable {
    /// Relays whose feed is followed.
    package let following: [String]
    /// Relays that are asked again and again.
    package let polling: [String]
    /// Milliseconds between two reads.
    package let interval: UInt64
}
