/// A screen's cells, as a terminal shows them: one grapheme each, a wide one on two.
package struct Grid: Equatable, Sendable {
    package struct Cell: Equatable, Sendable {
        /// One grapheme without terminal commands; nil for the second half of a wide one.
        package var text: Character?
        package var cellStyle: CellStyle

        static let empty = Cell(text: " ", cellStyle: .plain)
    }

    /// Both at least 0.
    package let columns: Int
    package let rows: Int
    /// The cells of each row; rows that are copied and not written share their storage.
    package private(set) var lines: [[Cell]]
    /// What parts of the screen stand for, the topmost last.
    var targets: [GridTarget] = []

    package init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        let line = Array(repeating: Cell.empty, count: self.columns)
        lines = Array(repeating: line, count: self.rows)
    }

    package subscript(row: Int, column: Int) -> Cell { lines[row][column] }

    /// A row's text, with the spaces at its end.
    package func text(row: Int) -> String {
        guard (0..<rows).contains(row) else { return "" }
        return String(lines[row].compactMap(\.text))
    }

    /// Writes a text from a column on, cut where the row or the limit ends.
    ///
    /// What a terminal would obey or reorder by is left out, and so is what terminals would draw
    /// beyond the cells of a grapheme: a second base character, marks after the fourth. A wide
    /// grapheme that does not fit is left out too.
    ///
    /// - Parameter limit: the most columns; nil is up to the end of the row.
    /// - Returns: the columns that were written.
    @discardableResult
    package mutating func put(
        _ text: String,
        row: Int,
        column: Int,
        limit: Int? = nil,
        _ cellStyle: CellStyle = .plain
    ) -> Int {
        guard (0..<rows).contains(row), (0..<columns).contains(column) else { return 0 }
        let end = column + min(columns - column, max(0, limit ?? columns))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
            return put(ascii: text, row, column, end, cellStyle)
        }
        var place = column
        for grapheme in TerminalText.clean(text) {
            let shown = Self.shown(grapheme)
            let width = Self.width(of: shown)
            guard width > 0 else { continue }
            guard place + width <= end else { break }
            set(row, place, Cell(text: shown, cellStyle: cellStyle))
            if width == 2 { set(row, place + 1, Cell(text: nil, cellStyle: cellStyle)) }
            place += width
        }
        return place - column
    }

    private static let ascii = (0..<128).map { Character(Unicode.Scalar(UInt8($0))) }

    private mutating func put(
        ascii text: String,
        _ row: Int,
        _ column: Int,
        _ end: Int,
        _ cellStyle: CellStyle
    ) -> Int {
        let count = min(text.utf8.count, end - column)
        guard count > 0 else { return 0 }
        // Half of a wide grapheme that is overwritten becomes a space.
        if lines[row][column].text == nil, column > 0 { lines[row][column - 1].text = " " }
        if column + count < columns, lines[row][column + count].text == nil {
            lines[row][column + count].text = " "
        }
        var place = column
        for byte in text.utf8.prefix(count) {
            lines[row][place] = Cell(text: Self.ascii[Int(byte)], cellStyle: cellStyle)
            place += 1
        }
        return count
    }

    /// Changes how cells are drawn, and not their text.
    package mutating func paint(
        row: Int,
        columns range: Range<Int>,
        _ change: (inout CellStyle) -> Void
    ) {
        guard (0..<rows).contains(row) else { return }
        for column in range.clamped(to: 0..<columns) { change(&lines[row][column].cellStyle) }
    }

    /// The columns of a grapheme: that of its widest scalar; 2 for an emoji presentation or a flag.
    package static func width(of grapheme: Character) -> Int {
        if let byte = grapheme.asciiValue { return byte >= 0x20 && byte < 0x7F ? 1 : 0 }
        var width = 0
        var letters = 0
        for scalar in grapheme.unicodeScalars {
            if isFlagLetter(scalar) { letters += 1 }
            width = max(width, scalar.value == 0xFE0F ? 2 : self.width(of: scalar))
        }
        return letters == 2 ? 2 : width
    }

    /// The part of a grapheme that no terminal draws beyond its cells.
    private static func shown(_ grapheme: Character) -> Character {
        let scalars = grapheme.unicodeScalars
        guard scalars.count > 1 else { return grapheme }
        var kept = String.UnicodeScalarView()
        var bases = 0
        var marks = 0
        for scalar in scalars {
            if isFlagLetter(scalar), bases < 2 {
                bases += 1
            } else if width(of: scalar) > 0 {
                guard bases == 0 else { continue }
                bases = 2
            } else {
                guard bases > 0, marks < 4 else { continue }
                marks += 1
            }
            kept.append(scalar)
        }
        return String(kept).first ?? " "
    }

    /// The vowels and final consonants of Hangul stand in the cells of their first consonant.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x1160...0x11FF, 0xD7B0...0xD7FB: 0
        default: TerminalText.width(of: scalar)
        }
    }

    /// Two of them are a flag.
    private static func isFlagLetter(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    /// Half of a wide grapheme that is overwritten becomes a space.
    private mutating func set(_ row: Int, _ column: Int, _ cell: Cell) {
        if lines[row][column].text == nil, cell.text != nil, column > 0 {
            lines[row][column - 1].text = " "
        }
        if column + 1 < columns, lines[row][column + 1].text == nil {
            lines[row][column + 1].text = " "
        }
        lines[row][column] = cell
    }
}
