import Ethereum
import Testing

@testable import DexStore

@Suite("The activity of an account in the journal")
struct ActivityTests {
    let test = TestJournal()
    private let place = ActivityPlace(chainID: 1337, account: TestJournal.alice)

    private static func hash(_ number: UInt64, fork: UInt64 = 0) -> BlockHash {
        BlockHash(UInt256(number &* 1_000 &+ fork &+ 1).word)
    }

    private func record(
        _ block: UInt64,
        _ position: Int64,
        amount: UInt64 = 1
    ) -> ActivityRecord {
        ActivityRecord(
            kind: .received,
            block: WatchedBlock(number: block, hash: Self.hash(block)),
            position: position,
            time: 1_000 + block,
            transaction: nil,
            isOwn: false,
            succeeded: true,
            token: nil,
            amount: UInt256(amount),
            counterparty: nil,
            function: "f",
            gas: Wei(7)
        )
    }

    private func keep(
        _ blocks: ClosedRange<UInt64>,
        _ records: [ActivityRecord],
        unread: [ClosedRange<UInt64>] = [],
        anchor: UInt64? = nil,
        maximum: UInt64 = Journal.maximumEvents
    ) throws {
        let early = anchor ?? blocks.lowerBound
        try test.journal.keepActivity(
            ActivityStep(
                range: KeptRange(
                    first: blocks.lowerBound,
                    last: WatchedBlock(
                        number: blocks.upperBound,
                        hash: Self.hash(blocks.upperBound)
                    ),
                    anchor: WatchedBlock(number: early, hash: Self.hash(early))
                ),
                records: records,
                unread: BlockSpans(unread),
                reason: unread.isEmpty ? nil : "Pruned."
            ),
            of: place,
            maximum: maximum
        )
    }

    private func rows(
        since: UInt64 = 0,
        limit: Int = 100
    ) throws -> [ActivityRecord] {
        try test.journal.activity(place, since: since, limit: limit)
    }

    @Test("records come back as they were, the latest first, from a time on")
    func reading() throws {
        let all = [record(5, -1), record(5, 0), record(5, 3), record(7, 1)]
        try keep(1...9, all)
        #expect(try rows() == all.reversed())
        #expect(try rows(since: 1_006) == [record(7, 1)])
        #expect(try rows(limit: 1) == [record(7, 1)])
        let other = ActivityPlace(chainID: 1, account: TestJournal.alice)
        #expect(try test.journal.activity(other, since: 0, limit: 9).isEmpty)
    }

    @Test("steps that touch are one range with the later end; what is read again is replaced")
    func ranges() throws {
        try keep(1...9, [record(5, 0)], anchor: 4)
        try keep(10...19, [record(12, 0)], anchor: 15)
        var ranges = try test.journal.activityRanges(place)
        #expect(ranges.map(\.blocks) == [1...19])
        #expect(ranges.first?.last.hash == Self.hash(19) && ranges.first?.anchor.number == 15)
        try keep(30...39, [])
        ranges = try test.journal.activityRanges(place)
        #expect(ranges.map(\.blocks) == [1...19, 30...39])
        try keep(12...29, [record(12, 0, amount: 2)])
        #expect(try test.journal.activityRanges(place).map(\.blocks) == [1...39])
        #expect(try rows() == [record(12, 0, amount: 2), record(5, 0)])
    }

    @Test("two records of one place, and one of another block than was read, are not kept twice")
    func hostile() throws {
        try keep(1...9, [record(5, 0), record(5, 0, amount: 2), record(99, 0)])
        #expect(try rows() == [record(5, 0)])
    }

    @Test("ether that was read stays where a node no longer tells of it; gaps close when read")
    func ether() throws {
        try keep(1...9, [record(5, -1), record(6, 2)], unread: [1...3])
        #expect(try test.journal.activityGaps(place).blocks.ranges == [1...3])
        #expect(try test.journal.activityGaps(place).reason == "Pruned.")
        // The logs are read anew; the state of these blocks is gone meanwhile.
        try keep(1...9, [record(6, 2, amount: 3)], unread: [1...9])
        #expect(try rows() == [record(6, 2, amount: 3), record(5, -1)])
        #expect(try test.journal.activityGaps(place).blocks.ranges == [1...3])
        try keep(1...4, [record(2, -1)])
        #expect(try test.journal.activityGaps(place).blocks.isEmpty)
        #expect(try rows().map(\.block.number) == [6, 5, 2])
    }

    @Test("beyond the most records the oldest blocks are forgotten, as not read")
    func pruned() throws {
        try keep(1...9, [record(3, -1), record(3, 0), record(5, 0)], maximum: 3)
        // The same again is no more.
        try keep(1...9, [record(3, -1), record(3, 0), record(5, 0)], maximum: 3)
        #expect(try rows().count == 3)
        try keep(20...29, [record(25, 0)], maximum: 3)
        #expect(try rows().map(\.block.number) == [25, 5])
        #expect(try test.journal.activityRanges(place).map(\.blocks) == [4...9, 20...29])
        let range = try #require(try test.journal.activityRanges(place).last)
        try test.journal.forgetActivity(range, of: place, isAnchored: false)
        try keep(40...49, [record(45, 0), record(46, 0)], maximum: 3)
        #expect(try rows().map(\.block.number) == [46, 45, 5])
    }

    @Test("a reorganization takes what is above the anchor, or all of the range")
    func forgetting() throws {
        try keep(1...9, [record(3, 0), record(6, 0)], unread: [2...8], anchor: 4)
        let range = try #require(try test.journal.activityRanges(place).first)
        try test.journal.forgetActivity(range, of: place, isAnchored: true)
        #expect(try rows() == [record(3, 0)])
        let rest = try #require(try test.journal.activityRanges(place).first)
        #expect(rest.blocks == 1...4 && rest.last == range.anchor)
        #expect(try test.journal.activityGaps(place).blocks.ranges == [2...4])
        try test.journal.forgetActivity(rest, of: place, isAnchored: false)
        #expect(try rows().isEmpty)
        #expect(try test.journal.activityRanges(place).isEmpty)
        #expect(try test.journal.activityGaps(place).blocks.isEmpty)
    }
}
