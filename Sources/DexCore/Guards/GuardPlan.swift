package import DexStore
package import Ethereum
package import ZeroEx

/// What a guard will do, as shown and confirmed before it is added.
package struct GuardPlan: Sendable {
    package let guardOrder: JournalGuard
    package let pair: Pair
    /// Base units of BASE.
    package let amount: UInt256
    /// The worst price of any order, QUOTE per BASE.
    package let limit: Price
    /// What a sale brings at least, or a purchase costs at most, in base units of QUOTE.
    package let total: UInt256
    /// The price that counts now: the bid of a sale, the ask of a purchase; nil without one.
    package let now: Price?
    package let block: UInt64
    /// The mean price beside it; nil at a relay's book.
    package var mean: PoolReading.Mean?
    package let warnings: [String]
}
