import Testing

@testable import DexTerminal

@Suite("What a terminal is sent for a grid")
struct GridPainterTests {
    private func grid(_ rows: String..., columns: Int = 20) -> Grid {
        var grid = Grid(columns: columns, rows: rows.count)
        for (row, text) in rows.enumerated() { grid.put(text, row: row, column: 0) }
        return grid
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
    }

    @Test("the first frame clears the screen; the same grid again sends nothing")
    func whole() {
        var painter = GridPainter(theme: GridTheme(.sixteen))
        #expect(text(painter.frame(grid("bid", "ask"))) == "^[0m^[H^[2Jbid^[2Hask")
        #expect(painter.frame(grid("bid", "ask")).isEmpty)
        #expect(painter.shown == grid("bid", "ask"))
        painter.forget()
        #expect(text(painter.frame(grid("bid", ""))) == "^[0m^[H^[2Jbid")
    }

    @Test("only changed cells are sent, by the shorter way to them")
    func changes() {
        var painter = GridPainter(theme: GridTheme(.sixteen))
        _ = painter.frame(grid("price 0.00074 WETH", "", "", "amount 12 ZRX"))
        #expect(
            text(painter.frame(grid("price 0.00075 WETH", "", "", "amount 12 ZRX")))
                == "^[1;13H5"
        )
        // Three cells that stay are shorter than a move.
        #expect(
            text(painter.frame(grid("price 0.00076 WET_", "", "", "amount 12 ZRX")))
                == "^[D6 WET_"
        )
        #expect(text(painter.frame(grid("p", "", "", "amount 13 ZRX"))) == "^[17D^[K^[4;9H3")
    }

    @Test("the cursor is known after unchanged cells were written again")
    func repeated() {
        var painter = GridPainter(theme: GridTheme(.sixteen))
        _ = painter.frame(grid("12 abcdefgh"))
        // "2" is changed, " " and "a" stay, the rest is cleared from the fifth column on.
        #expect(text(painter.frame(grid("13 a"))) == "^[10D3 a^[K")
        #expect(text(painter.frame(grid("13 ab"))) == "b")
    }

    @Test("an ink is sent when it changes; how a blank would be written is not")
    func cellStyles() {
        var painter = GridPainter(theme: GridTheme(.sixteen))
        var first = grid("")
        first.put("1.5", row: 0, column: 0, CellStyle(.green, bold: true))
        first.put("2.5", row: 0, column: 3, CellStyle(.green))
        #expect(text(painter.frame(first)) == "^[0m^[H^[2J^[1;32m1.5^[22m2.5")
        first.put("   ", row: 0, column: 8, CellStyle(.red, bold: true, dim: true))
        #expect(painter.frame(first).isEmpty)
        first.put(" ", row: 0, column: 8, CellStyle(back: .selected))
        #expect(text(painter.frame(first)) == "  ^[0;7m ")
        first.paint(row: 0, columns: 0..<3) { $0 = .plain }
        #expect(text(painter.frame(first)) == "\r^[m1.5")
    }

    @Test("a frame is one unit only on a terminal that knows it")
    func synchronized() {
        var painter = GridPainter(theme: GridTheme(.none))
        painter.isSynchronized = true
        #expect(text(painter.frame(grid("a"))) == "^[?2026h^[0m^[H^[2Ja^[?2026l")
        #expect(painter.frame(grid("a")).isEmpty)
    }

    @Test("another size or theme paints the whole screen")
    func anew() {
        var painter = GridPainter(theme: GridTheme(.sixteen))
        _ = painter.frame(grid("a", columns: 4))
        #expect(text(painter.frame(grid("a", columns: 5))) == "^[0m^[H^[2Ja")
        painter.theme.isLight = true
        #expect(text(painter.frame(grid("a", columns: 5))) == "^[0m^[H^[2Ja")
        painter.theme.isLight = true
        #expect(painter.frame(grid("a", columns: 5)).isEmpty)
        #expect(!painter.frame(Grid(columns: 0, rows: 0)).isEmpty)
        #expect(painter.frame(Grid(columns: 0, rows: 0)).isEmpty)
    }

    @Test("behind a grapheme that terminals measure differently the cursor is placed anew")
    func odd() {
        var painter = GridPainter(theme: GridTheme(.sixteen))
        _ = painter.frame(grid("ab cd"))
        // Both of its cells are blanks first, and the next cell is written again.
        #expect(text(painter.frame(grid("😀 cd"))) == "\r  ^[H😀^[1;3H ")
        #expect(text(painter.frame(grid("泰 cd"))) == "\r泰")
        #expect(text(painter.frame(grid("泰达d"))) == "^[1;3H达")
    }

    @Test("no colour is sent without colours; the selected row is then reversed")
    func colourless() {
        var painter = GridPainter(theme: GridTheme(.none))
        var first = grid("")
        first.put("sel", row: 0, column: 0, CellStyle(.red, back: .selected))
        first.put("bid", row: 0, column: 3, CellStyle(.green, back: .depth, bold: true))
        #expect(text(painter.frame(first)) == "^[0m^[H^[2J^[7msel^[0;1mbid")
    }

    @Test(
        "the depth of colour follows the environment",
        arguments: [
            (["TERM": "xterm-256color"], ColorDepth.palette256),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], .trueColor),
            (["TERM": "tmux-256color", "COLORTERM": "24bit"], .trueColor),
            (["TERM": "xterm-kitty"], .trueColor), (["TERM": "xterm"], .sixteen),
            (["TERM": "linux", "COLORTERM": "yes"], .sixteen), (["TERM": "vt100"], .none),
            (["TERM": "xterm-mono"], .none),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
        ]
    )
    func depths(environment: [String: String], depth: ColorDepth) {
        #expect(ColorDepth.of(isColourless: false) { environment[$0] } == depth)
        #expect(ColorDepth.of(isColourless: true) { environment[$0] } == ColorDepth.none)
    }

    @Test("a dumb terminal, or none that is named, has no full screen")
    func dumb() {
        #expect(ColorDepth.of(isColourless: false) { _ in nil } == nil)
        #expect(ColorDepth.of(isColourless: false) { $0 == "TERM" ? "dumb" : nil } == nil)
    }

    @Test("a grid keeps what no terminal draws beyond a grapheme's cells")
    func graphemes() {
        var grid = Grid(columns: 12, rows: 1)
        #expect(grid.put("👍🏽🇩🇪e\u{301}한", row: 0, column: 0) == 7)
        #expect(grid.text(row: 0) == "👍🇩🇪e\u{301}한     ")
        #expect(grid[0, 1].text == nil)
        grid.put("x", row: 0, column: 1)
        #expect(grid.text(row: 0).hasPrefix(" x🇩🇪"))
        grid.put("\u{1112}\u{1161}\u{11AB}", row: 0, column: 0)
        #expect(grid.text(row: 0).unicodeScalars.count == 3 + 2 + 2 + 1 + 5)
        var marked = Grid(columns: 2, rows: 1)
        marked.put("a" + String(repeating: "\u{301}", count: 500), row: 0, column: 0)
        #expect(marked.text(row: 0).unicodeScalars.count == 1 + 4 + 1)
    }
}
