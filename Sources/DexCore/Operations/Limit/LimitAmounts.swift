import Ethereum
import ZeroEx

/// The two amounts of a limit order, from its base amount and its price.
struct LimitAmounts {
    let makerAmount: UInt256
    let takerAmount: UInt256
    /// The quote amount is rounded in the maker's favour, by less than one base unit.
    let isRounded: Bool
    /// The price of the two amounts.
    let price: Price

    /// A buyer gives quote, rounded down; a seller gets quote, rounded up.
    ///
    /// So the order is never worse for its maker than the requested price.
    ///
    /// - Throws: `DexError`, exit 2, if the quote amount is zero or exceeds 256 bits; exit 6,
    ///   `price-too-coarse`, if rounding would move the price by more than 1 %.
    init(side: TradeSide, base: UInt256, price wanted: Price, pair: Pair) throws(DexError) {
        guard let (floor, remainder) = UInt256.mulDiv(base, wanted.quote, wanted.base) else {
            throw Self.outOfRange("more than any token amount can be", pair: pair)
        }
        isRounded = remainder != .zero
        let (ceiling, overflow) = floor.addingReportingOverflow(isRounded ? 1 : 0)
        guard !overflow else {
            throw Self.outOfRange("more than any token amount can be", pair: pair)
        }
        let quote = side == .buy ? floor : ceiling
        guard quote > .zero, let price = Price(quote: quote, base: base) else {
            throw Self.outOfRange("less than one base unit", pair: pair)
        }
        self.price = price
        makerAmount = side == .buy ? quote : base
        takerAmount = side == .buy ? base : quote
        let distance = price.basisPoints(from: wanted)
        guard distance <= Self.tolerance else {
            throw LimitError.coarsePrice(
                signed: price.text(of: pair),
                distance: distance,
                nearest: Self.nearest(base, to: wanted),
                pair: pair
            )
        }
    }

    /// How far the price of the two amounts may be from the requested one, in hundredths of a
    /// percent: 1 %.
    static let tolerance: UInt64 = 100

    /// The base amounts around one for which the price needs no rounding: its multiples of the
    /// reduced fraction's denominator, above zero.
    ///
    /// Example: 0.25 of tokens without decimals is exact for 4, 8, 12; around 7 these are 4 and 8.
    static func nearest(_ base: UInt256, to price: Price) -> [UInt256] {
        var (a, b) = (price.quote, price.base)
        while b != .zero { (a, b) = (b, a % b) }
        guard a != .zero else { return [] }
        let step = price.base / a
        let below = base - base % step
        let (above, overflow) = below.addingReportingOverflow(step)
        return (below > .zero ? [below] : []) + (overflow ? [] : [above])
    }

    /// The amounts of an order that is signed already; nil without a price.
    init?(side: TradeSide, of draft: OrderDraft) {
        self.init(side: side, maker: draft.makerAmount, taker: draft.takerAmount)
    }

    /// The amounts of an order that was planned before.
    ///
    /// - Throws: `DexError`, exit 2, for amounts without a price.
    init(side: TradeSide, _ exact: LimitRequest.Exact) throws(DexError) {
        guard
            let amounts = LimitAmounts(
                side: side,
                maker: exact.makerAmount,
                taker: exact.takerAmount
            )
        else { throw Self.outOfRange("less than one base unit", pair: exact.pair) }
        self = amounts
    }

    private init?(side: TradeSide, maker: UInt256, taker: UInt256) {
        let (base, quote) = side == .buy ? (taker, maker) : (maker, taker)
        guard let price = Price(quote: quote, base: base) else { return nil }
        self.price = price
        isRounded = false
        makerAmount = maker
        takerAmount = taker
    }

    private static func outOfRange(_ what: String, pair: Pair) -> DexError {
        LimitError.outOfRange(what, pair: pair)
    }
}
