/// A line that is typed at a full screen.
package struct LineField: Hashable, Sendable {
    /// The most graphemes.
    static let longest = 200

    package private(set) var text: [Character]
    /// The place of the next grapheme, from 0 to the count.
    package private(set) var cursor: Int
    /// The whole text is selected: what is typed next takes its place.
    package private(set) var isSelected: Bool

    /// - Parameter text: prefilled, and so selected.
    package init(_ text: String = "") {
        self.text = Array(PlainText.clean(text, limit: Self.longest))
        cursor = self.text.count
        isSelected = !self.text.isEmpty
    }

    /// Selects the whole text, as one does who comes to the field.
    mutating func select() {
        cursor = text.count
        isSelected = !text.isEmpty
    }

    package var string: String { String(text) }

    /// Changes the text by a key; false for a key that does not edit.
    mutating func take(_ key: Key) -> Bool {
        let wasSelected = isSelected
        isSelected = false
        switch key {
        case .character, .paste, .backspace, .delete, .control("u"):
            guard wasSelected else { break }
            text = []
            cursor = 0
        default: break
        }
        switch key {
        case .character(let character): insert([character])
        // Line breaks become spaces: a paste never presses Enter.
        case .paste(let text): insert(Array(PlainText.clean(text, limit: Self.longest)))
        case .backspace:
            guard cursor > 0 else { return true }
            cursor -= 1
            text.remove(at: cursor)
        case .delete: if cursor < text.count { text.remove(at: cursor) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(text.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = text.count
        case .control("u"):
            text.removeSubrange(..<cursor)
            cursor = 0
        default: return false
        }
        return true
    }

    private mutating func insert(_ new: [Character]) {
        let room = Self.longest - text.count
        let new = new.prefix(max(0, room))
        text.insert(contentsOf: new, at: cursor)
        cursor += new.count
    }
}
