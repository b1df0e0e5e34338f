import Testing

@testable import DexTerminal

/// The columns of a list that its fields describe.
@Suite("Columns that a description has on the screen")
struct ScreenColumnTests {
    private struct Row: Sendable {
        var name = "ada"
        var amounts = ["1.5"]
        var note = ""
        var hash: String?
        var unit = "ZRX"
    }

    /// Told in the order of JSON, which is not that of the screen.
    private static let fields = Fields<Row> {
        Field("note", "A note") { ExactText($0.note) }
            .shown(3, "NOTE", dropOrder: 1, minimumWidth: 6, ifAny: true) { row, _ in
                .init(row.note, .yellow)
            }
        Field("amount", "How much") { $0.amounts.map { ExactText($0) } }
            .shown(1) { rows, _ in
                guard let unit = rows.first?.unit else { return nil }
                return .init(column: .init("AMOUNT \(unit)", .point)) { row in
                    row.amounts.map { Table.Cell($0) }
                }
            }
        Field("name", "Who") { ExactText($0.name) }
            .shown(0, "NAME") { row, screen in
                .init(screen.width < 30 ? String(row.name.prefix(3)) : row.name, .bold)
            }
            .shown(2, "LENGTH", .right, dropOrder: 2) { row, _ in .init("\(row.name.count)") }
        Field("hash", "Its hash") { $0.hash.map { ExactText($0) } }
            .shown(4, hash: "HASH", dropOrder: 3) { $0.hash }
        Field("silent", "Not on the screen") { _ in true }
    }

    private static func screen(_ width: Int, verbose: Bool = false) -> Screen {
        Screen(width: width, style: .plain, now: 0, isVerbose: verbose)
    }

    private static let hashes = [1, 2].map { "0x" + String(repeating: "\($0)", count: 64) }

    private static let rows = [
        Row(note: "first of all", hash: hashes[0]), Row(name: "grace", amounts: ["10.25"]),
    ]

    @Test("columns stand in their places, left, right or by the point, under their titles")
    func places() {
        #expect(
            Self.fields.lines(Self.rows, Self.screen(80)) == [
                "NAME   AMOUNT ZRX  LENGTH  NOTE          HASH",
                "ada          1.5        3  first of all  0x11111111",
                "grace       10.25       5",
            ]
        )
    }

    @Test("on a narrow screen a text is cut, then columns go, the highest number first")
    func narrow() {
        func titles(_ width: Int) -> [String] {
            Self.fields.lines(Self.rows, Self.screen(width))[0]
                .split(separator: " ").map(String.init)
        }
        let all = ["NAME", "AMOUNT", "ZRX", "LENGTH", "NOTE", "HASH"]
        #expect(titles(51) == all)
        let cut = Self.fields.lines(Self.rows, Self.screen(47))[1]
        #expect(titles(47) == all && cut.contains("first o…"), "\(cut)")
        // Whole it takes 51, and the note may lose 6 of them.
        #expect(titles(45) == all)
        #expect(titles(44) == ["NAME", "AMOUNT", "ZRX", "LENGTH", "NOTE"])
        #expect(titles(34) == ["NAME", "AMOUNT", "ZRX", "LENGTH", "NOTE"])
        #expect(titles(25) == ["NAME", "AMOUNT", "ZRX", "NOTE"])
        for width in 1...20 {
            let rest = titles(width)
            #expect(!rest.contains("NOTE") || width > 19, "\(width): \(rest)")
        }
    }

    @Test("the rows decide about a column and its title, the screen about a cell")
    func decided() {
        let plain = [Row(unit: "WETH"), Row(name: "grace")]
        #expect(
            Self.fields.lines(plain, Self.screen(80)) == [
                "NAME   AMOUNT WETH  LENGTH  HASH",
                "ada            1.5       3",
                "grace          1.5       5",
            ]
        )
        #expect(Self.fields.lines(plain, Self.screen(29))[2].hasPrefix("gra "))
        let empty = Self.fields.screenTable([], Self.screen(80))
        #expect(empty.columns.map(\.title) == ["NAME", "LENGTH", "HASH"])
    }

    @Test("further cells of a row stand below it, and only some rows have numbers")
    func severalLines() {
        var rows = Self.rows
        rows[0].amounts = ["-1", "+2.25"]
        rows.append(Row(name: "eve"))
        let screen = Self.screen(80).numberingRows
        let table = Self.fields.screenTable(rows, screen, isNumbered: true) { $0.name != "grace" }
        #expect(
            table.rows.map { $0.prefix(3).map(\.text) } == [
                ["1", "ada", "-1"], ["", "", "+2.25"], ["", "grace", "10.25"], ["2", "eve", "1.5"],
            ]
        )
        #expect(table.columns.first?.title == "#")
        let silent = Self.fields.screenTable(rows, Self.screen(80), isNumbered: true)
        #expect(silent.columns.first?.title == "NAME")
    }

    @Test("hashes have as many digits as tell them apart, and no column where they are whole")
    func hashes() {
        var rows = Self.rows
        rows[1].hash = String(Self.hashes[0].dropLast()) + "0"
        func hashes(_ screen: Screen) -> [String] {
            Self.fields.screenTable(rows, screen).rows.compactMap { $0.last?.text }
        }
        #expect(hashes(Self.screen(200)) == [Self.hashes[0], rows[1].hash ?? ""])
        let table = Self.fields.screenTable(rows, Self.screen(200, verbose: true))
        #expect(!table.columns.contains { $0.title == "HASH" })
    }

    @Test("a description keeps its columns as a part of another row")
    func part() {
        struct Whole: Sendable { var row: Row }
        let fields = Self.fields.of(\Whole.row)
        let rows = Self.rows.map { Whole(row: $0) }
        for width in [20, 40, 80] {
            #expect(
                fields.lines(rows, Self.screen(width))
                    == Self.fields.lines(Self.rows, Self.screen(width))
            )
        }
    }
}
