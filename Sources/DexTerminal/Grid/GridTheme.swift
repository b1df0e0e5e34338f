/// What inks look like on one terminal.
package struct GridTheme: Hashable, Sendable {
    package var depth: ColorDepth
    /// The terminal's background is light.
    package var isLight: Bool

    package init(_ depth: ColorDepth, isLight: Bool = false) {
        self.depth = depth
        self.isLight = isLight
    }

    package func pen(_ cellStyle: CellStyle) -> TerminalPen {
        var pen = TerminalPen(
            isBold: cellStyle.isBold,
            isDim: cellStyle.isDim,
            isReversed: cellStyle.isReversed
        )
        switch depth {
        case .none: break
        case .sixteen: color(&pen, cellStyle)
        case .palette256:
            pen.text = cellStyle.color == .normal ? .standard : .palette(palette(cellStyle.color))
            pen.back = cellStyle.back == .normal ? .standard : .palette(palette(cellStyle.back))
        case .trueColor:
            pen.text = cellStyle.color == .normal ? .standard : rgb(cellStyle.color)
            pen.back = cellStyle.back == .normal ? .standard : rgb(cellStyle.back)
        }
        // The terminal's own palette has no calm background, and without colours there is none.
        if depth == .none || depth == .sixteen, cellStyle.back == .selected {
            pen.isReversed.toggle()
            // One bar, and not each word in its own colour.
            pen.text = .standard
            pen.isDim = false
        }
        return pen
    }

    private func color(_ pen: inout TerminalPen, _ cellStyle: CellStyle) {
        switch cellStyle.color {
        case .normal: break
        case .red: pen.text = .ansi(1)
        case .green: pen.text = .ansi(2)
        case .yellow: pen.text = .ansi(3)
        case .cyan: pen.text = .ansi(6)
        case .gray: pen.text = .ansi(8)
        }
    }

    private func palette(_ color: CellStyle.Color) -> UInt8 {
        switch color {
        case .normal: isLight ? 0 : 15
        case .green: isLight ? 28 : 77
        case .red: isLight ? 160 : 203
        case .yellow: isLight ? 94 : 178
        case .cyan: isLight ? 30 : 80
        case .gray: isLight ? 242 : 245
        }
    }

    private func palette(_ back: CellStyle.Back) -> UInt8 {
        switch back {
        case .normal: isLight ? 15 : 0
        case .depth: isLight ? 254 : 236
        case .selected: isLight ? 153 : 24
        }
    }

    private func rgb(_ color: CellStyle.Color) -> TerminalPen.Shade {
        switch color {
        case .normal: .standard
        case .green: isLight ? .rgb(26, 127, 55) : .rgb(63, 185, 80)
        case .red: isLight ? .rgb(207, 34, 46) : .rgb(248, 81, 73)
        case .yellow: isLight ? .rgb(154, 103, 0) : .rgb(210, 153, 34)
        case .cyan: isLight ? .rgb(27, 124, 131) : .rgb(57, 197, 207)
        case .gray: isLight ? .rgb(87, 96, 106) : .rgb(139, 148, 158)
        }
    }

    private func rgb(_ back: CellStyle.Back) -> TerminalPen.Shade {
        switch back {
        case .normal: .standard
        case .depth: isLight ? .rgb(228, 228, 228) : .rgb(44, 46, 50)
        case .selected: isLight ? .rgb(207, 227, 255) : .rgb(38, 79, 120)
        }
    }
}
