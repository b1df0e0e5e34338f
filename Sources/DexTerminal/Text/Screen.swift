/// A view's output: width, colours and time.
package struct Screen: Sendable {
    /// Columns; at least 1.
    package let width: Int
    package let style: Style
    /// Seconds since 1970, for "in 3 h 12 m".
    package let now: UInt64
    /// Shows what is otherwise shortened.
    package let isVerbose: Bool
    /// The rows of lists have numbers, by which the next command may name them.
    package private(set) var numbersRows = false

    package init(width: Int, style: Style, now: UInt64, isVerbose: Bool = false) {
        self.width = max(1, width)
        self.style = style
        self.now = now
        self.isVerbose = isVerbose
    }

    /// The same with numbered rows.
    package var numberingRows: Screen {
        var screen = self
        screen.numbersRows = true
        return screen
    }
}
