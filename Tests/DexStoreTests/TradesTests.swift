import DexStore
import Ethereum
import Testing
import ZeroEx

@Suite("The journal keeps fills and cancels")
struct TradesTests {
    let test = TestJournal()
    static let exchange = TestJournal.address(50)

    private func fill(
        _ order: UInt64,
        maker: Address = TestJournal.bob,
        taker: Address = TestJournal.alice
    ) -> ExchangeEvent {
        .filled(
            FillEvent(
                orderHash: OrderHash(UInt256(order).word),
                maker: maker,
                taker: taker,
                feeRecipient: TestJournal.address(9),
                makerToken: TestJournal.address(10),
                takerToken: TestJournal.address(11),
                makerAmount: .max,
                takerAmount: 1,
                makerFee: 2,
                takerFee: 3
            )
        )
    }

    private func cancel(_ order: UInt64) -> ExchangeEvent {
        .cancelled(
            CancelEvent(
                orderHash: OrderHash(UInt256(order).word),
                maker: TestJournal.bob,
                makerToken: TestJournal.address(10),
                takerToken: TestJournal.address(11),
                makerAmount: 7,
                takerAmount: 8
            )
        )
    }

    private func mined(
        _ number: UInt64,
        block: UInt64 = 77,
        fork: UInt64 = 0,
        time: UInt64? = 1_800,
        _ events: [(ExchangeEvent, UInt64)]
    ) -> MinedTrades {
        MinedTrades(
            chainID: 1,
            exchange: Self.exchange,
            transaction: TestJournal.hash(number),
            sender: TestJournal.alice,
            block: block,
            blockHash: BlockHash(UInt256(block * 10 + fork).word),
            time: time,
            gasUsed: 100_000,
            gasPrice: Wei(5),
            trades: events.compactMap { event, index in
                MinedTrades.Trade(TestJournal.logged(event, at: index))
            }
        )
    }

    private func trades(of account: Address) throws -> [MinedTrades] {
        try test.journal.trades(chainID: 1, exchange: Self.exchange, account: account)
    }

    private func range(
        _ blocks: ClosedRange<UInt64>,
        onlyMaker: Bool,
        of account: Address = TestJournal.bob
    ) -> TradeRange {
        TradeRange(
            chainID: 1,
            exchange: Self.exchange,
            account: account,
            blocks: blocks,
            onlyMaker: onlyMaker
        )
    }

    @Test("what arrived stays, whatever is recorded again without it, and a proof is never lost")
    func arrivals() throws {
        let reported = mined(1, [(fill(1), 4), (cancel(2), 5)])
        var unproven = reported
        unproven.trades[0].takerArrival = .unproven
        var proven = reported
        proven.trades[0].takerArrival = .proven(99)
        proven.trades[0].makerArrival = .proven(.max)
        for (noted, kept) in [
            (reported, reported), (unproven, unproven), (reported, unproven), (proven, proven),
            (reported, proven), (unproven, proven),
        ] {
            try test.journal.note([noted])
            #expect(try trades(of: TestJournal.bob) == [kept])
        }
        // In another block it is another arrival.
        let moved = mined(1, fork: 1, [(fill(1), 4), (cancel(2), 5)])
        try test.journal.note([moved])
        #expect(try trades(of: TestJournal.bob) == [moved])
    }

    @Test("one log that cancels many orders is as many trades")
    func manyOfOneLog() throws {
        let entry = mined(1, [1, 2, 3].map { (cancel($0), 4) })
        #expect(entry.trades.count == 3)
        for _ in 0..<2 {
            try test.journal.note([entry])
            #expect(try trades(of: TestJournal.bob) == [entry])
        }
        let unavailable = TestJournal.logged(
            .cancelSeen(OrderHash(UInt256(9).word), maker: TestJournal.bob),
            at: 4
        )
        #expect(MinedTrades.Trade(unavailable) == nil)
    }

    @Test("fills and cancels come back as they were, by block and log, for maker and taker alike")
    func roundTrip() throws {
        let late = mined(2, block: 78, [(fill(1), 0)])
        let early = mined(1, [(cancel(2), 4), (fill(1), 6)])
        try test.journal.note([late, early])

        #expect(try trades(of: TestJournal.bob) == [early, late])
        #expect(
            try trades(of: TestJournal.alice) == [mined(1, [(fill(1), 6)]), late]
        )
        #expect(try trades(of: TestJournal.address(3)).isEmpty)
        #expect(
            try test.journal.trades(of: OrderHash(UInt256(2).word), chainID: 1)
                == [mined(1, [(cancel(2), 4)])]
        )
        #expect(
            try test.journal.trades(of: OrderHash(UInt256(2).word), chainID: 2).isEmpty
        )
    }

    @Test("skipped orders are no trades, and a transaction without any leaves nothing")
    func nothing() throws {
        let none = mined(1, [(.skipped(OrderHash(UInt256(1).word), .expired), 0)])
        try test.journal.note([none])
        #expect(none.trades.isEmpty)
        #expect(try trades(of: TestJournal.alice).isEmpty)
    }

    @Test("what is noted twice is there once, and a time that is learnt later stays")
    func twice() throws {
        try test.journal.note([mined(1, time: nil, [(fill(1), 6)])])
        try test.journal.note([mined(1, time: 99, [(fill(1), 6)])])
        try test.journal.note([mined(1, time: nil, [(fill(1), 6)])])
        #expect(try trades(of: TestJournal.bob) == [mined(1, time: 99, [(fill(1), 6)])])
    }

    @Test("a transaction that is mined again in another block has its new place only")
    func reorganized() throws {
        try test.journal.note([mined(1, [(fill(1), 6)])])
        let again = mined(1, block: 78, fork: 1, time: nil, [(fill(1), 2)])
        try test.journal.note([again])
        #expect(try trades(of: TestJournal.bob) == [again])
    }

    @Test("a range is replaced as a whole, and nothing outside it is touched")
    func replace() throws {
        let before = mined(1, block: 76, [(fill(1), 0)])
        let wrong = mined(2, block: 77, [(fill(2), 0)])
        let after = mined(3, block: 79, [(fill(3), 0)])
        try test.journal.note([before, wrong, after])
        let right = mined(4, block: 78, [(fill(4), 0)])
        let scan = KeptRange(
            first: 70,
            last: WatchedBlock(number: 78, hash: BlockHash(UInt256(78).word))
        )

        try test.journal.replace(range(77...78, onlyMaker: false), with: [right], scan: scan)

        #expect(try trades(of: TestJournal.bob) == [before, right, after])
        let account = TestJournal.bob
        #expect(
            try test.journal.scan(chainID: 1, exchange: Self.exchange, account: account) == scan
        )
        #expect(
            try test.journal.scan(chainID: 2, exchange: Self.exchange, account: account) == nil
        )

        // The same again writes nothing; another scan does.
        let mark = try test.journal.mark()
        try test.journal.replace(range(77...78, onlyMaker: false), with: [right], scan: scan)
        #expect(try test.journal.mark() == mark)
        try test.journal.replace(range(77...78, onlyMaker: false), with: [wrong], scan: scan)
        #expect(try test.journal.mark() != mark)
        #expect(try trades(of: TestJournal.bob) == [before, wrong, after])
    }

    @Test("a reading of the maker's logs leaves what the account took as it is")
    func onlyMaker() throws {
        let taken = mined(1, [(fill(1), 0)])
        let made = mined(2, [(fill(2, maker: TestJournal.alice, taker: TestJournal.bob), 1)])
        try test.journal.note([taken, made])

        try test.journal.replace(
            range(0...99, onlyMaker: true, of: TestJournal.alice),
            with: [],
            scan: nil
        )

        #expect(try trades(of: TestJournal.alice) == [taken])
    }

    @Test("what is in no block any more has no trades")
    func dropped() throws {
        try test.sign(1)
        let receipt = TestJournal.receipt(1)
        let trades = MinedTrades(
            receipt,
            chainID: 1,
            exchange: Self.exchange,
            time: nil,
            events: [TestJournal.logged(fill(1), at: 0)]
        )
        try test.journal.record(receipt, trades: trades)
        #expect(try self.trades(of: TestJournal.alice) == [trades])

        try test.journal.mark(TestJournal.hash(1), as: .dropped, now: TestJournal.now)

        #expect(try self.trades(of: TestJournal.alice).isEmpty)
    }

    @Test("a receipt that tells of no trade takes away what an earlier one told")
    func reverted() throws {
        try test.sign(1)
        let receipt = TestJournal.receipt(1)
        try test.journal.record(
            receipt,
            trades: MinedTrades(
                receipt,
                chainID: 1,
                exchange: Self.exchange,
                time: nil,
                events: [TestJournal.logged(fill(1), at: 0)]
            )
        )
        try test.journal.record(TestJournal.receipt(1, succeeded: false), trades: nil)
        #expect(try trades(of: TestJournal.alice).isEmpty)
    }

    @Test("a chain that began anew has neither trades nor read logs")
    func forgotten() throws {
        try test.journal.note([mined(1, [(fill(1), 0)])])
        let scan = KeptRange(0...9)
        try test.journal.replace(range(100...100, onlyMaker: true), with: [], scan: scan)

        try test.journal.forgetTransactions(chainID: 1)

        #expect(try trades(of: TestJournal.bob).isEmpty)
        #expect(
            try test.journal.scan(
                chainID: 1,
                exchange: Self.exchange,
                account: TestJournal.bob
            ) == nil
        )
    }

    @Test("numbers that no chain has are refused")
    func outOfRange() throws {
        #expect(throws: JournalError.outOfRange("the block")) {
            try test.journal.note([mined(1, block: 1 << 60, [(fill(1), 0)]).moved(to: .max)])
        }
    }
}

extension MinedTrades {
    fileprivate func moved(to block: UInt64) -> MinedTrades {
        MinedTrades(
            chainID: chainID,
            exchange: exchange,
            transaction: transaction,
            sender: sender,
            block: block,
            blockHash: blockHash,
            time: time,
            gasUsed: gasUsed,
            gasPrice: gasPrice,
            trades: trades
        )
    }
}
