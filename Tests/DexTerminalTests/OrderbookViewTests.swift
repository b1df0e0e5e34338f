import DexTerminal
import Testing

@testable import DexCore

@Suite("The order book on screen")
struct OrderbookViewTests {
    @Test("it fits 40, 80 and 120 columns", arguments: [40, 80, 120])
    func widths(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now + 5)
        let lines = OrderbookView(Fixtures.book).lines(screen)
        for line in lines { #expect(TerminalText.width(of: line) <= width, "\(line)") }
        try expectSnapshot(lines, named: "orderbook-\(width)")
    }

    @Test("asks are red, bids green, and what is not to be taken is dim")
    func colours() throws {
        let screen = Screen(width: 80, style: .marked, now: Fixtures.now)
        try expectSnapshot(OrderbookView(Fixtures.book).lines(screen), named: "orderbook-colours")
    }

    @Test("every width from 1 on is drawn without a line that is too wide", arguments: 1...130)
    func everyWidth(width: Int) {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now)
        let words = 14  // the longest word is never broken
        for line in OrderbookView(Fixtures.book).lines(screen) {
            #expect(TerminalText.width(of: line) <= max(width, words), "\(width): \(line)")
        }
    }
}
