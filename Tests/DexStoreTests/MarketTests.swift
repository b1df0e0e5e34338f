import DexStore
import Ethereum
import Testing
import ZeroEx

@Suite("All fills of an exchange, kept by ranges of blocks")
struct MarketTests {
    private let test = TestJournal()
    private let place = MarketPlace(chainID: 1, contract: TestJournal.address(9))
    private let zrx = TestJournal.address(20)
    private let weth = TestJournal.address(21)

    private func fill(
        _ block: UInt64,
        log: UInt64 = 0,
        sells: Address? = nil,
        for bought: Address? = nil
    ) -> MarketFill {
        MarketFill(
            block: block,
            logIndex: log,
            time: 1_000 + block,
            transaction: TestJournal.hash(block),
            orderHash: OrderHash(UInt256(block).word),
            maker: TestJournal.alice,
            taker: TestJournal.bob,
            makerToken: sells ?? zrx,
            takerToken: bought ?? weth,
            makerAmount: .max,
            takerAmount: 7
        )
    }

    private func keep(
        _ blocks: ClosedRange<UInt64>,
        _ fills: [MarketFill] = [],
        of other: MarketPlace? = nil
    ) throws {
        try test.journal.keepMarket(range(blocks), of: other ?? place, fills: fills)
    }

    private func range(_ blocks: ClosedRange<UInt64>) -> MarketRange {
        MarketRange(
            blocks: blocks,
            lastHash: BlockHash(UInt256(blocks.upperBound).word)
        )
    }

    private func fills(
        _ blocks: ClosedRange<UInt64> = 0...UInt64.max,
        tokens: (Address, Address)? = nil,
        limit: Int = 99
    ) throws -> [MarketFill] {
        try test.journal.marketFills(place, tokens: tokens, blocks: blocks, limit: limit)
    }

    @Test("fills come back as they were, by block and log, in the asked range and pair only")
    func roundTrip() throws {
        let dai = TestJournal.address(22)
        let all = [
            fill(5), fill(5, log: 3), fill(7, sells: weth, for: zrx), fill(8, sells: dai),
        ]
        try keep(1...9, all.reversed())
        #expect(try fills() == all)
        #expect(try fills(6...8) == Array(all[2...]))
        #expect(try fills(tokens: (weth, zrx)) == Array(all[..<3]))
        #expect(try fills(tokens: (dai, weth)) == [all[3]])
        // A limit leaves the latest ones.
        #expect(try fills(limit: 2) == Array(all[2...]))
    }

    @Test("another chain or exchange has its own fills")
    func apart() throws {
        try keep(1...9, [fill(5)])
        let chain = MarketPlace(chainID: 2, contract: place.contract)
        let exchange = MarketPlace(chainID: 1, contract: TestJournal.address(10))
        for other in [chain, exchange] {
            #expect(try test.journal.marketRanges(other).isEmpty)
            try keep(1...9, [], of: other)
        }
        #expect(try fills().count == 1)
    }

    @Test("a range that is read again replaces what was kept of it")
    func replaced() throws {
        try keep(1...9, [fill(3), fill(5), fill(9)])
        try keep(4...6, [fill(6)])
        #expect(try fills().map(\.block) == [3, 6, 9])
        #expect(try test.journal.marketRanges(place) == [range(1...9)])
    }

    @Test("ranges that touch become one, with the hash of the later end")
    func merged() throws {
        try keep(10...19)
        try keep(30...39)
        try keep(50...59)
        #expect(try test.journal.marketRanges(place) == [10...19, 30...39, 50...59].map(range))
        try keep(20...29)
        #expect(try test.journal.marketRanges(place) == [10...39, 50...59].map(range))
        try keep(5...70)
        #expect(try test.journal.marketRanges(place) == [range(5...70)])
    }

    @Test("a forgotten range leaves no fills, and others stay")
    func forgotten() throws {
        try keep(1...9, [fill(5)])
        try keep(20...29, [fill(25)])
        try test.journal.forgetMarket(range(20...29), of: place)
        #expect(try test.journal.marketRanges(place) == [range(1...9)])
        #expect(try fills().map(\.block) == [5])
    }
}
