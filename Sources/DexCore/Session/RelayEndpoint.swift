/// A relay of a network's settings.
package struct RelayEndpoint: Hashable, Sendable {
    /// Where the relay's WebSocket feed is.
    package enum Feed: Hashable, Sendable {
        /// At the usual place below the base URL, if there is one.
        case usual
        /// At this `ws://` or `wss://` URL.
        case at(String)
        /// It is not to be used.
        case none

        /// The value of `feed` in config.toml.
        package init(_ text: String) {
            switch text {
            case "none": self = .none
            case "usual": self = .usual
            default: self = .at(text)
            }
        }
    }

    /// The maximum number of relays of a network.
    package static let maximum = 16

    /// The base URL of its API.
    package var url: String
    package var feed: Feed

    package init(url: String, feed: Feed = .usual) {
        self.url = url
        self.feed = feed
    }
}
