package import Ethereum
package import ZeroEx

/// The pairs that can be traded, for `dex pairs`.
package struct PairsState: Sendable {
    package struct Row: Sendable {
        /// In the usual direction: QUOTE is WETH or a stable coin if the pair has one.
        package let pair: Pair
        package let details: RelayTokenPair
        /// Both tokens are in the map.
        package let isKnown: Bool
        /// nil if the book was not read.
        package var book: Book?
        /// The trades of the last day; nil if they were not read.
        package var volume: MarketSummary?
    }

    /// The figures of a pair's book.
    package struct Book: Sendable {
        /// nil for an empty side.
        package let bid: Price?
        package let ask: Price?
        /// From the bid to the ask, in hundredths of a percent of the bid, rounded up.
        ///
        /// nil without both, or if they cross.
        package let spreadBasisPoints: UInt64?
        /// Base units of QUOTE for what can be taken within 2 % of the best price.
        package let bidDepth: UInt256
        package let askDepth: UInt256
    }

    /// The place where the pairs are listed.
    package enum Source: String, CaseIterable, Hashable, Sendable {
        case relay
        /// The chain's hubs that have a pool: no relay is asked.
        case pools
    }

    /// Its host; empty without a relay.
    package let relay: String
    package var source = Source.relay
    package var rows: [Row]
    /// The relays that are left out, and figures that could not be read; sentences.
    package var warnings: [String] = []
    /// Figures were requested.
    package var hasFigures = false
}
