/// The way a cell of a `Grid` is drawn; no meaning depends on it alone.
package struct CellStyle: Hashable, Sendable {
    /// A colour by its meaning; the terminal's depth of colour decides what it looks like.
    package enum Color: UInt8, Sendable, CaseIterable {
        /// The terminal's own.
        case normal
        /// Bids, and what one gets.
        case green
        /// Asks, and what fails.
        case red
        /// A warning.
        case yellow
        /// Own orders, and keys.
        case cyan
        /// Frames and what matters less.
        case gray
    }

    /// What is behind the text.
    package enum Back: UInt8, Sendable, CaseIterable {
        case normal
        /// How much can be taken up to a row; a grey shade, which 16 colours do not have.
        case depth
        /// The selected row.
        case selected
    }

    package var color: Color
    package var back: Back
    package var isBold: Bool
    package var isDim: Bool
    package var isReversed: Bool

    package init(
        _ color: Color = .normal,
        back: Back = .normal,
        bold: Bool = false,
        dim: Bool = false,
        reversed: Bool = false
    ) {
        self.color = color
        self.back = back
        isBold = bold
        isDim = dim
        isReversed = reversed
    }

    package static let plain = CellStyle()
}
