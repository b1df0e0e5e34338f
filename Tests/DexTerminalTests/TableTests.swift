import DexTerminal
import Testing

@Suite("Tables")
struct TableTests {
    private var table: Table {
        var table = Table([
            .init("PRICE", .right), .init("AMOUNT", .right),
            .init("NAME", minimumWidth: 4), .init("NOTE", dropOrder: 1),
        ])
        table.add([.init("1.50", .green), "10", "a long name", "x"])
        table.add(["12.25", "7", "short"])
        return table
    }

    @Test("numbers stand right-aligned under their titles, without spaces at the end")
    func aligned() {
        #expect(
            table.lines(width: 80, style: .plain) == [
                "PRICE  AMOUNT  NAME         NOTE",
                " 1.50      10  a long name  x",
                "12.25       7  short",
            ]
        )
    }

    @Test("a narrow table cuts texts first, then drops what matters least")
    func narrow() {
        #expect(table.lines(width: 28, style: .plain)[1] == " 1.50      10  a long…  x")
        #expect(table.lines(width: 20, style: .plain)[1] == " 1.50      10  a lo…")
    }

    @Test("colour wraps the text only, never the padding")
    func colour() {
        #expect(
            table.lines(width: 80, style: .marked)[1]
                == " <green>1.50</>      10  a long name  x"
        )
        #expect(table.lines(width: 80, style: .ansi)[1].hasPrefix(" \u{1B}[32m1.50\u{1B}[0m"))
    }

    @Test("a cell's own spaces do not stand at a line's end, painted or not")
    func spacesOfCells() {
        var table = Table([.init(""), .init("")])
        table.add(["a", .init("painted ", .red)])
        table.add(["plain ", .init("  ", .dim)])
        #expect(table.lines(width: 80, style: .plain) == ["a       painted", "plain"])
        #expect(table.lines(width: 80, style: .marked) == ["a       <red>painted</>", "plain"])
    }

    @Test("text without width stays at the end of a row that is exactly as wide as the screen")
    func marksAtTheEnd() {
        var table = Table([.init(""), .init("", .right)])
        table.add(["a", .init("\u{301}")])
        table.add(["a", "b"])
        #expect(table.lines(width: 4, style: .plain) == ["a   \u{301}", "a  b"])
    }

    @Test("every width from 0 to 100 works and no line is wider", arguments: 0...100)
    func everyWidth(width: Int) {
        for line in table.lines(width: width, style: .plain) {
            #expect(TerminalText.width(of: line) <= max(1, width))
        }
    }
}
