/// The side of a trade: BASE is bought or sold.
package enum TradeSide: String, Sendable, CaseIterable {
    case buy
    case sell
}
