/// The user's own word for a trade, by which the history finds it again.
package struct TradeTag: Hashable, Sendable {
    /// 1 to 64 characters on one line.
    package let text: String

    /// The most characters.
    private static let longest = 64

    /// - Throws: `DexError`, exit 2, `bad-tag`, for an empty text, one that is too long, one with
    ///   control characters, and one with spaces at its ends.
    package init(_ text: String) throws(DexError) {
        guard !text.isEmpty, text.unicodeScalars.count <= Self.longest,
            PlainText.clean(text) == text, text.first != " ", text.last != " "
        else {
            throw InputError.badTag(text)
        }
        self.text = text
    }
}
