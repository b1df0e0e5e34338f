import DexCore

/// A text in a frame over the panes, with a line to type below it.
struct LiveSheet {
    var title: String
    var lines: [String]
    /// Lines that stay in sight below the text.
    var last: [String] = []
    /// The place of the cursor in the last line; nil without a field.
    var cursor: Int?
    /// The columns before the cursor whose text is selected.
    var selected = 0
    /// The lines before the first one in sight, or behind the last one.
    var scroll = 0
    /// The end matters most: a plan's prices and balances are its last lines.
    var showsEnd = false
    /// The line of a list that is selected, and kept in sight; nil without a list.
    var choice: Int?
    /// The lines that are choices: none of them is broken.
    var choices = 0..<0

    /// Draws it in the middle of the grid.
    ///
    /// - Parameters:
    ///   - width: columns with the frame.
    ///   - margin: rows that stay free above and below.
    func draw(_ grid: inout Grid, width: Int, margin: Int) {
        var sheet = self
        // Half a hash is useless: what is too long goes on in the next line.
        if choices.isEmpty { sheet.lines = lines.flatMap { Self.broken($0, to: width - 4) } }
        let maximum = grid.rows - 2 * margin
        let height = min(
            maximum,
            sheet.lines.count + last.count + 2 + (last.isEmpty ? 0 : 1)
        )
        let area = LiveArea(
            row: (grid.rows - height) / 2,
            column: (grid.columns - width) / 2,
            rows: height,
            columns: width
        )
        sheet.frame(&grid, area)
        sheet.fill(&grid, area)
    }

    private func frame(_ grid: inout Grid, _ area: LiveArea) {
        let blank = String(repeating: " ", count: area.columns)
        for row in area.row..<area.row + area.rows {
            grid.put(blank, row: row, column: area.column)
        }
        let edge = CellStyle(.cyan)
        let right = area.column + area.columns - 1
        let bottom = area.row + area.rows - 1
        let line = String(repeating: "─", count: max(0, area.columns - 2))
        grid.put("┌" + line + "┐", row: area.row, column: area.column, edge)
        grid.put("└" + line + "┘", row: bottom, column: area.column, edge)
        for row in area.row + 1..<bottom {
            grid.put("│", row: row, column: area.column, edge)
            grid.put("│", row: row, column: right, edge)
        }
        let title = " " + TerminalText.truncate(self.title, to: max(1, area.columns - 6)) + " "
        grid.put(title, row: area.row, column: area.column + 2, CellStyle(.cyan, bold: true))
    }

    private func fill(_ grid: inout Grid, _ area: LiveArea) {
        let bottom = area.row + area.rows - 1
        let below = last.isEmpty ? 0 : last.count + 1
        let room = max(0, area.rows - 2 - below)
        let hidden = max(0, lines.count - room)
        let first = first(room: room, hidden: hidden)
        for (index, text) in lines.dropFirst(first).prefix(room).enumerated() {
            let row = area.row + 1 + index
            let inner = LiveArea(
                row: row,
                column: area.column + 2,
                rows: 1,
                columns: area.columns - 4
            )
            grid.put(painted: text, row: row, column: inner.column, limit: inner.columns)
            guard choices.contains(first + index) else { continue }
            grid.mark(.choice(first + index - choices.lowerBound), inner)
            guard choice == first + index else { continue }
            grid.paint(row: row, columns: inner.column..<inner.column + inner.columns) {
                $0.back = .selected
            }
        }
        if hidden > 0 {
            let keys = choice == nil ? (up: "PgUp", down: "PgDn") : (up: "Up", down: "Down")
            let end = showsEnd ? " more above: \(keys.up) " : " the end "
            let more = first < hidden ? " more below: \(keys.down) " : end
            grid.put(more, row: bottom, column: area.column + 2, CellStyle(.yellow))
        }
        for (index, text) in last.enumerated() {
            let row = bottom - last.count + index
            grid.put(painted: text, row: row, column: area.column + 2, limit: area.columns - 4)
        }
        guard let cursor else { return }
        let column = min(area.column + 2 + cursor, area.column + area.columns - 3)
        let start = max(area.column + 2, column - selected)
        grid.paint(row: bottom - 1, columns: start..<column + 1) { $0.isReversed = true }
    }

    /// The first line in sight.
    private func first(room: Int, hidden: Int) -> Int {
        if let choice { return max(0, min(hidden, choice - room / 2)) }
        let away = min(scroll, hidden)
        return showsEnd ? hidden - away : away
    }

    /// Lines of a width, each in the colour that the line has there.
    private static func broken(_ line: String, to width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        var used = 0
        var code = ""
        for (index, part) in line.split(separator: "\u{1B}[", omittingEmptySubsequences: false)
            .enumerated()
        {
            var text = part
            if index > 0, let end = part.firstIndex(of: "m") {
                code = "\u{1B}[" + part[...end]
                current += code
                text = part[part.index(after: end)...]
            }
            for character in text {
                let columns = Grid.width(of: character)
                if used + columns > width {
                    lines.append(current)
                    (current, used) = (code, 0)
                }
                current.append(character)
                used += columns
            }
        }
        return lines + [current]
    }
}
