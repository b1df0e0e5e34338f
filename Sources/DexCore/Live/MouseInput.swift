/// What a mouse does on the full screen.
package struct MouseInput: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// The left button is pressed.
        case click
        case wheelUp
        case wheelDown
    }

    package let action: Action
    /// The cell, from 0 on; it may lie outside of a screen that has become smaller.
    package let row: Int
    package let column: Int

    package init(_ action: Action, row: Int, column: Int) {
        self.action = action
        self.row = row
        self.column = column
    }
}

/// What a cell of the full screen stands for.
package enum LiveTarget: Hashable, Sendable {
    case pane(LivePane)
    /// A level of the book, counted from the best of its side.
    case level(TradeSide, rank: Int)
    /// A row of another pane.
    case row(LivePane, Int)
    /// A line of the picker of pairs.
    case choice(Int)
}
