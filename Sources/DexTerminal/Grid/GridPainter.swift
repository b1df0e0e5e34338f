/// Turns a `Grid` into what a terminal must be sent: only what changed since the grid before.
///
/// Nothing depends on how a terminal wraps lines, and little on how it measures a grapheme: after
/// one that terminals measure differently the cursor is placed again, and the next cell is drawn
/// again.
package struct GridPainter: Sendable {
    /// Another theme paints the whole screen again.
    package var theme: GridTheme {
        didSet {
            guard theme != oldValue else { return }
            pens = Self.pens(theme)
            forget()
        }
    }
    /// The terminal shows a whole frame at once (mode 2026).
    package var isSynchronized = false
    /// What the terminal shows; nil if it is not known.
    package private(set) var shown: Grid?

    private var pens: [TerminalPen]
    private var pen = TerminalPen.plain
    /// The cursor; nil where terminals may differ.
    private var place: (row: Int, column: Int)?
    private var bytes: [UInt8] = []

    package init(theme: GridTheme) {
        self.theme = theme
        pens = Self.pens(theme)
    }

    /// The next frame paints the whole screen.
    package mutating func forget() {
        shown = nil
    }

    /// The bytes after which the terminal shows the grid; empty if it does already.
    package mutating func frame(_ grid: Grid) -> [UInt8] {
        bytes.removeAll(keepingCapacity: true)
        let old: Grid
        if let shown, shown.columns == grid.columns, shown.rows == grid.rows {
            old = shown
        } else {
            old = Grid(columns: grid.columns, rows: grid.rows)
            bytes += "\u{1B}[0m\u{1B}[H\u{1B}[2J".utf8
            pen = .plain
            place = (0, 0)
        }
        shown = grid
        for row in 0..<grid.rows {
            old.lines[row].withUnsafeBufferPointer { before in
                grid.lines[row].withUnsafeBufferPointer { after in
                    // Most rows are the very same ones.
                    if before.baseAddress != after.baseAddress {
                        paint(row, from: before, to: after)
                    }
                }
            }
        }
        guard !bytes.isEmpty else { return [] }
        guard isSynchronized else { return bytes }
        return Array("\u{1B}[?2026h".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
    }

    private typealias Cells = UnsafeBufferPointer<Grid.Cell>

    private mutating func paint(_ row: Int, from old: Cells, to new: Cells) {
        var column = 0
        // Drawn again although it is the same.
        var doubtful = -1
        while column < new.count {
            guard let text = new[column].text else {
                column += 1
                continue
            }
            let width = column + 1 < new.count && new[column + 1].text == nil ? 2 : 1
            if column != doubtful, isSame(old[column], new[column]) {
                column += width
                continue
            }
            if isBlank(new[column]), let last = lastChange(old, new, blankFrom: column),
                last - column >= 4
            {
                move(row, column, new)
                if !pen.isSameBlank(as: .plain) { change(to: .plain) }
                bytes += "\u{1B}[K".utf8
                return
            }
            move(row, column, new)
            let kind = GraphemeKind(text, width: width)
            draw(text, width, pen: pens[Self.index(new[column].cellStyle)], kind, row, column)
            column += width
            place = kind == .plain && column < new.count ? (row, column) : nil
            doubtful = kind == .odd ? column : -1
        }
    }

    private mutating func draw(
        _ text: Character,
        _ width: Int,
        pen target: TerminalPen,
        _ kind: GraphemeKind,
        _ row: Int,
        _ column: Int
    ) {
        if text != " " || !pen.isSameBlank(as: target) { change(to: target) }
        if kind == .odd, width == 2 {
            // Where it is drawn on one cell, the other one is a blank.
            bytes += "  ".utf8
            place = nil
            place(at: row, column)
        }
        bytes += text.utf8
    }

    private mutating func change(to target: TerminalPen) {
        bytes += target.change(from: pen)
        pen = target
    }

    /// They look the same; whether a blank is bold or green does not show.
    private func isSame(_ old: Grid.Cell, _ new: Grid.Cell) -> Bool {
        guard old.text == new.text else { return false }
        if old.cellStyle == new.cellStyle { return true }
        let (before, after) = (pens[Self.index(old.cellStyle)], pens[Self.index(new.cellStyle)])
        return before == after || new.text == " " && before.isSameBlank(as: after)
    }

    private func isBlank(_ cell: Grid.Cell) -> Bool {
        cell.text == " " && pens[Self.index(cell.cellStyle)].isSameBlank(as: .plain)
    }

    /// The last cell to be painted of a row that is blank from a column on; nil if it is not.
    private func lastChange(_ old: Cells, _ new: Cells, blankFrom column: Int) -> Int? {
        guard new[column...].allSatisfy(isBlank) else { return nil }
        return (column..<new.count).last { !isSame(old[$0], new[$0]) }
    }

    // MARK: The cursor

    /// Moves the cursor, or writes the few unchanged cells in between again.
    private mutating func move(_ row: Int, _ column: Int, _ cells: Cells) {
        if let place, place == (row, column) { return }
        if let place, place.row == row, place.column < column {
            let gap = place.column..<column
            let isCheap = gap.count <= 4 && cells[gap].allSatisfy { canRepeat($0) }
            if isCheap {
                for cell in cells[gap] { bytes += (cell.text ?? " ").utf8 }
                self.place = (row, column)
                return
            }
        }
        place(at: row, column)
    }

    /// One byte with the current pen gives the cell.
    private func canRepeat(_ cell: Grid.Cell) -> Bool {
        guard let text = cell.text, text.utf8.count == 1 else { return false }
        let pen = pens[Self.index(cell.cellStyle)]
        return pen == self.pen || text == " " && pen.isSameBlank(as: self.pen)
    }

    private mutating func place(at row: Int, _ column: Int) {
        if let place, place == (row, column) { return }
        var best: [UInt8] = [0x1B, UInt8(ascii: "[")]
        if row > 0 || column > 0 {
            best.append(number: row + 1)
            if column > 0 {
                best.append(UInt8(ascii: ";"))
                best.append(number: column + 1)
            }
        }
        best.append(UInt8(ascii: "H"))
        if let place, let other = relative(from: place, row, column), other.count < best.count {
            best = other
        }
        bytes += best
        place = (row, column)
    }

    private func relative(
        from place: (row: Int, column: Int),
        _ row: Int,
        _ column: Int
    ) -> [UInt8]? {
        func step(_ count: Int, _ letter: Unicode.Scalar) -> [UInt8] {
            var bytes: [UInt8] = [0x1B, UInt8(ascii: "[")]
            if count > 1 { bytes.append(number: count) }
            bytes.append(UInt8(ascii: letter))
            return bytes
        }
        let down = row - place.row
        let vertical = down == 0 ? [] : down > 0 ? step(down, "B") : step(-down, "A")
        if column == place.column { return vertical }
        if column == 0 { return [0x0D] + vertical }
        guard down == 0 else { return nil }
        return column > place.column
            ? step(column - place.column, "C") : step(place.column - column, "D")
    }

    // MARK: Inks

    private static func pens(_ theme: GridTheme) -> [TerminalPen] {
        var pens = [TerminalPen](repeating: .plain, count: 256)
        for color in CellStyle.Color.allCases {
            for back in CellStyle.Back.allCases {
                for bits in 0..<8 {
                    let cellStyle = CellStyle(
                        color,
                        back: back,
                        bold: bits & 4 != 0,
                        dim: bits & 2 != 0,
                        reversed: bits & 1 != 0
                    )
                    pens[index(cellStyle)] = theme.pen(cellStyle)
                }
            }
        }
        return pens
    }

    private static func index(_ cellStyle: CellStyle) -> Int {
        Int(cellStyle.color.rawValue) << 5 | Int(cellStyle.back.rawValue) << 3
            | (cellStyle.isBold ? 4 : 0) | (cellStyle.isDim ? 2 : 0)
            | (cellStyle.isReversed ? 1 : 0)
    }
}

/// How alike terminals measure a grapheme.
enum GraphemeKind {
    /// One cell on every terminal.
    case plain
    /// Two cells, for which the cursor is placed again.
    case wide
    /// One cell or two: an emoji, combining marks, a rare script.
    case odd

    init(_ text: Character, width: Int) {
        let scalars = text.unicodeScalars
        guard let first = scalars.first?.value,
            scalars.index(after: scalars.startIndex) == scalars.endIndex
        else {
            self = .odd
            return
        }
        switch first {
        case 0x20..<0x7F: self = .plain
        case 0xA0..<0x300, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x2030...0x203A,
            0x2190...0x2193, 0x2500...0x25CF, 0x2800...0x28FF:
            self = width == 1 ? .plain : .odd
        case 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFF60, 0xFFE0...0xFFE6:
            self = width == 2 ? .wide : .odd
        default: self = .odd
        }
    }
}
