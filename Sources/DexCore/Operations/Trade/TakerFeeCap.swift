package import Ethereum
import ZeroEx

/// The highest taker fees of others' orders.
///
/// A fee in a token of the pair is in the price, which ranks the order and is bounded by slippage
/// and impact. A fee in a third token (0x v1: ZRX for DAI/WETH) is not, and a book of that token
/// may be missing or false: so its amount is capped, whatever its value.
package struct TakerFeeCap: Hashable, Sendable {
    /// Base units of a third fee token, per order and per trade: 10 of a token with 18 decimals.
    package var amount: UInt256 = 10_000_000_000_000_000_000
    /// Hundredths of a percent of the order, for a fee in one of its tokens; nil is no cap besides
    /// the price.
    package var share: UInt64?

    package init(amount: UInt256? = nil, share: UInt64? = nil) {
        if let amount { self.amount = amount }
        self.share = share
    }

    /// The usual cap, changed by the user: `25` is an amount of the fee token, `0.5%` a
    /// share of the order.
    ///
    /// - Throws: `DexError`, exit 2, `bad-percent` or `bad-amount`.
    package init(_ text: String) throws(DexError) {
        self.init()
        try set(text)
    }

    /// Changes a cap in the same form.
    ///
    /// - Throws: As the initializer.
    package mutating func set(_ text: String) throws(DexError) {
        if text.hasSuffix("%") {
            share = try TradeSettings.basisPoints(text)
            return
        }
        do throws(DecimalTextError) {
            amount = try DecimalNumber(text).units(decimals: 18)
        } catch {
            throw InputError.badFeeCap(text)
        }
    }

    /// A fee for an order, or for a part of it, is above the cap.
    ///
    /// - Parameters:
    ///   - fee: base units of the fee token.
    ///   - feeToken: that token.
    func isExceeded(by fee: UInt256, of order: any SignedOrder, in feeToken: Address) -> Bool {
        guard fee != .zero else { return false }
        let whole: UInt256
        switch feeToken {
        case order.makerToken: whole = order.makerAmount
        case order.takerToken: whole = order.takerAmount
        default: return fee > amount
        }
        guard let share else { return false }
        // The rate is equal for all parts of an order.
        return PriceBounds.product(order.takerFee, PriceBounds.whole)
            > PriceBounds.product(whole, UInt256(share))
    }
}
