package import Ethereum
package import ZeroEx

/// The prices of a pair, for `dex price`.
package struct PriceState: Sendable {
    /// The cost or proceeds of an amount.
    package struct Quote: Sendable {
        package let side: TradeSide
        /// The requested base units of BASE.
        package let amount: UInt256
        /// Base units of BASE that the book can fill; less than `amount` in a thin book.
        package let fillable: UInt256
        /// Base units of QUOTE for the fillable part.
        package let total: UInt256
        /// Including fees that are in a token of the pair or have a known value.
        package let average: Price
        package let worst: Price
        /// How far the average is from the best price, in hundredths of a percent.
        package let impactBasisPoints: UInt64
        package let orders: Int
        /// Taker fees; nil if there are none.
        package var fees: TokenAmount?
        /// Their value in base units of QUOTE; nil if they are in a token of the pair, or have no
        /// price.
        package var feeValue: UInt256?
    }

    /// What one venue offers for the amount.
    package struct Offer: Sendable {
        package let venue: VenueID
        /// As screens name it.
        package let name: String
        /// Base units of QUOTE; nil without an offer.
        package let total: UInt256?
        package let average: Price?
        package let worst: Price?
        /// What its transaction needs; nil if unknown.
        package let gas: UInt64?
        /// Why there is no offer; nil with one.
        package let reason: String?
    }

    package let pair: Pair
    package let block: UInt64
    package let bid: Price?
    package let ask: Price?
    package let mid: Price?
    /// The book's part of an amount; nil without an amount, and if only the swap API offers it.
    package let quote: Quote?
    /// With an amount where the network has a swap API: what each venue offers.
    package var offers: [Offer] = []
    /// The pools whose prices these are; nil for those of the book, and where there are none.
    package var pools: PoolBookState?
    /// The relays that are left out; sentences.
    package var leftOut: [String] = []
    /// The hourly candles of the last day; nil if they were not read.
    package var trend: ChartState?
}

extension PriceState {
    /// From the pools' best bid to their best ask, in hundredths of a percent of the middle.
    ///
    /// nil for a book, without both, and if they cross.
    package var spread: UInt64? {
        guard pools != nil, let bid, let ask else { return nil }
        return BookSpread.basisPoints(bid: bid, ask: ask)
    }

    /// Suggestions if there is no price at all; sentences.
    package var warnings: [String] {
        guard bid == nil, ask == nil, offers.isEmpty else { return leftOut }
        let name = pair.shownName
        return leftOut + [
            "No order of \(name) can be taken now: `dex orderbook \(pair.word)` shows why, `dex pairs` "
                + "lists what the relay trades."
        ]
    }
}
