import DexTerminal
import DexTestSupport
import StrictJSON

/// Random grids on one terminal, one after the other, with what it is sent for each.
struct GridStory {
    /// What `grid_screens.py` reads.
    private(set) var bytes: [UInt8] = []
    private(set) var states = 0

    private var random: SeededGenerator
    private var painter: GridPainter
    private var grid = Grid(columns: 1, rows: 1)

    private static let texts = [
        "ZRX/WETH", "0.00074213", "1,250.5", "   ", "          ", "b", "█▓▒░", "─│┌┐└┘", "⣿⡇⠁",
        "▲▼●", "Tether 泰达", "한국", "e\u{301}ü\u{308}x", "😀", "👍🏽👍", "🇩🇪🇫", "❤\u{FE0F}a",
        "👩\u{200D}🚀", "Ωж→…", "नि", "\u{1B}[31mred", "☀⚠✓", "ｗｉｄｅ", "x\u{336}\u{337}",
    ]

    init(_ depth: ColorDepth, isLight: Bool, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        painter = GridPainter(theme: GridTheme(depth, isLight: isLight))
        painter.isSynchronized = seed % 2 == 0
        let theme = painter.theme
        let pens = Self.cellStyles.map { theme.pen($0).json }
        append(
            (["depth": .string("\(depth)"), "pens": .array(pens)] as JSONValue).utf8
        )
    }

    /// All inks, by their number in the story.
    private static let cellStyles: [CellStyle] = CellStyle.Color.allCases.flatMap { color in
        CellStyle.Back.allCases.flatMap { back in
            (0..<8).map { bits in
                CellStyle(
                    color,
                    back: back,
                    bold: bits & 4 != 0,
                    dim: bits & 2 != 0,
                    reversed: bits & 1 != 0
                )
            }
        }
    }
    private static let numbers = Dictionary(
        uniqueKeysWithValues: cellStyles.enumerated().map { ($1, UInt8($0)) }
    )

    /// A terminal of another size, cleared or as it was.
    mutating func resize(columns: Int, rows: Int) {
        var next = Grid(columns: columns, rows: rows)
        if random.chance(70) {
            for row in 0..<min(rows, grid.rows) {
                next.put(grid.text(row: row), row: row, column: 0, random.pick(Self.cellStyles))
            }
        }
        grid = next
    }

    /// Some changes, and the frame for them.
    mutating func step(_ name: String, changes: Int) {
        for _ in 0..<changes { change() }
        if random.chance(2) { painter.forget() }
        // A frame that a terminal never got is one that was never made.
        let frame = painter.frame(grid)
        append(name.utf8)
        append(number: grid.columns)
        append(number: grid.rows)
        append(frame)
        let cells = grid.lines.joined()
        append(cells.map { $0.text.map(String.init) ?? "" }.joined(separator: "\u{1F}").utf8)
        append(cells.map { Self.numbers[$0.cellStyle] ?? 0 })
        states += 1
    }

    private mutating func change() {
        let row = random.below(grid.rows)
        let column = random.below(grid.columns)
        let cellStyle = random.chance(50) ? CellStyle.plain : random.pick(Self.cellStyles)
        switch random.below(10) {
        case 0: grid.paint(row: row, columns: column..<grid.columns) { $0 = cellStyle }
        case 1: grid.paint(row: row, columns: column..<column + 1) { $0.isReversed.toggle() }
        case 2:
            let blank = String(repeating: " ", count: grid.columns)
            grid.put(blank, row: row, column: column, cellStyle)
        default: grid.put(random.pick(Self.texts), row: row, column: column, cellStyle)
        }
    }

    private mutating func append(_ content: some Collection<UInt8>) {
        append(number: content.count)
        bytes += content
    }

    private mutating func append(number: Int) {
        for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

extension TerminalPen {
    fileprivate var json: JSONValue {
        [
            "text": text.json, "back": back.json, "bold": .bool(isBold),
            "reversed": .bool(isReversed),
        ]
    }
}

extension TerminalPen.Shade {
    fileprivate var json: JSONValue {
        switch self {
        case .standard: ["standard"]
        case .ansi(let number): ["ansi", .number("\(number)")]
        case .palette(let number): ["palette", .number("\(number)")]
        case .rgb(let red, let green, let blue):
            ["rgb", .number("\(red)"), .number("\(green)"), .number("\(blue)")]
        }
    }
}
