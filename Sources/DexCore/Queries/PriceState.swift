package import Ethereum
package import ZeroEx

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

    package let pair: Pair
    package let block: UInt64
    package let bid: Price?
    package let ask: Price?
    package let mid: Price?
    package let quote: Quote?
}

extension PriceState {
    /// Suggestions if there is no price at all; sentences.
    package var warnings: [String] {
        guard bid == nil, ask == nil else { return [] }
        let name = PlainText.clean(pair.name)
        return [
            "No order of \(name) can be taken now: `dex orderbook \(name)` shows why, `dex pairs` "
                + "lists what the relay trades."
        ]
    }
}
