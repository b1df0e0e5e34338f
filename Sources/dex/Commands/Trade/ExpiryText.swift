import DexCore

extension OrderExpiry {
    /// A lifetime such as `24h` or `1d12h`, a day or a time in UTC, or a time of day.
    ///
    /// - Throws: `DexError`, exit 2, `bad-expiry`.
    init(_ text: String) throws(DexError) {
        if let time = OrderExpiry(time: text) {
            self = time
            return
        }
        do {
            self = .after(try Lifetime.seconds(text))
        } catch {
            throw ArgumentError.badExpiry(text)
        }
    }
}
