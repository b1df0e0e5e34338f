import Ethereum
import FoundationEssentials
import GRDB
import Glibc
import Testing

@testable import DexStore

@Suite("Logs, kept once by filters and ranges of blocks")
struct EventTests {
    private let test = TestJournal()
    private static let fill = UInt256(1_001).word
    private static let cancel = UInt256(1_002).word
    private static let alice = TestJournal.alice.word

    private let all = EventFilter(
        chainID: 1,
        contract: TestJournal.address(9),
        topics: [[Self.fill, Self.cancel]]
    )
    private let own = EventFilter(
        chainID: 1,
        contract: TestJournal.address(9),
        topics: [[Self.fill, Self.cancel], [Self.alice]]
    )
    private let pool = EventFilter(
        chainID: 1,
        contract: TestJournal.address(10),
        topics: [[Self.fill]]
    )

    private func log(
        _ block: UInt64,
        log: UInt64 = 0,
        contract: UInt64 = 9,
        topics: [Bytes32] = [Self.fill],
        data: [UInt8] = [],
        time: UInt64? = nil
    ) -> Log {
        Log(
            address: TestJournal.address(contract),
            topics: topics,
            data: data,
            blockNumber: block,
            blockHash: Self.hash(block),
            transactionHash: TestJournal.hash(block),
            logIndex: log,
            blockTimestamp: time
        )
    }

    private static func hash(_ block: UInt64) -> BlockHash { BlockHash(UInt256(block).word) }

    private func range(_ blocks: ClosedRange<UInt64>) -> KeptRange {
        let last = blocks.upperBound
        return KeptRange(
            first: blocks.lowerBound,
            last: WatchedBlock(number: last, hash: Self.hash(last))
        )
    }

    private func keep(
        _ blocks: ClosedRange<UInt64>,
        _ logs: [Log] = [],
        of filters: EventFilter...,
        times: [UInt64: UInt64] = [:],
        maximum: UInt64 = Journal.maximumEvents
    ) throws {
        try test.journal.keepEvents(
            range(blocks),
            of: filters.isEmpty ? [all] : filters,
            logs: logs,
            times: times,
            maximum: maximum
        )
    }

    private func logs(
        _ filter: EventFilter? = nil,
        _ blocks: ClosedRange<UInt64> = 0...UInt64.max
    ) throws -> [Log] {
        try test.journal.events(filter ?? all, blocks: blocks).logs
    }

    private func ranges(
        _ filter: EventFilter? = nil,
        touching blocks: ClosedRange<UInt64> = 0...UInt64.max
    ) throws -> [KeptRange] {
        try test.journal.eventRanges(covering: [filter ?? all], touching: blocks).map(\.range)
    }

    @Test("logs come back as they were, by block and log, in the asked range only")
    func roundTrip() throws {
        let negative = (0 &- UInt256(7)).bigEndianBytes
        let kept = [
            log(4, data: [1, 2, 3]), log(5, topics: [Self.fill, Self.alice, UInt256.max.word]),
            log(5, log: 3, topics: [Self.cancel], data: UInt256(258).bigEndianBytes + negative),
            log(8, data: Array(repeating: 0, count: 64)),
        ]
        try keep(1...9, kept.reversed())
        #expect(try logs() == kept)
        #expect(try logs(nil, 5...7) == Array(kept[1...2]))
        #expect(try ranges() == [range(1...9)])
    }

    @Test("every number of bytes is packed and unpacked, and what was not packed is damage")
    func packing() throws {
        for count in 0...130 {
            for fill: UInt8 in [0, 1, 0x80, 0xff] {
                let bytes = Array(repeating: fill, count: count)
                #expect(Data(packing: bytes).unpacked == bytes)
                let mixed = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 20 * Int(fill)) }
                #expect(Data(packing: mixed).unpacked == mixed)
            }
        }
        #expect(Data(packing: UInt256(258).bigEndianBytes) == Data([2, 1, 2]))
        for damage: [UInt8] in [[1], [33], [0x3f], [0xc0], [0x42, 1], [0x81]] {
            #expect(Data(damage).unpacked == nil)
        }
    }

    @Test("another chain, contract or topic has its own logs, and none is read all the same")
    func apart() throws {
        try keep(1...9, [log(5), log(6, contract: 10)], of: all, pool)
        #expect(try logs() == [log(5)])
        #expect(try logs(pool) == [log(6, contract: 10)])
        let chain = EventFilter(chainID: 2, contract: all.contract, topics: all.topics)
        #expect(try ranges(chain).isEmpty && logs(chain).isEmpty)
        try keep(1...9, [], of: chain)
        #expect(try ranges(chain) == [range(1...9)])
        #expect(try logs().count == 1)
    }

    @Test("what a wider filter has is not asked for again, and each log comes once")
    func covering() throws {
        let mine = log(5, topics: [Self.fill, Self.alice])
        try keep(1...9, [mine, log(6)])
        #expect(try ranges(own) == [range(1...9)])
        #expect(try logs(own) == [mine])
        // The narrower one has other blocks beside.
        let late = log(12, topics: [Self.cancel, Self.alice])
        try keep(8...19, [late], of: own)
        #expect(try ranges(own) == [range(1...9), range(8...19)])
        #expect(try logs(own) == [mine, late])
        let kept = try test.journal.events(own, blocks: 5...25).kept
        #expect(kept.ranges == [5...19])
        #expect(try test.journal.events(all, blocks: 5...25).kept.ranges == [5...9])
        try keep(1...9, [mine], of: own)
        #expect(try logs(own) == [mine, late])
        #expect(try ranges() == [range(1...9)])
    }

    @Test("which filter has all logs of another")
    func covers() {
        func filter(_ contract: Address?, _ topics: [[Bytes32]]) -> EventFilter {
            EventFilter(chainID: 1, contract: contract, topics: topics)
        }
        let contract = TestJournal.address(9)
        #expect(all.covers(all) && all.covers(own) && !own.covers(all) && !all.covers(pool))
        #expect(filter(nil, [[Self.fill]]).covers(filter(contract, [[Self.fill]])))
        #expect(!filter(contract, [[Self.fill]]).covers(filter(nil, [[Self.fill]])))
        #expect(!filter(contract, [[Self.fill]]).covers(all))
        #expect(filter(nil, []).covers(all))
        #expect(filter(nil, [[], [Self.alice]]).covers(own))
        #expect(!filter(nil, [[], [Self.alice]]).covers(filter(nil, [[Self.fill], []])))
        // A position without a word asks for a log with so many topics.
        #expect(!filter(contract, [[Self.fill], []]).covers(filter(contract, [[Self.fill]])))
        #expect(!filter(contract, [[Self.fill], []]).pattern.matches(log(1)))
        for one in [all, own, pool, filter(nil, []), filter(nil, [[], [Self.alice]])] {
            let subject = EventSubject.logs(one)
            #expect(EventSubject(name: subject.name, chainID: 1) == subject)
        }
        let activity = EventSubject.activity(ActivityPlace(chainID: 1, account: contract))
        #expect(EventSubject(name: activity.name, chainID: 1) == activity)
        let target = WatchTarget(chainID: 1, exchange: contract, account: TestJournal.alice)
        let trades = EventSubject.trades(target)
        #expect(EventSubject(name: trades.name, chainID: 1) == trades)
        for name in [
            "", "logs", "logs * 0x12", "logs 0x12 *", "activity x", "other * *", "trades x y",
        ] {
            #expect(EventSubject(name: name, chainID: 1) == nil)
        }
    }

    @Test("a range that is read again replaces what was kept of it")
    func replaced() throws {
        try keep(1...9, [log(3), log(5), log(9)])
        try keep(4...6, [log(6)])
        #expect(try logs().map(\.blockNumber) == [3, 6, 9])
        #expect(try ranges() == [range(1...9)])
    }

    @Test("a log twice, one of another block than was read, and one without a place")
    func hostile() throws {
        let nowhere = Log(address: TestJournal.address(9), topics: [Self.fill], data: [])
        try keep(1...9, [log(5), log(5), log(99), nowhere, log(6, contract: 77)])
        #expect(try logs() == [log(5)])
    }

    @Test("ranges that touch become one, with the hash of the later end")
    func merged() throws {
        try keep(10...19)
        try keep(30...39)
        try keep(50...59)
        #expect(try ranges() == [10...19, 30...39, 50...59].map(range))
        try keep(20...29)
        #expect(try ranges() == [10...39, 50...59].map(range))
        #expect(try ranges(touching: 40...45) == [range(10...39)])
        #expect(try ranges(touching: 41...48).isEmpty)
        try keep(5...70)
        #expect(try ranges() == [range(5...70)])
    }

    @Test("a forgotten range leaves no logs, and others stay")
    func forgotten() throws {
        try keep(1...9, [log(5)])
        try keep(20...29, [log(25)])
        try test.journal.forgetEvents(EventRange(filter: all, range: range(20...29)))
        #expect(try ranges() == [range(1...9)])
        #expect(try logs() == [log(5)])
    }

    @Test("logs of a chain are forgotten above a block, but those of filters that were just read")
    func forgottenAbove() throws {
        let chain = EventFilter(chainID: 2, contract: all.contract, topics: all.topics)
        func fill() throws {
            try keep(1...9, [log(3), log(6), log(6, contract: 10)], of: all, pool, chain)
            try keep(20...29, [log(25)])
            try keep(40...49, [log(45, contract: 10)], of: pool)
        }
        try fill()
        let edge = WatchedBlock(number: 4, hash: Self.hash(4))
        try test.journal.forgetEvents(chainID: 1, above: edge, besides: [pool])
        #expect(try ranges() == [range(1...4)])
        #expect(try logs() == [log(3)])
        #expect(try ranges(pool) == [range(1...9), range(40...49)])
        #expect(try logs(pool).count == 2 && logs(chain).count == 2)
        try fill()
        // Without the block at the edge nothing says what a part would end with.
        let outside = WatchedBlock(number: 30, hash: Self.hash(30))
        try test.journal.forgetEvents(chainID: 1, above: outside, besides: [])
        #expect(try ranges() == [range(1...9), range(20...29)])
        #expect(try ranges(pool) == [range(1...9)])
        try test.journal.forgetEvents(chainID: 1, above: nil, besides: [])
        #expect(try ranges().isEmpty && ranges(pool).isEmpty && logs().isEmpty)
        #expect(try ranges(chain) == [range(1...9)])
    }

    @Test("a damaged log is an error until its range is forgotten, which needs no reading of it")
    func damaged() throws {
        for (damage, words) in [
            ("data = x'01'", "a log whose words cannot be read"),
            ("topics = x'01'", "a log whose words cannot be read"),
            ("topics = x'8101'", "a log with a word of 1 bytes"),
        ] {
            try keep(1...9, [log(5)])
            try test.journal.change("UPDATE events SET \(damage)", [])
            let error = JournalError.damagedRow(words, isOfChain: true)
            #expect(throws: error) { try logs() }
            #expect(error.description == "The journal is damaged: it has \(words).")
            try test.journal.forgetEvents(chainID: 1, above: nil, besides: [])
            #expect(try logs().isEmpty && ranges().isEmpty)
        }
        try keep(1...9, [log(5)])
        #expect(try logs() == [log(5)])
    }

    @Test("a journal in memory keeps logs for its own process, and makes no file")
    func memory() throws {
        let (first, second) = (Journal(), Journal())
        try first.keepEvents(range(1...9), of: [all], logs: [log(5)])
        #expect(try first.events(all, blocks: 0...9).logs == [log(5)])
        #expect(try second.events(all, blocks: 0...9).logs.isEmpty)
        #expect(access(":memory:", F_OK) != 0)
    }

    @Test("times are kept as far as they are known, and noted once where they are not")
    func times() throws {
        try keep(1...9, [log(3, time: 77), log(5), log(6)], times: [5: 1_005])
        // What a node writes into a log is not yet believed.
        #expect(try logs().map(\.blockTimestamp) == [nil, 1_005, nil])
        try test.journal.noteEventTimes([3: 1_003, 5: 9, 8: 1_008], of: [own])
        #expect(try logs().map(\.blockTimestamp) == [1_003, 1_005, nil])
    }

    @Test("beyond the most logs the filter with the most loses its oldest blocks, as not read")
    func pruned() throws {
        try keep(1...9, [log(2, contract: 10)], of: pool)
        try keep(1...9, [log(3), log(3, log: 1), log(5)], maximum: 4)
        #expect(try logs().count == 3)
        try keep(20...29, [log(25)], maximum: 4)
        // Half a block would be a lie: all of block 3 goes.
        #expect(try logs().map(\.blockNumber) == [5, 25])
        let rest = KeptRange(first: 4, last: range(1...9).last)
        #expect(try ranges() == [rest, range(20...29)])
        #expect(try ranges(pool) == [range(1...9)])
        try keep(30...39, [log(30), log(31), log(32)], maximum: 4)
        #expect(try logs().map(\.blockNumber) == [30, 31, 32])
        #expect(try ranges().map(\.blocks) == [26...39])
        #expect(try logs(pool).count == 1)
        try keep(50...59, maximum: 0)
        #expect(try logs().isEmpty && logs(pool).isEmpty)
        #expect(try ranges().map(\.blocks) == [33...39, 50...59])
    }

    @Test("a wrong number of logs, as in a damaged file, is mended and not followed")
    func miscounted() throws {
        try keep(1...9, [log(3), log(5)])
        try test.journal.change("UPDATE event_subjects SET events = 1000000", [])
        try keep(20...29, [log(25)], maximum: 5)
        #expect(try logs().map(\.blockNumber) == [3, 5, 25])
        try test.journal.change("UPDATE event_subjects SET events = 0", [])
        try keep(20...29, [log(25), log(26)], maximum: 5)
        #expect(try logs().count == 4)
    }
}
