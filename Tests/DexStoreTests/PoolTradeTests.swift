import DexStore
import Ethereum
import Testing
import Uniswap

@Suite("Trades with pools, kept by ranges of blocks")
struct PoolTradeTests {
    private let test = TestJournal()
    private let pool = MarketPlace(chainID: 1, contract: TestJournal.address(9))
    private let other = MarketPlace(chainID: 1, contract: TestJournal.address(10))

    private func trade(
        _ block: UInt64,
        log: UInt64 = 0,
        after: PoolMark? = .sqrtPrice(UInt256(1) << 159)
    ) -> KeptPoolTrade {
        KeptPoolTrade(
            block: block,
            logIndex: log,
            time: 1_000 + block,
            transaction: TestJournal.hash(block),
            recipient: TestJournal.bob,
            sellsToken0: block.isMultiple(of: 2),
            sold: .max,
            bought: 7,
            after: after
        )
    }

    private func range(_ blocks: ClosedRange<UInt64>) -> MarketRange {
        MarketRange(blocks: blocks, lastHash: BlockHash(UInt256(blocks.upperBound).word))
    }

    private func keep(
        _ blocks: ClosedRange<UInt64>,
        _ trades: [KeptPoolTrade],
        most: Int = Journal.mostPoolTrades
    ) throws {
        try test.journal.keepPools(
            range(blocks),
            chainID: 1,
            trades: [pool.contract: trades],
            most: most
        )
    }

    private func trades(
        _ blocks: ClosedRange<UInt64> = 0...UInt64.max,
        limit: Int = 99
    ) throws -> [KeptPoolTrade] {
        try test.journal.poolTrades(pool, blocks: blocks, limit: limit)
    }

    @Test("trades come back as they were, by block and log, in the asked range only")
    func roundTrip() throws {
        let all = [
            trade(4), trade(5, after: nil), trade(5, log: 3, after: .reserves(0, .max >> 16)),
            trade(8, after: .sqrtPrice(4_295_128_739)),
        ]
        try keep(1...9, all.reversed())
        #expect(try trades() == all)
        #expect(try trades(5...7) == Array(all[1...2]))
        #expect(try trades(limit: 2) == Array(all[2...]))
        #expect(try test.journal.marketRanges(pool) == [range(1...9)])
    }

    @Test("pools are kept apart, and one that was not traded with is read all the same")
    func apart() throws {
        try test.journal.keepPools(
            range(1...9),
            chainID: 1,
            trades: [pool.contract: [trade(5)], other.contract: []]
        )
        #expect(try test.journal.marketRanges(other) == [range(1...9)])
        #expect(try test.journal.poolTrades(other, blocks: 0...99, limit: 9).isEmpty)
        #expect(try trades().count == 1)
        let elsewhere = MarketPlace(chainID: 2, contract: pool.contract)
        #expect(try test.journal.marketRanges(elsewhere).isEmpty)
        #expect(try test.journal.poolTrades(elsewhere, blocks: 0...99, limit: 9).isEmpty)
    }

    @Test("a range that is read again replaces its trades; a forgotten one leaves none")
    func replaced() throws {
        try keep(1...9, [trade(3), trade(5), trade(9)])
        try keep(4...6, [trade(6)])
        #expect(try trades().map(\.block) == [3, 6, 9])
        try keep(20...29, [trade(25)])
        try test.journal.forgetMarket(range(1...9), of: pool)
        #expect(try trades().map(\.block) == [25])
        #expect(try test.journal.marketRanges(pool) == [range(20...29)])
    }

    @Test("beyond the most trades of a pool its oldest blocks are forgotten, as not read")
    func pruned() throws {
        try keep(1...9, [trade(3), trade(3, log: 1), trade(5)], most: 3)
        #expect(try trades().count == 3)
        try keep(20...29, [trade(25)], most: 3)
        // Half a block would be a lie: all of block 3 goes.
        #expect(try trades().map(\.block) == [5, 25])
        #expect(
            try test.journal.marketRanges(pool)
                == [MarketRange(blocks: 4...9, lastHash: range(1...9).lastHash), range(20...29)]
        )
        try keep(30...39, [trade(30), trade(31), trade(32)], most: 3)
        #expect(try trades().map(\.block) == [30, 31, 32])
        #expect(try test.journal.marketRanges(pool).map(\.blocks) == [26...39])
    }
}
