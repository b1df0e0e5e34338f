package import Ethereum
package import ZeroEx

/// The plan of a limit order: its terms, how its price compares with the book, what it needs.
///
/// A sale of 50 ZRX at 0.0008 gives 50 ZRX and gets 0.04 WETH.
package struct LimitPlan: PlanContent {
    package typealias Outcome = LimitOutcome

    package let side: TradeSide
    package let pair: Pair
    package let account: Address
    package let draft: OrderDraft
    package let orderHash: OrderHash
    package let give: TokenAmount
    package let get: TokenAmount
    package let price: Price
    /// The origin of the price; nil if it was typed as a number.
    package var relative: RelativePrice?
    /// The price against the orders that it could fill at once; nil without such orders or a book.
    package var comparison: PriceComparison?
    /// A book was read to compare the price with; if not, a warning says why.
    var hasBook = true
    /// Its maker gets more than 20 % less than the book shows.
    var isFarFromBook = false
    /// Halfway between the book's best prices; nil if the book has not both, or was not read.
    package var mid: Price?
    package let makerFee: TokenAmount?
    package let takerFee: TokenAmount?
    /// Seconds since 1970.
    package let expires: UInt64
    /// The relays that get it, comma-separated; nil if it is not posted.
    package var relay: String? {
        let names = targets.filter { $0.part == .posts }.map(\.relay)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
    /// Every relay's part; empty if the order is not posted.
    package let targets: [RelayTarget]
    package let steps: [PlannedTransaction]
    package let gas: GasPlan?
    /// The account's balances once the order is filled whole; empty in a ladder, which has them for
    /// all its orders.
    ///
    /// Of what it gives and gets, of its maker fee, and of ether if something is sent.
    package var balances: [PlannedBalance] = []
    package let warnings: [String]
    package var stop: DexError?

    /// The amount of BASE that it buys or sells.
    package var base: TokenAmount { side == .buy ? get : give }
    /// The amount of QUOTE that it pays or gets.
    package var quote: TokenAmount { side == .buy ? give : get }

    /// It crosses the book by more than a limit price may without a flag.
    package var crossesBeyondGuard: Bool {
        (comparison?.distance ?? 0) > LimitPriceCheck.crossingLimit
    }

    package var word: String? {
        crossesBeyondGuard || isFarFromBook ? side.rawValue : nil
    }
}
