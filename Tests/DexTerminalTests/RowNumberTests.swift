import DexCore
import DexTerminal
import Testing

@Suite("Numbered rows on screen")
struct RowNumberTests {
    static let lists = ["orders", "orders-mine", "tx-list", "history", "activity"]

    @Test("each list is as recorded", arguments: lists, [40, 80, 120])
    func recorded(name: String, width: Int) throws {
        let draw = try #require(ScreenTests.screens.first { $0.name == name }).draw
        let screen = Screen(width: width, style: .plain, now: Fixtures.now).numberingRows
        let lines = draw(screen)
        #expect(lines[0].drop { $0 == " " }.hasPrefix("#  "), "\(lines[0])")
        #expect(lines[1].drop { $0 == " " }.hasPrefix("1  "), "\(lines[1])")
        try expectSnapshot(lines, named: "\(name)-numbered-\(width)")
    }

    @Test("a number stays, however narrow the screen is", arguments: lists)
    func narrow(name: String) throws {
        let draw = try #require(ScreenTests.screens.first { $0.name == name }).draw
        let lines = draw(Screen(width: 24, style: .plain, now: Fixtures.now).numberingRows)
        #expect(lines[1].drop { $0 == " " }.hasPrefix("1  "), "\(lines)")
    }

    @Test("an empty list has no column for numbers")
    func empty() throws {
        for name in ["tx-list-none", "history-empty", "activity-empty"] {
            let draw = try #require(ScreenTests.screens.first { $0.name == name }).draw
            let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
            #expect(draw(screen.numberingRows) == draw(screen))
        }
    }
}
