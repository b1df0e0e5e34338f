package import Ethereum
package import ZeroEx

package struct OrderbookState: Sendable {
    /// One order of one side, amounts in base units of BASE and QUOTE.
    package struct Row: Sendable {
        package let orderHash: OrderHash
        package let maker: Address
        /// Quote per base, after the taker's fee if it is in one of the two tokens or has a rate.
        package let price: Price
        /// The whole order's amount of BASE.
        package let amount: UInt256
        /// The part that can be filled now, in BASE, after netting shared maker balances.
        package let fillable: UInt256
        /// The fee for the fillable part that the taker pays, in the fee token.
        package let takerFee: UInt256
        /// Seconds since 1970.
        package let expires: UInt256
        package let flags: [OrderFlag]
        /// The relays that show it; empty with one relay.
        package var relays: [String] = []

        /// The asker can fill it: no flag says otherwise.
        package var isTakeable: Bool { !flags.contains { OrderFlag.notForTaking.contains($0) } }
    }

    /// An order from the relay that is not in the book.
    package struct Dropped: Hashable, Sendable {
        /// nil if the order could not be read at all.
        package let orderHash: OrderHash?
        package let reason: DropReason
        /// The number of orders that it stands for: 1, or the unreadable ones beyond the examples.
        package var count = 1
    }

    package let pair: Pair
    /// The block at which balances and fills were read; nil for `--raw`.
    package let block: UInt64?
    /// Seconds since 1970 of that block, or now for `--raw`.
    package let timestamp: UInt64
    /// Best (highest) first.
    package let bids: [Row]
    /// Best (lowest) first.
    package let asks: [Row]
    /// Orders that the relay sent.
    package let received: Int
    /// Orders with a valid hash and signature.
    package let verified: Int
    package let dropped: [Dropped]
    /// `--raw`: unchanged from the relay, nothing checked.
    package let isRaw: Bool
    /// The maximum number of rows shown per side.
    package let depth: Int?
    /// The rows of each side before the limit of `depth`.
    package let bidCount: Int
    package let askCount: Int
    /// The best prices of orders that can be taken; rows that are only shown do not count.
    package let bid: Price?
    package let ask: Price?
    /// Halfway between them; nil if one is missing.
    package let mid: Price?
    /// The token of the rows' taker fees; nil if none has one.
    package var feeToken: Token?
    /// Its value in QUOTE; nil if it is in the pair, or has no price.
    package var feeRate: FeeRate?
    /// What each of several relays answered; empty with one relay.
    package var relays: [RelayAnswer] = []
    /// Why there may be more orders; nil if the relay's list is whole.
    package var shortfall: RelayShortfall?
    /// How `--watch` learns of changes; nil for a single book.
    package var source: WatchSource?
}

extension OrderbookState {
    /// Relays that are left out, a list that is not whole, suggestions if the relay has no orders;
    /// sentences.
    package var warnings: [String] {
        relays.compactMap(\.warning) + [shortfall?.description].compactMap(\.self)
            + (received == 0 ? [pair.absence] : [])
    }
}
