/// The requirements of an API's standard for the relay's book.
package struct RelayRules: Hashable, Sendable {
    /// The minimum seconds to expiry for an order to be accepted and shown.
    package let shortestLife: UInt64
    package let ranking: OrderRanking

    /// API v0: price first, then fees; an order is shown up to its last second.
    package static let v0 = RelayRules(
        shortestLife: 1,
        ranking: .price
    )
    /// API v4: the taker's total price; ten seconds to fill an order.
    package static let v4 = RelayRules(
        shortestLife: 10,
        ranking: .priceWithTakerFee
    )
}
