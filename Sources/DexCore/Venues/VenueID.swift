package import ZeroEx

/// The name of a venue in settings, requests, the journal and answers.
package enum VenueID: String, CaseIterable, Hashable, Sendable {
    /// The orders of the relay's book.
    case book
    /// The network's swap API.
    case swap
    /// Uniswap's pools, read from the chain alone.
    case pools
}

/// A venue that a plan does not use.
package struct VenueAlternative: Sendable {
    package let venue: VenueID
    /// QUOTE per BASE with fees; nil if it has no price.
    package let average: Price?
    package let worst: Price?
    /// The gas that its transaction needs, as far as known.
    package let gas: UInt64?
    /// Why it is not used; a sentence.
    package let reason: String
}

/// A venue's own data about its quote, as it says.
///
/// Texts are the venue's.
package struct QuoteSummary: Sendable {
    /// As screens name the venue: `0x Swap`.
    package let venue: String
    /// Its id of the quote, for its support.
    package let id: String?
    package let block: UInt64?
    package let sources: [SwapPrice.Source]
    package let fees: [SwapPrice.Fee]
    /// How many nodes said the price, of a venue that is read from the chain; nil of others.
    package var nodes: UInt64?
    /// Its age in seconds when the plan was complete.
    package var age: UInt64 = 0
}
