import Ethereum
import Testing

@testable import DexStore

@Suite("What a node refused stays alive in the journal")
struct RefusedTests {
    private let test = TestJournal()

    private func row(_ number: UInt64) throws -> JournalTransaction {
        try #require(try test.journal.transaction(TestJournal.hash(number)))
    }

    private func mark(_ number: UInt64, _ status: TransactionStage) throws {
        try test.journal.mark(TestJournal.hash(number), as: status, now: TestJournal.now)
    }

    @Test("it is unsettled, and its nonce is the next one's whatever the node's pool counts")
    func nonce() throws {
        try test.sign(1, pendingCount: 4)
        try mark(1, .refused)
        let unsettled = try test.journal.unsettled(chainID: 1, sender: TestJournal.alice)
        #expect(unsettled.map(\.hash) == [TestJournal.hash(1)])
        #expect(try test.journal.unfinished(chainID: 1).transactions.map(\.stage) == [.refused])
        for count: UInt64 in [4, 5, 9] {
            let next = try test.reserve(pendingCount: count)
            #expect(next.nonce == 4)
            // A second process does not get the same one.
            let other = try test.reserve(pendingCount: count)
            #expect(other.nonce == max(count, 5))
            try test.journal.release(next)
            try test.journal.release(other)
        }
    }

    @Test("a nonce below one that was mined is never given out again")
    func passed() throws {
        try test.sign(1, pendingCount: 4)
        try mark(1, .refused)
        try test.sign(2, pendingCount: 4)
        #expect(try row(2).nonce == 4)
        try test.journal.record(TestJournal.receipt(2), trades: nil)
        #expect(try row(1).stage == .replaced)
        #expect(try test.reserve(pendingCount: 4).nonce == 5)
    }

    @Test("one that turns up takes its nonce back from what was signed with it meanwhile")
    func revived() throws {
        try test.sign(1)
        try mark(1, .refused)
        try test.sign(2)
        try mark(2, .broadcast)
        #expect(try row(1).nonce == 0 && row(2).nonce == 0)
        try mark(1, .broadcast)
        #expect(try row(2).successor == TestJournal.hash(1))
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        #expect(try row(1).stage == .mined)
        #expect(try test.journal.lastMined(chainID: 1, sender: TestJournal.alice)?.nonce == 0)
        #expect(try test.reserve().nonce == 1)
    }

    @Test("the receipt of one settles all others with its nonce")
    func receipt() throws {
        for number: UInt64 in 1...3 {
            try test.sign(number)
            try mark(number, .refused)
        }
        try test.sign(4)
        try test.journal.record(TestJournal.receipt(2), trades: nil)
        #expect(
            try (1...4).map { try row($0).stage } == [.replaced, .mined, .replaced, .replaced]
        )
        #expect(try row(4).successor == TestJournal.hash(2))
    }

    @Test("who only reserved the nonce of one that turns up cannot record bytes with it")
    func reserved() throws {
        try test.sign(1)
        try mark(1, .refused)
        let reservation = try test.reserve()
        #expect(reservation.nonce == 0)
        try mark(1, .broadcast)
        #expect(throws: JournalError.reservationLost(nonce: 0)) {
            try test.journal.record(
                raw: [1],
                hash: TestJournal.hash(2),
                for: reservation,
                now: TestJournal.now
            )
        }
    }

    @Test("it can be replaced, unless another with its nonce is alive")
    func replaced() throws {
        try test.sign(1)
        try mark(1, .refused)
        let intent = try test.journal.open(TestJournal.intent)
        func replace(with number: UInt64) throws {
            try test.journal.record(
                raw: [9],
                hash: TestJournal.hash(number),
                replacing: TestJournal.hash(1),
                intent: intent,
                purpose: "void",
                now: TestJournal.now
            )
        }
        try test.sign(2)
        #expect(throws: JournalError.notReplaceable(TestJournal.hash(1))) { try replace(with: 3) }
        try mark(2, .refused)
        try replace(with: 3)
        #expect(try row(1).successor == TestJournal.hash(3))
        // All three lead to what is mined.
        try test.journal.record(TestJournal.receipt(2), trades: nil)
        #expect(try row(2).stage == .mined)
        #expect(try row(3).successor == TestJournal.hash(2))
    }
}
