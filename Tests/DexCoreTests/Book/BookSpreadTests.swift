import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The distance of bid and ask")
struct BookSpreadTests {
    @Test(
        "it is a share of the mid, rounded down",
        arguments: [
            (99, 101, 200), (100, 100, 0), (1, 3, 10_000), (74_942, 75_061, 15),
            (1, 1_000_000, 19_999),
        ] as [(UInt64, UInt64, UInt64)]
    )
    func ofMid(bid: UInt64, ask: UInt64, expected: UInt64) throws {
        let low = try #require(Price(quote: .init(bid), base: 100))
        let high = try #require(Price(quote: .init(ask), base: 100))
        #expect(BookSpread.basisPoints(bid: low, ask: high) == expected)
        if bid < ask { #expect(BookSpread.basisPoints(bid: high, ask: low) == nil) }
    }
}
