import Ethereum
import ZeroEx

/// The terms in base units by which a plan of an agent is planned again: no text, and no token's
/// contract, can change them.
enum PlanTerms: Hashable, Sendable {
    /// A market order at its venue.
    case trade(PairTerms, venue: VenueID, MarketSize, within: MarketPlanner.Confirmed)
    /// A new order: both amounts and its end are exact.
    case order(PairTerms, makerAmount: UInt256, takerAmount: UInt256, expiry: UInt64)
    /// Cancels of orders.
    case cancel([OrderHash])

    var venue: VenueID? {
        if case .trade(_, let venue, _, _) = self { venue } else { nil }
    }
}

/// A pair's tokens, with the decimals that were planned with.
struct PairTerms: Hashable, Sendable {
    let base: Address
    let quote: Address
    let baseDecimals: UInt8?
    let quoteDecimals: UInt8?

    init(base: Address, quote: Address, baseDecimals: UInt8?, quoteDecimals: UInt8?) {
        self.base = base
        self.quote = quote
        self.baseDecimals = baseDecimals
        self.quoteDecimals = quoteDecimals
    }

    var decimals: [Address: UInt8] {
        [base: baseDecimals, quote: quoteDecimals].compactMapValues { $0 }
    }

    init(_ pair: Pair) {
        self.init(
            base: pair.base.address,
            quote: pair.quote.address,
            baseDecimals: pair.base.decimals,
            quoteDecimals: pair.quote.decimals
        )
    }
}
