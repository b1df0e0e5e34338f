import DexTestSupport
import Foundation
import FoundationXML
import Testing

@testable import DexTerminal

@Suite("A screen as a picture")
struct GridSVGTests {
    /// A document's elements, read back as a program does that draws it.
    private final class Drawing: NSObject, XMLParserDelegate {
        struct Text: Equatable {
            let x: Int
            let y: Int
            let length: Int
            let attributes: [String: String]
            var text = ""
        }

        var texts: [Text] = []
        var rects: [[String: String]] = []
        var names: Set<String> = []
        var title = ""
        private var open: [String] = []

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String] = [:]
        ) {
            names.insert(name)
            open.append(name)
            if name == "rect" { rects.append(attributes) }
            guard name == "text" else { return }
            func number(_ key: String) -> Int { attributes[key].flatMap { Int($0) } ?? -1 }
            texts.append(
                Text(
                    x: number("x"),
                    y: number("y"),
                    length: number("textLength"),
                    attributes: attributes
                )
            )
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if open.last == "text" { texts[texts.count - 1].text += string }
            if open.last == "title" { title += string }
        }

        func parser(
            _ parser: XMLParser,
            didEndElement name: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            open.removeLast()
        }

        /// The cells, by where the texts are.
        func grid(columns: Int, rows: Int) -> Grid {
            var grid = Grid(columns: columns, rows: rows)
            for text in texts {
                grid.put(text.text, row: (text.y - 16) / 18, column: (text.x - 16) / 10)
            }
            return grid
        }
    }

    private static func texts(_ grid: Grid) -> [String] {
        (0..<grid.rows).map { grid.text(row: $0) }
    }

    @Test(
        "every text of random screens is where its cells are, as wide as they are",
        arguments: 1...8
    )
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let words = ["0.00074", "<&\">", "│", "⣿⡇", "語", "a  b", " x ", "", "é", "👍", "]]>"]
        for _ in 0..<40 {
            let columns = generator.below(60)
            let rows = generator.below(12)
            var grid = Grid(columns: columns, rows: rows)
            for _ in 0..<generator.below(30) {
                let cellStyle = CellStyle(
                    generator.pick(CellStyle.Color.allCases),
                    back: generator.pick(CellStyle.Back.allCases),
                    bold: generator.chance(20),
                    dim: generator.chance(20),
                    reversed: generator.chance(10)
                )
                grid.put(
                    generator.pick(words),
                    row: generator.below(12),
                    column: generator.below(60),
                    cellStyle
                )
            }
            let svg = GridSVG(grid, title: "a <title> & more").text
            #expect(svg == GridSVG(grid, title: "a <title> & more").text)
            let drawing = try Drawing(svg)
            #expect(drawing.title == "a <title> & more")
            #expect(drawing.names.isSubset(of: ["svg", "title", "rect", "text"]))
            #expect(Self.texts(drawing.grid(columns: columns, rows: rows)) == Self.texts(grid))
            for text in drawing.texts {
                let width = text.text.reduce(0) { $0 + Grid.width(of: $1) }
                #expect(text.length == 10 * width, "\(text)")
                // Programs draw several spaces as one.
                #expect(!text.text.contains("  ") && !text.text.hasPrefix(" "))
                #expect(text.attributes["lengthAdjust"] == "spacingAndGlyphs")
            }
        }
    }

    @Test("colours, weight and what is behind are those of the cells")
    func cellStyles() throws {
        var grid = Grid(columns: 20, rows: 2)
        grid.put("ask", row: 0, column: 0, CellStyle(.red, back: .depth, bold: true))
        grid.put("bid", row: 0, column: 4, CellStyle(.green, dim: true))
        grid.put("key", row: 1, column: 0, CellStyle(.cyan, reversed: true))
        grid.paint(row: 1, columns: 10..<20) { $0.back = .selected }
        let drawing = try Drawing(GridSVG(grid, title: "").text)
        let (ask, bid, key) = (drawing.texts[0], drawing.texts[1], drawing.texts[2])
        #expect(ask.text == "ask" && ask.x == 16 && ask.y == 16 + 14 && ask.length == 30)
        #expect(ask.attributes["font-weight"] == "bold" && ask.attributes["fill-opacity"] == nil)
        #expect(bid.x == 16 + 4 * 10 && bid.attributes["fill-opacity"] != nil)
        #expect(bid.attributes["font-weight"] == nil)
        #expect(Set([ask, bid, key].map { $0.attributes["fill"] }).count == 3)
        // The ground, behind the ask, the reversed key and the selected cells.
        #expect(drawing.rects.map { $0["width"] } == ["232", "30", "30", "100"])
        #expect(drawing.rects[2]["fill"] != drawing.rects[0]["fill"])
        // Reversed: the ground's colour on the text's.
        #expect(key.attributes["fill"] == drawing.rects[0]["fill"])
        #expect(drawing.rects[3]["x"] == "116" && drawing.rects[3]["y"] == "34")
    }

    private static func isBar(_ character: Character) -> Bool {
        ("\u{2581}"..."\u{258F}").contains(character)
    }

    @Test("bars are rectangles of their eighths, from the left or from below, without gaps")
    func bars() throws {
        var grid = Grid(columns: 8, rows: 2)
        grid.put("██▌a▂", row: 0, column: 0, CellStyle(.green))
        grid.put("▏█", row: 1, column: 0, CellStyle(.red, dim: true))
        let drawing = try Drawing(GridSVG(grid, title: "").text)
        let rects = drawing.rects.dropFirst().map { rect in
            ["x", "y", "width", "height"].map { rect[$0] ?? "" }
        }
        #expect(
            rects == [
                ["16", "16", "20", "18"], ["36", "16", "5", "18"], ["56", "29.5", "10", "4.5"],
                ["16", "34", "1.25", "18"], ["26", "34", "10", "18"],
            ]
        )
        #expect(drawing.rects.last?["fill-opacity"] == "0.65")
        #expect(drawing.texts.map(\.text) == ["a"] && drawing.texts[0].x == 46)
    }

    @Test("nothing in it is loaded or run, whatever the cells say")
    func hostile() throws {
        var grid = Grid(columns: 80, rows: 1)
        grid.put(#"</text><script href="http://x">alert(1)</script>"#, row: 0, column: 0)
        let svg = GridSVG(grid, title: "</title><script>\u{1B}[31m\u{202E}").text
        let drawing = try Drawing(svg)
        #expect(drawing.names == ["svg", "title", "rect", "text"])
        #expect(drawing.texts.map(\.text) == [#"</text><script href="http://x">alert(1)</script>"#])
        for word in ["<script", "href=\"", "url(", "@import", "<style", "\u{1B}", "\u{202E}"] {
            #expect(!svg.contains(word), "\(word)")
        }
    }

    @Test("painted lines become cells with the colours that a terminal shows")
    func lines() {
        let style = Style.ansi
        let lines = [
            "plain " + style.paint("bold", .bold) + style.paint("dim", .dim) + " end",
            style.paint("red", .red) + style.paint("green", .green) + style.paint("y", .yellow)
                + style.paint("cyan", .cyan),
            "\u{1B}[1;31mboth\u{1B}[mnone\u{1B}[7mback\u{1B}[0m\u{1B}[2Kx",
            "語" + style.paint("語", .green) + "!",
            "",
            String(repeating: "long", count: 9),
        ]
        let grid = Grid(lines: lines, columns: 20)
        #expect(grid.columns == 20 && grid.rows == 6)
        func cellStyle(_ row: Int, _ column: Int) -> CellStyle { grid[row, column].cellStyle }
        #expect(grid.text(row: 0) == "plain bolddim end   ")
        #expect(
            cellStyle(0, 0) == .plain && cellStyle(0, 6) == CellStyle(bold: true)
                && cellStyle(0, 10) == CellStyle(dim: true)
        )
        #expect(cellStyle(0, 13) == .plain)
        #expect(
            [0, 3, 8, 9].map { cellStyle(1, $0) } == [
                CellStyle(.red), CellStyle(.green), CellStyle(.yellow), CellStyle(.cyan),
            ]
        )
        #expect(grid.text(row: 2) == "bothnonebackx       ")
        #expect(cellStyle(2, 0) == CellStyle(.red, bold: true) && cellStyle(2, 4) == .plain)
        #expect(cellStyle(2, 8) == CellStyle(reversed: true) && cellStyle(2, 12) == .plain)
        #expect(grid.text(row: 3) == "語語!               ")
        #expect(
            cellStyle(3, 2) == CellStyle(.green) && grid[3, 3].text == nil
                && cellStyle(3, 4) == .plain
        )
        #expect(grid.text(row: 4) == String(repeating: " ", count: 20))
        #expect(grid.text(row: 5) == "longlonglonglonglong")
    }

    @Test("a book's and a chart's picture has the text of their screens", arguments: [40, 80, 120])
    func views(width: Int) throws {
        let now = Fixtures.now
        for view in [
            { OrderbookView(Fixtures.book).lines($0) },
            { ChartView(MarketScreenTests.chart(count: 30)).lines($0) },
        ] as [(Screen) -> [String]] {
            let plain = view(Screen(width: width, style: .plain, now: now))
            let painted = view(Screen(width: width, style: .ansi, now: now))
            let grid = Grid(lines: painted, columns: width)
            #expect(
                Self.texts(grid)
                    == plain.map {
                        $0
                            + String(
                                repeating: " ",
                                count: max(0, width - TerminalText.width(of: $0))
                            )
                    }
            )
            let drawing = try Drawing(GridSVG(grid, title: "dex").text)
            let drawn = Self.texts(drawing.grid(columns: width, rows: grid.rows))
            #expect(drawn == Self.texts(grid).map { String($0.map { Self.isBar($0) ? " " : $0 }) })
            #expect(drawing.rects.count > 1)
            #expect(Set(drawing.texts.map { $0.attributes["fill"] }).count >= 3)
        }
    }
}
