package import Ethereum
import ZeroEx

/// A market order as a swap venue takes it: a purchase of an amount fixes what arrives, a sale and
/// a purchase for a spend what is paid.
struct SwapTrade: Sendable {
    let side: TradeSide
    let pair: Pair
    let size: MarketSize
    let limit: MarketPlanner.Limit
    var payment = SwapPayment.allowance
    /// The bounds of an earlier plan of the same trade; nil without one.
    var within: MarketPlanner.Confirmed?

    /// The side whose bound a slippage moves: what is paid by a purchase of an amount, what arrives
    /// otherwise.
    var slippingSide: TradeSide {
        if case .spend = size { .sell } else { side }
    }

    /// Base units of what is fixed.
    var amount: UInt256 {
        switch size {
        case .base(let amount), .spend(let amount): amount
        }
    }

    var payToken: Token { side == .buy ? pair.quote : pair.base }
    var receiveToken: Token { side == .buy ? pair.base : pair.quote }

    /// A wrap or unwrap, which is one for one and only sold exactly.
    func isWrap(_ wrapped: Address?) -> Bool {
        guard let wrapped else { return false }
        return payToken.isNativeCoin && receiveToken.address == wrapped
            || receiveToken.isNativeCoin && payToken.address == wrapped
    }

    /// - Parameters:
    ///   - slippage: parts per million.
    ///   - wrapped: the chain's wrapped coin.
    func request(
        chainID: UInt64,
        taker: Address?,
        slippage: UInt64,
        wrapped: Address? = nil
    ) -> SwapRequest {
        let isExactOut = slippingSide == .buy && !isWrap(wrapped)
        return SwapRequest(
            chainID: chainID,
            sell: SwapAsset(payToken),
            buy: SwapAsset(receiveToken),
            amount: isExactOut ? .exactOut(amount) : .exactIn(amount),
            payment: payment,
            taker: taker,
            slippage: slippage
        )
    }

    /// The most that may be paid and the least that may arrive, if so much is expected.
    ///
    /// Each unit received costs at most `1 + slippage` of what it costs by the price.
    func bounds(_ price: SwapPrice) -> (maximum: UInt256, minimum: UInt256) {
        let own = ownBounds(price)
        guard let within else { return own }
        return (min(own.maximum, within.cost), max(own.minimum, within.minimumReceive))
    }

    private func ownBounds(_ price: SwapPrice) -> (maximum: UInt256, minimum: UInt256) {
        switch (slippingSide, limit) {
        case (.buy, .slippage(let slippage)):
            let more = PriceBounds.whole + UInt256(slippage)
            let maximum = UInt256.mulDiv(price.sold, more, PriceBounds.whole)?.quotient
            return (maximum ?? .max, amount)
        case (.sell, .slippage(let slippage)):
            let more = PriceBounds.whole + UInt256(slippage)
            let minimum = UInt256.mulDiv(price.bought, PriceBounds.whole, more)?.quotient
            return (amount, minimum ?? .max)
        case (.buy, .price(let limit)):
            let maximum = UInt256.mulDiv(amount, limit.quote, limit.base)?.quotient
            return (maximum ?? .max, amount)
        case (.sell, .price(let limit)):
            // The limit's fraction in what arrives for what is paid.
            let (arriving, paid) =
                side == .buy ? (limit.base, limit.quote) : (limit.quote, limit.base)
            guard let minimum = UInt256.mulDiv(amount, arriving, paid) else {
                return (amount, .max)
            }
            let roundedUp = minimum.quotient.addingSaturating(
                minimum.remainder == .zero ? .zero : 1
            )
            return (amount, roundedUp)
        }
    }

    /// The slippage to ask for, in parts per million, so that a quote at this price stays within
    /// bounds; nil if the price itself is outside.
    ///
    /// A few parts less than they allow, for a venue that rounds.
    static func slippage(
        _ price: SwapPrice,
        side: TradeSide,
        maximum: UInt256,
        minimum: UInt256
    ) -> UInt64? {
        let million: UInt256 = 1_000_000
        let room: UInt256?
        switch side {
        case .buy:
            guard price.sold > .zero, maximum >= price.sold else { return nil }
            room = UInt256.mulDiv(maximum - price.sold, million, price.sold)?.quotient
        case .sell:
            guard price.bought > .zero, price.bought >= minimum else { return nil }
            room = UInt256.mulDiv(price.bought - minimum, million, price.bought)?.quotient
        }
        let parts = min(room ?? million, million).uint64 ?? 1_000_000
        return parts - min(parts, 10)
    }

    /// QUOTE per BASE.
    func price(pay: UInt256, receive: UInt256) -> Price? {
        side == .buy ? Price(quote: pay, base: receive) : Price(quote: receive, base: pay)
    }
}

extension SwapAsset {
    init(_ token: Token) {
        self = token.isNativeCoin ? .native : .token(token.address)
    }
}

extension Token {
    /// The chain's own coin where a token is expected; no contract has this address.
    package static func nativeCoin(_ coin: CoinSymbol) -> Token {
        Token(
            address: nativeCoinAddress,
            symbol: coin.text,
            name: coin == .ether ? "Ether" : coin.text,
            decimals: 18
        )
    }

    static let nativeCoinAddress = Address(bytes: Array(repeating: 0xee, count: 20)) ?? .zero

    /// It is the chain's own coin and no contract.
    package var isNativeCoin: Bool { address == Self.nativeCoinAddress }
}
