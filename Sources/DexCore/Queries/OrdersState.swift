package import Ethereum
package import ZeroEx

/// The open orders of a pair, for `dex orders`.
package struct OrdersState: Sendable {
    /// The state of an order on chain.
    package enum Standing: String, CaseIterable, Sendable {
        case open
        case partlyFilled = "partly-filled"
        case filled
        case cancelled
        case expired
        case unfunded
        /// Its maker's balance and allowance cover a part of what is left.
        case halfFunded = "half-funded"
        /// It is not used up, and its maker's balance or allowance could not be read.
        case unknown
    }

    package struct Row: Sendable {
        package let order: any SignedOrder
        /// The relay's wire form of the order.
        package let wire: String
        package let maker: TokenAmount
        package let taker: TokenAmount
        /// The pair in its usual direction, and the maker's side for its base.
        package let pair: Pair
        package let side: TradeSide
        package let price: Price
        package let state: OrderState
        package let standing: Standing
        /// Base units of the taker token that can be filled now, for sure; see `knownFillable`.
        package let fillable: UInt256
        package let flags: [OrderFlag]
        /// It is in the journal: we made it.
        package let isOwn: Bool
        /// The relay serves it.
        package let isOnRelay: Bool
        /// The relays that show it; empty with one relay.
        package var relays: [String] = []
    }

    package let block: UInt64
    /// Seconds since 1970 of that block.
    package let timestamp: UInt64
    package var rows: [Row]
    package let dropped: [OrderbookState.Dropped]
    /// Notes on data that is not shown, and its place; sentences.
    package var warnings: [String] = []
}

extension OrdersState.Row {
    /// Base units of the taker token that can be filled now; nil if the maker's funds are unknown.
    package var knownFillable: UInt256? { standing == .unknown ? nil : fillable }

    /// BASE of an amount of the order's taker token, in base units; rounded down.
    package func base(ofTaker amount: UInt256) -> TokenAmount {
        guard side == .sell else { return TokenAmount(raw: amount, token: taker.token) }
        let part = UInt256.mulDiv(amount, maker.raw, Swift.max(1, taker.raw))?.quotient
        return TokenAmount(raw: min(part ?? maker.raw, maker.raw), token: maker.token)
    }

    /// The share of the whole order that an amount of its taker token is, in hundredths of a
    /// percent; at most 10,000.
    package func share(ofTaker amount: UInt256) -> UInt64 {
        let share = UInt256.mulDiv(amount, 10_000, Swift.max(1, taker.raw))?.quotient.uint64
        return min(share ?? 10_000, 10_000)
    }

    /// The flags of an order that nobody can fill any more, each with its reason, a clause.
    var endings: [(OrderFlag, String)] {
        [
            (.cancelled, "its maker cancelled it"), (.filled, "all of it is filled"),
            (.expired, "it has expired"),
        ]
    }
}
