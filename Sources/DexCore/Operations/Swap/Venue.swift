package import ZeroEx

/// The place where a market order trades.
package enum Venue: String, CaseIterable, Hashable, Sendable {
    /// The orders of the relay's book.
    case book
    /// The network's swap API.
    case swap
    /// Uniswap's pools, read from the chain alone.
    case pools
}

extension Venue {
    /// The choice of this venue alone.
    var choice: VenueChoice {
        switch self {
        case .book: .book
        case .swap: .swap
        case .pools: .pools
        }
    }
}

/// A venue beside the book, and what prices trades there.
struct VenueSource: Sendable {
    let venue: Venue
    let source: any LiquiditySource
}

/// A venue that a plan does not use.
package struct VenueAlternative: Sendable {
    package let venue: Venue
    /// QUOTE per BASE with fees; nil if it has no price.
    package let average: Price?
    package let worst: Price?
    /// What its transaction needs, as far as known.
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
