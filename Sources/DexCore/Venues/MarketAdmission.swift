/// Refuses a market that an order must not be planned from, or signed on.
struct MarketAdmission: Sendable {
    /// - Throws: `DexError`, for a book that is refused.
    let book: @Sendable (BookSnapshot) throws(DexError) -> Void
    /// Reads the pools as they are now.
    ///
    /// - Throws: `DexError`, if they are refused or cannot be read.
    let pools: @Sendable () async throws(DexError) -> Void

    /// Every market will do.
    static let all = MarketAdmission(book: { _ in }, pools: {})
}
