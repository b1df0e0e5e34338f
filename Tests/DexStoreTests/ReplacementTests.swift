import Ethereum
import Testing

@testable import DexStore

@Suite("The journal tells what was undone and what took whose place")
struct ReplacementTests {
    private let test = TestJournal()

    private func status(_ number: UInt64) throws -> TransactionStage? {
        try test.journal.transaction(TestJournal.hash(number))?.stage
    }

    private func replace(_ old: UInt64, with new: UInt64) throws {
        let intent = try test.journal.open(TestJournal.intent)
        try test.journal.record(
            raw: [9],
            hash: TestJournal.hash(new),
            replacing: TestJournal.hash(old),
            intent: intent,
            purpose: "cancel",
            now: TestJournal.now
        )
    }

    @Test("a reorganization takes receipt and fills away, keeps the block, and unsettles it")
    func reorganized() throws {
        try test.sign(1)
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        try test.journal.mark(TestJournal.hash(1), as: .reorganized, now: TestJournal.now)
        let unsettled = try test.journal.unsettled(chainID: 1, sender: TestJournal.alice)
        #expect(unsettled.map(\.stage) == [.reorganized])
        #expect(unsettled.map(\.reorgedFromBlock) == [77])
        #expect(unsettled.map(\.block) == [nil])
        #expect(try test.journal.lastMined(chainID: 1, sender: TestJournal.alice) == nil)
        // It still holds its nonce.
        #expect(try test.reserve().nonce == 1)
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        #expect(try status(1) == .mined)
    }

    @Test("what never was in a block cannot be taken out of one")
    func neverMined() throws {
        try test.sign(1)
        #expect(throws: JournalError.self) {
            try test.journal.mark(TestJournal.hash(1), as: .reorganized, now: TestJournal.now)
        }
        #expect(try status(1) == .signed)
    }

    @Test("a successor has the same nonce, and the link is read both ways")
    func links() throws {
        try test.sign(1, pendingCount: 4)
        try replace(1, with: 2)
        let old = try #require(try test.journal.transaction(TestJournal.hash(1)))
        let new = try #require(try test.journal.transaction(TestJournal.hash(2)))
        #expect(old.successor == new.hash && old.predecessor == nil)
        #expect(new.predecessor == old.hash && new.successor == nil)
        #expect(new.nonce == 4 && new.purpose == "cancel" && new.stage == .signed)
        let unsettled = try test.journal.unsettled(chainID: 1, sender: TestJournal.alice)
        #expect(unsettled.map(\.hash) == [old.hash, new.hash])
        #expect(try test.reserve(pendingCount: 4).nonce == 5)
    }

    @Test("only the last of a line is replaced, and nothing that is settled or unknown")
    func once() throws {
        try test.sign(1)
        try replace(1, with: 2)
        #expect(throws: JournalError.notReplaceable(TestJournal.hash(1))) {
            try replace(1, with: 3)
        }
        try replace(2, with: 3)
        try test.journal.record(TestJournal.receipt(3), trades: nil)
        #expect(throws: JournalError.notReplaceable(TestJournal.hash(3))) {
            try replace(3, with: 4)
        }
        #expect(throws: JournalError.notReplaceable(TestJournal.hash(77))) {
            try replace(77, with: 4)
        }
        #expect(try status(4) == nil)
    }

    @Test("a successor that no node would have leaves the line as if it never was")
    func refused() throws {
        try test.sign(1)
        try replace(1, with: 2)
        try replace(2, with: 3)
        try test.journal.mark(TestJournal.hash(2), as: .refused, now: TestJournal.now)
        #expect(try test.journal.transaction(TestJournal.hash(1))?.successor == TestJournal.hash(3))
        try test.journal.mark(TestJournal.hash(3), as: .refused, now: TestJournal.now)
        #expect(try test.journal.transaction(TestJournal.hash(1))?.successor == nil)
        // Signatures are deterministic: the same successor may be made again.
        try replace(1, with: 3)
        #expect(try test.journal.transaction(TestJournal.hash(1))?.successor == TestJournal.hash(3))
        #expect(try status(3) == .signed)
    }
}
