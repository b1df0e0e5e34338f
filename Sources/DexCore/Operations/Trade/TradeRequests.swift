package import Ethereum
package import ZeroEx

/// A market order as the user wrote it.
package struct MarketRequest: Hashable, Sendable {
    package var side: TradeSide
    /// `ZRX/WETH`, or addresses.
    package var pair: String
    /// Human units of BASE, or of QUOTE if `spends`; `max` or `50%` of what can be spent.
    package var amount: String
    /// The amount is what a purchase costs at most: `--spend`.
    package var spends: Bool
    /// The worst price of any order, QUOTE per BASE in human units, instead of a slippage:
    /// `--max-price` of a buy, `--min-price` of a sale.
    package var limitPrice: String?
    /// The venues that it may take: `--via`; nil leaves it to the network.
    package var via: VenueChoice?
    /// A swap's token moves by a Permit2 message: `--permit2`.
    package var usesPermit: Bool
    /// The terms in base units that were confirmed before; the texts are then only shown.
    var exact: Exact?

    /// A market order's terms that no text and no token's contract can change any more.
    struct Exact: Hashable, Sendable {
        /// With the decimals that were confirmed.
        let pair: Pair
        let size: MarketSize
        /// The worst price of any order; nil leaves it to the request.
        var limit: Price?
        /// The bounds of an earlier plan of the same trade; nil without one.
        var within: MarketPlanner.Confirmed?

        func hash(into hasher: inout Hasher) {
            hasher.combine(pair)
            hasher.combine(size)
        }
    }

    package init(
        side: TradeSide,
        pair: String,
        amount: String,
        spends: Bool = false,
        limitPrice: String? = nil,
        via: VenueChoice? = nil,
        usesPermit: Bool = false
    ) {
        self.side = side
        self.pair = pair
        self.amount = amount
        self.spends = spends
        self.limitPrice = limitPrice
        self.via = via
        self.usesPermit = usesPermit
    }

    init(
        side: TradeSide,
        pair: String,
        amount: String,
        limitPrice: String?,
        via: VenueChoice?,
        exact: Exact
    ) {
        self.init(side: side, pair: pair, amount: amount, limitPrice: limitPrice, via: via)
        self.exact = exact
    }
}

/// The fill of one order as the user wrote it, such as `dex fill 0xe6491f60 25`.
package struct FillRequest: Hashable, Sendable {
    /// The chosen order.
    package enum Source: Hashable, Sendable {
        /// On the relay or in the journal.
        case hash(OrderHash)
        /// A signed order in the relay's wire form, JSON text.
        case signed(String)
    }

    package var source: Source
    /// Human units of the pair's BASE, or a share of the most that can be filled and paid; nil is all
    /// of that.
    package var amount: String?

    package init(source: Source, amount: String? = nil) {
        self.source = source
        self.amount = amount
    }
}

/// A limit order as the user wrote it, such as a sale of 50 ZRX at 0.0008 WETH.
package struct LimitRequest: Hashable, Sendable {
    package var side: TradeSide
    /// `ZRX/WETH`, or addresses.
    package var pair: String
    /// Human units of BASE, or a share of what the account can offer.
    package var amount: String
    /// QUOTE per BASE in human units, or relative to the book: `mid-0.1%`, `bid+1`.
    package var price: String
    package var expiry: OrderExpiry
    /// The restricted taker; nil is anyone.
    package var taker: Address?
    /// The order is posted; false for `--no-post`.
    package var posts: Bool
    /// The terms in base units of an earlier plan of the same order; the texts are then only shown.
    var exact: Exact?

    /// A limit order's terms that no text and no token's contract can change any more.
    struct Exact: Hashable, Sendable {
        /// With the decimals that were planned with.
        let pair: Pair
        /// Base units.
        let makerAmount: UInt256
        let takerAmount: UInt256
    }

    package init(
        side: TradeSide,
        pair: String,
        amount: String,
        price: String,
        expiry: OrderExpiry = .after(86_400),
        taker: Address? = nil,
        posts: Bool = true
    ) {
        self.side = side
        self.pair = pair
        self.amount = amount
        self.price = price
        self.expiry = expiry
        self.taker = taker
        self.posts = posts
    }
}

/// The own orders to cancel.
package enum CancelRequest: Hashable, Sendable {
    case hashes([OrderHash])
    /// `ZRX/WETH`, or addresses.
    case pair(String)
    case all
}
