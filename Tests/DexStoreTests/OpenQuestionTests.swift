import Ethereum
import GRDB
import Testing

@testable import DexStore

@Suite("What was replaced is a question until its nonce's transaction is known")
struct OpenQuestionTests {
    private let test = TestJournal()

    private func open() throws -> [TransactionHash] {
        let unsettled = try test.journal.unsettled(chainID: 1, sender: TestJournal.alice)
        #expect(try test.journal.unfinished(chainID: 1).transactions == unsettled)
        return unsettled.map(\.hash)
    }

    private func mark(_ number: UInt64, _ stage: TransactionStage) throws {
        try test.journal.mark(TestJournal.hash(number), as: stage, now: TestJournal.now)
    }

    @Test("without a known successor it stays one; mined after all, it is settled")
    func unknown() throws {
        try test.sign(1)
        try mark(1, .replaced)
        #expect(try open() == [TestJournal.hash(1)])
        // Its nonce is the next one's, which changes nothing about the question.
        try test.sign(2)
        #expect(try open() == [TestJournal.hash(1), TestJournal.hash(2)])
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        #expect(try !open().contains(TestJournal.hash(1)))
    }

    @Test("a mined transaction of the journal with its nonce answers it, in either direction")
    func known() throws {
        try test.sign(1)
        try mark(1, .replaced)
        try test.sign(2)
        try test.journal.record(TestJournal.receipt(2), trades: nil)
        #expect(try open().isEmpty)
        // A reorganization asks again.
        try mark(2, .reorganized)
        #expect(try open() == [TestJournal.hash(1), TestJournal.hash(2)])
    }

    @Test("the mined transaction of another account or chain answers nothing")
    func others() throws {
        try test.sign(1)
        try mark(1, .replaced)
        let other = try test.reserve(sender: TestJournal.bob)
        try test.journal.record(
            raw: [3],
            hash: TestJournal.hash(3),
            for: other,
            now: TestJournal.now
        )
        try test.journal.mark(TestJournal.hash(3), as: .mined, now: TestJournal.now)
        #expect(try open() == [TestJournal.hash(1)])
    }

    @Test("all transactions with a nonce are found, the oldest first")
    func siblings() throws {
        try test.sign(1)
        try mark(1, .refused)
        try test.sign(2)
        try test.sign(3)
        let found = try test.journal.transactions(
            chainID: 1,
            sender: TestJournal.alice,
            nonce: 0
        )
        #expect(found.map(\.hash) == [TestJournal.hash(1), TestJournal.hash(2)])
    }

    // MARK: Rehearsals

    @Test("a rehearsed step changes nothing")
    func rehearsal() throws {
        try test.sign(1)
        let before = try test.journal.transaction(TestJournal.hash(1))
        try test.journal.rehearse(.included(TestJournal.receipt(1), nil), now: TestJournal.now)
        try test.journal.rehearse(.ended(TestJournal.hash(1), .dropped), now: TestJournal.now)
        #expect(try test.journal.transaction(TestJournal.hash(1)) == before)
        try test.journal.record(.included(TestJournal.receipt(1), nil), now: TestJournal.now)
        #expect(try test.journal.transaction(TestJournal.hash(1))?.stage == .mined)
    }

    @Test("what a step would fail with, its rehearsal fails with")
    func broken() throws {
        try test.sign(1)
        try DatabaseQueue(path: test.path).write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON receipts
                    BEGIN SELECT RAISE(ABORT, 'the file is broken'); END
                    """
            )
        }
        #expect(throws: JournalError.self) {
            try test.journal.rehearse(.included(TestJournal.receipt(1), nil), now: TestJournal.now)
        }
        try test.journal.rehearse(.ended(TestJournal.hash(1), .dropped), now: TestJournal.now)
    }
}
