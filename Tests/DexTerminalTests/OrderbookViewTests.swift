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

    @Test("a pair of which the relay has no order points to the list of those that it has")
    func noSuchPair() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        for isRaw in [true, false] {
            let state = OrderbookState(
                pair: Fixtures.pair,
                block: 5,
                timestamp: Fixtures.now,
                bids: [],
                asks: [],
                received: 0,
                verified: 0,
                dropped: [],
                isRaw: isRaw,
                depth: nil,
                bidCount: 0,
                askCount: 0,
                bid: nil,
                ask: nil,
                mid: nil
            )
            let text = OrderbookView(state).lines(screen).joined(separator: " ")
            #expect(text.contains("`dex pairs`"))
        }
        let full = OrderbookView(Fixtures.book).lines(screen).joined(separator: " ")
        #expect(!full.contains("`dex pairs`"))
        let price = PriceState(
            pair: Fixtures.pair,
            block: 5,
            bid: nil,
            ask: nil,
            mid: nil,
            quote: nil
        )
        let text = PriceView(price).lines(screen).joined(separator: " ")
        #expect(text.contains("`dex pairs`") && text.contains("`dex orderbook ZRX/WETH`"))
    }
}
