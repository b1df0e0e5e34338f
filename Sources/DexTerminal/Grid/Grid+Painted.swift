extension Grid {
    /// Writes a line of a table, cut at the limit.
    mutating func put(_ parts: [Table.Part], row: Int, column: Int, limit: Int) {
        var used = 0
        for part in parts where used < limit {
            used += put(
                part.text,
                row: row,
                column: column + used,
                limit: limit - used,
                CellStyle(part.color)
            )
        }
    }

    /// Writes a line of a view, with the colours of `Style.ansi`, cut at the limit.
    ///
    /// - Returns: the columns that were written.
    @discardableResult
    package mutating func put(
        painted line: String,
        row: Int,
        column: Int,
        limit: Int? = nil,
        _ cellStyle: CellStyle = .plain
    ) -> Int {
        let room = max(0, min(limit ?? columns, columns - column))
        guard line.utf8.contains(0x1B) else {
            return put(line, row: row, column: column, limit: room, cellStyle)
        }
        var used = 0
        var current = cellStyle
        for (index, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = part
            if index > 0, let end = part.firstIndex(where: { !Self.isParameter($0) }) {
                if part[end] == "m" { current.obey(part[..<end], plain: cellStyle) }
                text = part[part.index(after: end)...]
            }
            guard !text.isEmpty, used < room else { continue }
            used += put(String(text), row: row, column: column + used, limit: room - used, current)
        }
        return used
    }

    /// The cells of lines that `Style.ansi` has painted, as a terminal shows them.
    ///
    /// There is a row for each line; what does not fit the columns is cut. Other escape sequences
    /// than colours are left out.
    package init(lines: [String], columns: Int) {
        self.init(columns: columns, rows: lines.count)
        for (row, line) in lines.enumerated() { put(painted: line, row: row, column: 0) }
    }

    private static func isParameter(_ character: Character) -> Bool {
        character.isASCII && (character.isNumber || character == ";" || character == "?")
    }
}

extension CellStyle {
    /// A colour of a view's text.
    init(_ color: Style.Color?) {
        switch color {
        case nil: self.init()
        case .green: self.init(.green)
        case .red: self.init(.red)
        case .yellow: self.init(.yellow)
        case .cyan: self.init(.cyan)
        case .bold: self.init(bold: true)
        case .dim: self.init(dim: true)
        }
    }

    /// Changes by the numbers of a colour sequence (SGR); unknown ones change nothing.
    fileprivate mutating func obey(_ numbers: Substring, plain: CellStyle) {
        for number in numbers.split(separator: ";", omittingEmptySubsequences: false) {
            switch number {
            case "", "0": self = plain
            case "1": isBold = true
            case "2": isDim = true
            case "7": isReversed = true
            case "31": color = .red
            case "32": color = .green
            case "33": color = .yellow
            case "36": color = .cyan
            case "90": color = .gray
            default: break
            }
        }
    }
}
