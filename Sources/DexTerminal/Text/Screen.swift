/// A view's output: width, colours and time.
package struct Screen: Sendable {
    /// Columns; at least 1.
    package let width: Int
    package let style: Style
    /// Seconds since 1970, for "in 3 h 12 m".
    package let now: UInt64
    /// Shows what is otherwise shortened.
    package let isVerbose: Bool
    /// Rows that a screen should fit; nil if it may scroll.
    package let height: Int?
    /// The clock by which times are shown.
    package let zone: LocalTime
    /// The rows of lists have numbers, by which the next command may name them.
    package private(set) var numbersRows = false

    package init(
        width: Int,
        style: Style,
        now: UInt64,
        isVerbose: Bool = false,
        height: Int? = nil,
        zone: LocalTime = .utc
    ) {
        self.width = max(1, width)
        self.style = style
        self.now = now
        self.isVerbose = isVerbose
        self.height = height
        self.zone = zone
    }

    /// The same with numbered rows.
    package var numberingRows: Screen {
        var screen = self
        screen.numbersRows = true
        return screen
    }
}
