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

    private var amounts: Table {
        var table = Table([
            .init("KIND"), .init("AMOUNT", .point), .init("GAS", .point, dropOrder: 1),
        ])
        table.add(["sent", "-0.1 ETH", "0.00002"])
        table.add(["got", .init("+25.5 DAI", .green), "0.1"])
        table.add(["call", "0x01020304"])
        table.add(["got", "1000 ZRX", "12"])
        return table
    }

    @Test("the points of a column's numbers stand below one another, their units too")
    func points() {
        #expect(
            amounts.lines(width: 80, style: .marked) == [
                "<dim>KIND</>      <dim>AMOUNT</>       <dim>GAS</>",
                "sent    -0.1 ETH   0.00002",
                "got    <green>+25.5 DAI</>   0.1",
                "call  0x01020304",
                "got   1000   ZRX  12",
            ]
        )
    }

    @Test("where their points cost a column, numbers end below one another")
    func pointsWithoutRoom() {
        var table = Table([.init("A", .point), .init("B", .point)])
        table.add(["1000", "5"])
        table.add(["0.000001", "6"])
        #expect(table.lines(width: 16, style: .plain).last == "   0.000001  6")
        #expect(table.lines(width: 11, style: .plain).last == "0.000001  6")
    }

    @Test("a number is whole or absent, a text may be cut")
    func wholeNumbers() {
        var table = Table([
            .init("NAME"), .init("LEFT", .right, minimumWidth: 4), .init("C", .point),
        ])
        table.add(["a", "123456789", "1.5"])
        table.add(["b", "1234", "20"])
        table.add(["c", "unlimited", "3"])
        #expect(
            table.lines(width: 17, style: .plain) == [
                "NAME    LEFT    C", "a             1.5", "b       1234   20", "c     unlim…    3",
            ]
        )
        for width in 1...30 {
            for line in table.lines(width: width, style: .plain).dropFirst() {
                let words = line.split(separator: " ").map(String.init)
                #expect(!words.contains { $0.first?.isNumber == true && $0.hasSuffix("…") })
            }
        }
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
