import Ethereum
import NIOCore
import Testing
import ZeroEx

@testable import DexRelay

/// Snapshots that are made of sides which are encoded once.
@Suite struct FeedSnapshotsTests {
    private let snapshots = FeedSnapshots()

    private func message(
        _ book: OrderBook,
        _ base: Address,
        _ quote: Address,
        limit: Int,
        at horizon: UInt64 = RelayFixture.startTime
    ) -> String {
        let direction = PairDirection(makerToken: base, takerToken: quote)
        let exact = FeedRequest.Exact(
            stream: FeedStreamKey(MarketKey(version: .v1, pair: direction), direction),
            view: .book(base: base, quote: quote),
            wantsSnapshot: true,
            limit: limit,
            since: nil
        )
        let content = book.read { FeedSnapshots.Content(exact, sequence: 7, in: $0) }
        return String(buffer: snapshots.message(content, .v0, at: horizon).body)
    }

    @Test("every limit and view is cut from the same sides, and each says if it is complete")
    func limits() throws {
        let book = OrderBook(.v1)
        for number in 1...5 as ClosedRange<UInt64> {
            let order = PlainOrder(
                number,
                direction: PlainOrder.ask,
                expiry: RelayFixture.startTime + 10 * number
            )
            let entry = try #require(OrderEntry(order, body: Array("{\"n\":\(number)}".utf8)))
            book.apply([BookChange(number, entry)])
        }
        let (base, quote) = (PlainOrder.ask.makerToken, PlainOrder.ask.takerToken)
        func numbers(_ text: String) -> [Int] {
            text.matches(of: #/\{"n":(\d)\}/#).compactMap { Int($0.output.1) }
        }
        let whole = message(book, base, quote, limit: 1_000)
        #expect(numbers(whole).sorted() == [1, 2, 3, 4, 5])
        #expect(whole.contains("\"complete\":true"))
        #expect(whole == message(book, base, quote, limit: 1_000))
        for limit in [1, 2, 4, 5, 999] {
            let text = message(book, base, quote, limit: limit)
            #expect(numbers(text) == Array(numbers(whole).prefix(limit)), "\(limit)")
            #expect(text.contains("\"complete\":\(limit >= 5)"), "\(limit)")
            #expect(text.contains("\"bids\":[],\"asks\":[{"))
        }
        // The same side, seen from the other token.
        let mirrored = message(book, quote, base, limit: 2)
        #expect(numbers(mirrored) == Array(numbers(whole).prefix(2)))
        #expect(mirrored.contains("\"asks\":[]"))
        #expect(snapshots.count == 2)
        // An order that expires leaves it, and one that ends too.
        let later = message(book, base, quote, limit: 1_000, at: RelayFixture.startTime + 10)
        #expect(numbers(later).sorted() == [2, 3, 4, 5])
    }

    @Test("a pair without orders, which is whatever a client names, is not kept")
    func unknownPairs() {
        let book = OrderBook(.v1)
        for number in 1...50 as ClosedRange<UInt64> {
            for limit in [3, 1_000] {
                let text = message(book, SampleOrders.address(number), .zero, limit: limit)
                #expect(text.contains("{\"bids\":[],\"asks\":[]}"))
            }
        }
        #expect(snapshots.count == 0)
    }
}
