/// What the standard of an API asks of the relay's book.
package struct RelayRules: Hashable, Sendable {
    /// Seconds that an order must have left to be taken and to be shown.
    package let shortestLife: UInt64
    package let ranking: OrderRanking
    /// Orders that leave the book are kept for their makers to ask for.
    package let keepsUnfillable: Bool

    /// API v0: price first, then fees; an order is shown up to its last second.
    package static let v0 = RelayRules(
        shortestLife: 1,
        ranking: .price,
        keepsUnfillable: false
    )
    /// API v4: what a taker pays in the end; ten seconds to fill an order in.
    package static let v4 = RelayRules(
        shortestLife: 10,
        ranking: .priceWithTakerFee,
        keepsUnfillable: true
    )
}
