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
    /// - Throws: `DexError`, exit 2, if the quote amount is zero or exceeds 256 bits.
    init(side: TradeSide, base: UInt256, price: Price, pair: Pair) throws(DexError) {
        guard let (floor, remainder) = UInt256.mulDiv(base, price.quote, price.base) else {
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
    }

    /// The amounts of an order that is signed already; nil without a price.
    init?(side: TradeSide, of draft: OrderDraft) {
        let (base, quote) =
            side == .buy
            ? (draft.takerAmount, draft.makerAmount) : (draft.makerAmount, draft.takerAmount)
        guard let price = Price(quote: quote, base: base) else { return nil }
        self.price = price
        isRounded = false
        makerAmount = draft.makerAmount
        takerAmount = draft.takerAmount
    }

    private static func outOfRange(_ what: String, pair: Pair) -> DexError {
        DexError(LimitError.outOfRange(what, pair: pair))
    }
}
