/// Aligned columns that adapt to the width.
///
/// Less important columns are dropped first, then texts are cut; nothing traps at width 1. A number
/// is never cut: where it has no room, its column is dropped.
package struct Table: Sendable {
    package enum Alignment: Sendable {
        case left
        case right
        /// Numbers, with or without a unit behind them: their points stand below one another.
        case point

        /// A part of a number is another number: it is shown whole or not at all.
        var isOfNumbers: Bool { self != .left }
    }

    package struct Column: Sendable {
        package let title: String
        package let alignment: Alignment
        /// Columns with higher numbers are dropped first; 0 never is.
        package let dropOrder: Int
        /// The width to which it is cut before others are dropped; nil is not cut.
        package let minimumWidth: Int?

        package init(
            _ title: String,
            _ alignment: Alignment = .left,
            dropOrder: Int = 0,
            minimumWidth: Int? = nil
        ) {
            self.title = title
            self.alignment = alignment
            self.dropOrder = dropOrder
            self.minimumWidth = minimumWidth
        }
    }

    package struct Cell: Sendable, ExpressibleByStringLiteral {
        package let text: String
        package let color: Style.Color?

        package init(_ text: String, _ color: Style.Color? = nil) {
            self.text = text
            self.color = color
        }

        package init(stringLiteral value: String) {
            self.init(value)
        }
    }

    package let columns: [Column]
    package private(set) var rows: [[Cell]] = []
    /// Spaces before each line.
    package var indent = 0

    package init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = indent
    }

    /// Appends a row; missing cells are empty, extra cells are ignored.
    package mutating func add(_ cells: [Cell]) {
        let missing = max(0, columns.count - cells.count)
        rows.append(Array(cells.prefix(columns.count)) + Array(repeating: Cell(""), count: missing))
    }

    /// The lines, without trailing spaces; the titles first unless all are empty.
    package func lines(width: Int, style: Style) -> [String] {
        parts(width: width).map { Self.painted($0, style) }
    }

    /// The lines as texts and their colours, one after another.
    func parts(width: Int) -> [[Part]] {
        let room = max(1, width) - indent
        var (shown, layout) = (self, fit(width: room))
        if columns.contains(where: { $0.alignment == .point }) {
            let aligned = aligned
            let fitted = aligned.fit(width: room)
            // Where their points cost a column or a number, numbers end below one another.
            if fitted.count >= layout.count, !aligned.leavesOut(fitted) {
                (shown, layout) = (aligned, fitted)
            }
        }
        var lines: [[Part]] = []
        if columns.contains(where: { !$0.title.isEmpty }) {
            lines.append(line(columns.map { Cell($0.title, .dim) }, layout, width))
        }
        lines.append(contentsOf: shown.rows.map { line($0, layout, width) })
        return lines
    }

    /// The same with spaces in the cells whose points are to stand below one another.
    private var aligned: Table {
        var table = self
        for (index, column) in columns.enumerated() where column.alignment == .point {
            let numbers = rows.map { PointedNumber($0[index].text) }
            let shown = PointedNumber.aligned(numbers)
            for row in rows.indices {
                table.rows[row][index] = Cell(
                    shown[row] ?? rows[row][index].text,
                    rows[row][index].color
                )
            }
        }
        return table
    }

    /// A column stays at this width.
    func shows(_ index: Int, width: Int) -> Bool {
        fit(width: max(1, width) - indent).contains { $0.index == index }
    }

    package typealias Part = (text: String, color: Style.Color?)

    /// The natural width of each column; 0 for an empty one.
    package var columnWidths: [Int] {
        columns.indices.map { index in
            let cells = rows.map { TerminalText.width(of: $0[index].text) }
            return max(TerminalText.width(of: columns[index].title), cells.max() ?? 0)
        }
    }

    /// The index of each column that stays, and its width.
    private func fit(width: Int) -> [(index: Int, width: Int)] {
        var layout = columnWidths.enumerated().map { (index: $0.offset, width: $0.element) }
        // An empty column only takes room.
        layout.removeAll { entry in entry.width == 0 }
        func total() -> Int {
            layout.reduce(0) { $0 + $1.width } + 2 * max(0, layout.count - 1)
        }
        while total() > width {
            if shrink(&layout, by: total() - width) { continue }
            let candidates = layout.indices.filter { columns[layout[$0].index].dropOrder > 0 }
            guard
                let last = candidates.max(by: {
                    columns[layout[$0].index].dropOrder < columns[layout[$1].index].dropOrder
                })
            else { break }
            layout.remove(at: last)
        }
        if total() > width { _ = shrink(&layout, by: total() - width, cutsNumbers: true) }
        // What must stay has no room: a text is cut with its line, a number is left out.
        var end = -2
        return layout.filter { entry in
            guard !columns[entry.index].alignment.isOfNumbers || end + 2 + entry.width <= width
            else { return false }
            end += 2 + entry.width
            return true
        }
    }

    /// Shrinks the columns that allow it, the last ones first; false if that does not suffice.
    ///
    /// - Parameter cutsNumbers: those that are too wide are left out.
    private func shrink(
        _ layout: inout [(index: Int, width: Int)],
        by excess: Int,
        cutsNumbers: Bool = false
    ) -> Bool {
        var rest = excess
        var result = layout
        for position in result.indices.reversed() {
            guard let minimum = columns[result[position].index].minimumWidth else { continue }
            let index = result[position].index
            let narrowest =
                columns[index].alignment.isOfNumbers && !cutsNumbers
                ? max(minimum, widestNumber(index)) : minimum
            let cut = min(rest, max(0, result[position].width - narrowest))
            result[position].width -= cut
            rest -= cut
        }
        guard rest <= 0 else { return false }
        layout = result
        return true
    }

    /// A number has no room in its column.
    private func leavesOut(_ layout: [(index: Int, width: Int)]) -> Bool {
        layout.contains { entry in
            columns[entry.index].alignment.isOfNumbers && entry.width < widestNumber(entry.index)
        }
    }

    /// The width of the widest cell that begins with a number.
    private func widestNumber(_ index: Int) -> Int {
        rows.map { $0[index].text }
            .filter { PointedNumber($0) != nil }
            .map { TerminalText.width(of: $0) }.max() ?? 0
    }

    private func line(
        _ cells: [Cell],
        _ layout: [(index: Int, width: Int)],
        _ width: Int
    ) -> [Part] {
        var parts: [Part] = []
        for entry in layout {
            let cell = cells[entry.index]
            let column = columns[entry.index]
            let isLeftOut =
                column.alignment.isOfNumbers && TerminalText.width(of: cell.text) > entry.width
                && PointedNumber(cell.text) != nil
            let text = isLeftOut ? "" : TerminalText.truncate(cell.text, to: entry.width)
            let padding = String(
                repeating: " ",
                count: max(0, entry.width - TerminalText.width(of: text))
            )
            let gap = parts.isEmpty ? String(repeating: " ", count: indent) : "  "
            switch column.alignment {
            case .left:
                parts.append((gap, nil))
                parts.append((text, cell.color))
                parts.append((padding, nil))
            case .right:
                parts.append((gap + padding, nil))
                parts.append((text, cell.color))
            case .point:
                let start = text.prefix { $0 == " " }
                let rest = text.dropFirst(start.count)
                let end = rest.reversed().prefix { $0 == " " }.count
                parts.append((gap + padding + start, nil))
                parts.append((String(rest.dropLast(end)), cell.color))
                parts.append((String(repeating: " ", count: end), nil))
            }
        }
        return Self.cut(parts, width: width)
    }

    /// Cuts a line of painted parts to the width and drops spaces at its end.
    package static func join(_ parts: [Part], width: Int, style: Style) -> String {
        painted(cut(parts, width: width), style)
    }

    private static func painted(_ parts: [Part], _ style: Style) -> String {
        parts.map { style.paint($0.text, $0.color) }.joined()
    }

    private static func cut(_ parts: [Part], width: Int) -> [Part] {
        var parts = parts
        while let last = parts.last {
            var text = last.text
            while text.last == " " { text.removeLast() }
            parts.removeLast()
            if !text.isEmpty {
                parts.append((text, last.color))
                break
            }
        }
        var room = max(1, width)
        let total = parts.reduce(0) { $0 + TerminalText.width(of: $1.text) }
        guard total > room else { return parts }
        var result: [Part] = []
        for part in parts {
            let columns = TerminalText.width(of: part.text)
            guard columns < room else {
                result.append((TerminalText.truncate(part.text + " ", to: room), part.color))
                break
            }
            result.append(part)
            room -= columns
        }
        return result
    }
}
