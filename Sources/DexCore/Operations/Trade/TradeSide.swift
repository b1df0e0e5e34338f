package enum TradeSide: String, Sendable, CaseIterable {
    case buy
    case sell
}
