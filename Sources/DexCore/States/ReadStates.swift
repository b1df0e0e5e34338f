package import Ethereum
package import ZeroEx

/// What `dex price` shows; prices are quote base units per base base units.
package struct PriceState: Sendable {
    /// What an amount would cost or bring.
    package struct Quote: Sendable {
        package let side: TradeSide
        /// Base units of BASE that were asked for.
        package let amount: UInt256
        /// Base units of BASE that the book can fill; less than `amount` in a thin book.
        package let fillable: UInt256
        /// Base units of QUOTE for the fillable part.
        package let total: UInt256
        /// With the fees where they are in a token of the pair, or have a value.
        package let average: Price
        package let worst: Price
        /// How far the average is from the best price, in hundredths of a percent.
        package let impactBasisPoints: UInt64
        package let orders: Int
        /// Taker fees; nil where there are none.
        package var fees: TokenAmount?
        /// What they are worth in base units of QUOTE; nil where they are in a token of the pair, or
        /// no book tells.
        package var feeValue: UInt256?
    }

    package let pair: Pair
    package let block: UInt64
    package let bid: Price?
    package let ask: Price?
    package let mid: Price?
    package let quote: Quote?
}

extension PriceState {
    /// Where to look where there is no price at all; sentences.
    package var warnings: [String] {
        guard bid == nil, ask == nil else { return [] }
        let name = PlainText.clean(pair.name)
        return [
            "No order of \(name) can be taken now: `dex orderbook \(name)` shows why, `dex pairs` "
                + "lists what the relay trades."
        ]
    }
}

/// What the user does with BASE.
package enum TradeSide: String, Sendable, CaseIterable {
    case buy
    case sell
}

/// What `dex pairs` shows.
package struct PairsState: Sendable {
    package struct Row: Sendable {
        /// In the order in which people quote them: QUOTE is WETH or a stable coin where one is.
        package let pair: Pair
        package let details: RelayTokenPair
        /// Both tokens are in the map.
        package let isKnown: Bool
    }

    package let relay: String
    package let rows: [Row]
}

/// What `dex tokens` shows.
package struct TokensState: Sendable {
    package struct Row: Sendable {
        package let token: Token
        /// Ambiguous symbol, superseded contract and the like, in words.
        package let warnings: [String]
    }

    package let network: String
    package let query: String?
    package let rows: [Row]
}

/// What `dex balance` shows.
package struct BalanceState: Sendable {
    package struct Row: Sendable {
        package let amount: TokenAmount
        /// To the transfer contract; nil for ether.
        package let allowance: UInt256?
    }

    /// What it is all worth by the middle of the relay's books, in base units of one thing.
    package struct Worth: Sendable {
        /// What is counted in.
        package let unit: Currency
        /// Of the ether; nil where no book tells it.
        package let ether: UInt256?
        /// By token; none where no book tells it.
        package let tokens: [Address: UInt256]
        /// Of what is known.
        package let total: UInt256
        /// Why a book could not be read; a sentence.
        package let failure: String?
    }

    package let owner: Address
    package let block: UInt64
    package let ether: Wei
    package let rows: [Row]
    /// nil where nobody asked, or no relay tells.
    package var worth: Worth?
}

/// What `dex orders` and `dex order` show.
package struct OrdersState: Sendable {
    /// Where an order stands, by the chain.
    package enum Standing: String, Sendable {
        case open
        case partlyFilled = "partly-filled"
        case filled
        case cancelled
        case expired
        case unfunded
    }

    package struct Row: Sendable {
        package let order: any SignedOrder
        /// The relay's wire form of the order.
        package let wire: String
        package let maker: TokenAmount
        package let taker: TokenAmount
        /// The pair as people quote it, and what the maker does with its base.
        package let pair: Pair
        package let side: TradeSide
        package let price: Price
        package let state: OrderState
        package let standing: Standing
        /// Base units of the taker token that can be filled now.
        package let fillable: UInt256
        package let flags: [OrderFlag]
        /// It is in the journal (we made it).
        package let isOwn: Bool
        /// The relay serves it.
        package let isOnRelay: Bool
    }

    package let block: UInt64
    /// Seconds since 1970 of that block.
    package let timestamp: UInt64
    package let rows: [Row]
    package let dropped: [OrderbookState.Dropped]
    /// What is not shown, and where to look instead; sentences.
    package var warnings: [String] = []
}
