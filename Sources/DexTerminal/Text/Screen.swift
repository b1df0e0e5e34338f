/// A view's output: width, colours and time.
package struct Screen: Sendable {
    /// Columns; at least 1.
    package let width: Int
    package let style: Style
    /// Seconds since 1970, for "in 3 h 12 m".
    package let now: UInt64
    /// Shows what is otherwise shortened.
    package let isVerbose: Bool

    package init(width: Int, style: Style, now: UInt64, isVerbose: Bool = false) {
        self.width = max(1, width)
        self.style = style
        self.now = now
        self.isVerbose = isVerbose
    }
}
