/// A screen as a picture: SVG 1.1 in its colours, without scripts, fonts or anything from elsewhere.
///
/// Each run of cells of one ink is a text of a fixed length, so columns are in line in any font.
/// Block elements, the bars of depth and volume, are drawn as rectangles: fonts leave gaps between
/// their rows. The same grid always makes the same bytes.
package struct GridSVG: Sendable {
    private let grid: Grid
    private let title: String

    /// Pixels.
    private static let cellWidth = 10
    private static let cellHeight = 18
    private static let margin = 16
    /// From the top of a row to the line that letters stand on.
    private static let baseline = 14
    private static let ground = "#0d1117"

    /// - Parameter title: what the picture shows, such as a command, for those who cannot see it.
    package init(_ grid: Grid, title: String) {
        self.grid = grid
        self.title = title
    }

    /// The document, ending in a line break.
    package var text: String {
        let width = grid.columns * Self.cellWidth + 2 * Self.margin
        let height = grid.rows * Self.cellHeight + 2 * Self.margin
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
                + "width=\"\(width)\" height=\"\(height)\" role=\"img\" "
                + "font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" "
                + "font-size=\"16\">",
            "<title>\(SVGElement.escaped(title))</title>",
            "<rect width=\"\(width)\" height=\"\(height)\" rx=\"8\" fill=\"\(Self.ground)\"/>",
        ]
        for row in 0..<grid.rows { lines += backs(row) }
        for row in 0..<grid.rows { lines += bars(row) + texts(row) }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// What is behind a row's text, where it is not the ground.
    private func backs(_ row: Int) -> [String] {
        runs(row) { Self.colors($0.cellStyle).back }.compactMap { run in
            let back = Self.colors(grid[row, run.lowerBound].cellStyle).back
            guard back != Self.ground else { return nil }
            return "<rect x=\"\(Self.x(run.lowerBound))\" y=\"\(Self.y(row))\" "
                + "width=\"\(run.count * Self.cellWidth)\" height=\"\(Self.cellHeight)\" "
                + "fill=\"\(back)\"/>"
        }
    }

    /// The block elements of a row, equal neighbours as one.
    private func bars(_ row: Int) -> [String] {
        runs(row) { $0 }.compactMap { run in
            let cell = grid[row, run.lowerBound]
            guard let block = cell.text.flatMap(Self.block) else { return nil }
            let isWhole = block.width == 8
            // A part of a cell's width is one cell; parts of its height may be many.
            let parts = isWhole ? [run] : run.map { $0..<$0 + 1 }
            return parts.map { part in
                let width = part.count * Self.cellWidth * block.width
                let height = Self.cellHeight * block.height
                let top = (Self.y(row) + Self.cellHeight) * 8 - height
                return "<rect x=\"\(Self.x(part.lowerBound))\" y=\"\(Self.eighths(top))\" "
                    + "width=\"\(Self.eighths(width))\" height=\"\(Self.eighths(height))\" "
                    + "fill=\"\(Self.colors(cell.cellStyle).text)\"\(Self.opacity(cell.cellStyle))/>"
            }.joined(separator: "\n")
        }
    }

    private func texts(_ row: Int) -> [String] {
        runs(row) { $0.cellStyle }.flatMap { run in words(row, run) }.map { run in
            let cellStyle = grid[row, run.lowerBound].cellStyle
            let text = String(run.compactMap { grid[row, $0].text })
            return "<text x=\"\(Self.x(run.lowerBound))\" y=\"\(Self.y(row) + Self.baseline)\" "
                + "textLength=\"\(run.count * Self.cellWidth)\" lengthAdjust=\"spacingAndGlyphs\" "
                + "fill=\"\(Self.colors(cellStyle).text)\""
                + (cellStyle.isBold ? " font-weight=\"bold\"" : "") + Self.opacity(cellStyle)
                + ">\(SVGElement.escaped(text))</text>"
        }
    }

    /// The columns of a row in runs of equal cells; a wide grapheme is never split.
    private func runs<Key: Equatable>(
        _ row: Int,
        by key: (Grid.Cell) -> Key
    ) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for column in 0..<grid.columns {
            let cell = grid[row, column]
            if let last = runs.last,
                cell.text == nil || key(grid[row, last.lowerBound]) == key(cell)
            {
                runs[runs.count - 1] = last.lowerBound..<column + 1
            } else {
                runs.append(column..<column + 1)
            }
        }
        return runs
    }

    /// The parts of a run between bars, or two spaces or more: a picture's text has no such gaps.
    private func words(_ row: Int, _ run: Range<Int>) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var isCut = true
        for column in run {
            let text = grid[row, column].text
            if let text, Self.block(text) != nil { isCut = true }
            if text == " " || text.flatMap(Self.block) != nil { continue }
            if let last = parts.last, !isCut, column - last.upperBound < 2 {
                parts[parts.count - 1] = last.lowerBound..<column + 1
            } else {
                parts.append(column..<column + 1)
            }
            isCut = false
        }
        return parts
    }

    /// The eighths of a cell that a block element fills, from the left and from below; nil for
    /// other characters.
    private static func block(_ character: Character) -> (width: Int, height: Int)? {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1
        else { return nil }
        return switch scalar.value {
        case 0x2581...0x2588: (8, Int(scalar.value - 0x2580))
        case 0x2589...0x258F: (Int(0x2590 - scalar.value), 8)
        default: nil
        }
    }

    private static func x(_ column: Int) -> Int { margin + column * cellWidth }

    private static func y(_ row: Int) -> Int { margin + row * cellHeight }

    /// Pixels, exactly.
    private static func eighths(_ count: Int) -> String {
        let parts = ["", ".125", ".25", ".375", ".5", ".625", ".75", ".875"]
        return "\(count / 8)\(parts[count % 8])"
    }

    private static func opacity(_ cellStyle: CellStyle) -> String {
        cellStyle.isDim ? " fill-opacity=\"0.65\"" : ""
    }

    private static func colors(_ cellStyle: CellStyle) -> (text: String, back: String) {
        let text =
            switch cellStyle.color {
            case .normal: "#e6edf3"
            case .green: "#3fb950"
            case .red: "#ff7b72"
            case .yellow: "#d29922"
            case .cyan: "#39c5cf"
            case .gray: "#8b949e"
            }
        let back =
            switch cellStyle.back {
            case .normal: ground
            case .depth: "#23282f"
            case .selected: "#30363d"
            }
        return cellStyle.isReversed ? (back, text) : (text, back)
    }
}
