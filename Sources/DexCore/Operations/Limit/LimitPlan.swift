package import Ethereum
package import ZeroEx

package struct LimitPlan: OperationPlan {
    package let side: TradeSide
    package let pair: Pair
    package let account: Address
    package let draft: OrderDraft
    package let orderHash: OrderHash
    package let give: TokenAmount
    package let get: TokenAmount
    package let price: Price
    /// The price against the orders that it could fill at once; nil without such orders or a book.
    package var comparison: PriceComparison?
    package let makerFee: TokenAmount?
    package let takerFee: TokenAmount?
    /// Seconds since 1970.
    package let expires: UInt64
    package let relay: String?
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    package let warnings: [String]
    /// Why it would send nothing now, so that the user is not asked; nil if it would.
    package var stop: DexError?
}
