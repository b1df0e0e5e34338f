public import Ethereum

/// A relay's messages about new and changed orders, over a connection that stays open.
public protocol RelayFeed: Sendable {
    /// Subscribes to both sides of a pair and hands out what the relay sends, until the feed ends.
    ///
    /// Orders are parsed and hashed but NOT verified. Cancelling the task ends the feed at once.
    ///
    /// - Parameter receive: gets the events in order; the next message is read after it returns.
    func follow(
        base: Address,
        quote: Address,
        receive: @escaping @Sendable (RelayFeedEvent) async -> Void
    ) async -> RelayFeedEnd
}

/// An event of a relay's feed.
public enum RelayFeedEvent: Sendable {
    /// The subscription stands: from now on every change is an event.
    case subscribed
    /// The messages have numbers, so that a missed one is noticed.
    case numbered
    /// The best orders of both sides; all of them if it is whole.
    case snapshot(RelayOrderbook, isWhole: Bool)
    /// Orders that are new, or shown again.
    case shown([any SignedOrder])
    /// Orders that changed or left the book.
    case changed([RelayOrderChange])
    /// Messages are missing, or came out of order: the book must be read again.
    case gap
}

/// What a relay's feed says of an order that it has shown.
public struct RelayOrderChange: Hashable, Sendable {
    public let hash: OrderHash
    /// The relay still shows it.
    public let isShown: Bool

    public init(hash: OrderHash, isShown: Bool) {
        self.hash = hash
        self.isShown = isShown
    }
}

/// The reason why a feed ended.
public struct RelayFeedEnd: Hashable, Sendable {
    /// Words that follow "the feed ended:"; the relay's texts in it are unchanged.
    public let reason: String
    /// The relay has no such feed: connecting again does not help.
    public let isPermanent: Bool

    public init(reason: String, isPermanent: Bool = false) {
        self.reason = reason
        self.isPermanent = isPermanent
    }
}
