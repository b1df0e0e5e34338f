/// What the user does with BASE.
package enum TradeSide: String, Sendable, CaseIterable {
    case buy
    case sell
}
