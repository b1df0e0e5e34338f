import Ethereum
import Testing

@testable import DexStore

@Suite("What is signed and not sent holds its nonce in the journal")
struct HeldTests {
    private let test = TestJournal()

    @discardableResult
    private func hold(_ number: UInt64, pendingCount: UInt64 = 0) throws -> NonceReservation {
        let reservation = try test.reserve(pendingCount: pendingCount)
        try test.journal.record(
            raw: [UInt8(truncatingIfNeeded: number), 2, 3],
            hash: TestJournal.hash(number),
            for: reservation,
            file: "file \(number)\n",
            now: TestJournal.now
        )
        return reservation
    }

    private func row(_ number: UInt64) throws -> JournalTransaction {
        try #require(try test.journal.transaction(TestJournal.hash(number)))
    }

    private func note(_ act: TransactionLife.Act, _ number: UInt64) throws {
        try test.journal.note(act, TestJournal.hash(number), now: TestJournal.now)
    }

    private static func signed(
        nonce: UInt64,
        gasLimit: UInt64 = 21_000
    ) throws -> SignedTransaction {
        SignedTransaction(
            transaction: Transaction(
                chainID: 1,
                nonce: nonce,
                fee: .legacy(gasPrice: Wei(7)),
                gasLimit: gasLimit,
                to: TestJournal.bob
            ),
            signature: try #require(Signature(r: UInt256(1).word, s: UInt256(2).word, yParity: 0)),
            sender: TestJournal.alice
        )
    }

    private func handOver(_ signed: SignedTransaction) throws {
        try test.journal.record(
            handedOver: signed,
            file: "handed over",
            chainID: 1,
            intent: try test.journal.open(TestJournal.intent),
            purpose: "send",
            now: TestJournal.now
        )
    }

    @Test("its nonce, its file and its stage are there at once, and after the process has ended")
    func held() throws {
        #expect(try hold(1, pendingCount: 4).nonce == 4)
        let other = Journal(path: test.path)
        #expect(try other.transaction(TestJournal.hash(1))?.stage == .held)
        #expect(try other.signedFile(of: TestJournal.hash(1)) == "file 1\n")
        #expect(try other.signedFile(of: TestJournal.hash(2)) == nil)
        #expect(try other.unfinished(chainID: 1).transactions.map(\.stage) == [.held])
        // No later command uses its nonce, however long it takes.
        let later = try test.reserve(other, pendingCount: 4, now: TestJournal.now + 9_999_999)
        #expect(later.nonce == 5)
    }

    @Test("only its user releases it, and a refusal of a node holds it again")
    func released() throws {
        try hold(1)
        try note(.refuse, 1)
        #expect(try row(1).stage == .held)
        try note(.release, 1)
        #expect(try row(1).stage == .signed)
        try note(.hold, 1)
        #expect(try row(1).stage == .held)
        try note(.release, 1)
        try note(.send, 1)
        try note(.hold, 1)
        #expect(try row(1).stage == .broadcast)
        #expect(try test.journal.signedFile(of: TestJournal.hash(1)) == "file 1\n")
    }

    @Test("a replacement takes its nonce, held back itself or not")
    func replaced() throws {
        try hold(1)
        let intent = try test.journal.open(TestJournal.intent)
        for (old, new, file) in [(1, 2, "file 2\n"), (2, 3, nil)] as [(UInt64, UInt64, String?)] {
            try test.journal.record(
                raw: [9, UInt8(new)],
                hash: TestJournal.hash(new),
                replacing: TestJournal.hash(old),
                intent: intent,
                purpose: "void-nonce",
                file: file,
                now: TestJournal.now
            )
        }
        #expect(try row(2).stage == .held && row(2).successor == TestJournal.hash(3))
        #expect(try row(3).stage == .signed && row(3).nonce == row(1).nonce)
        try test.journal.record(TestJournal.receipt(3), trades: nil)
        #expect(try row(1).stage == .replaced && row(2).stage == .replaced)
        #expect(try test.reserve().nonce == 1)
    }

    @Test("one that is mined without this journal is settled like any other")
    func minedElsewhere() throws {
        try hold(1)
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        #expect(try row(1).stage == .mined)
        #expect(try test.reserve().nonce == 1)
    }

    @Test("one that was handed over is held until it is released, and recorded once")
    func handedOver() throws {
        let signed = try Self.signed(nonce: 3)
        try handOver(signed)
        try handOver(signed)
        let all = try test.journal.transactions(chainID: 1, sender: TestJournal.alice, limit: 9)
        #expect(all.map(\.hash) == [signed.hash] && all.map(\.stage) == [.held])
        #expect(all.first?.raw == signed.raw && all.first?.nonce == 3)
        #expect(try test.journal.signedFile(of: signed.hash) == "handed over")
        // It is known already: where it stands stays as it is.
        try test.journal.note(.release, signed.hash, now: TestJournal.now)
        try handOver(signed)
        #expect(try test.journal.transaction(signed.hash)?.stage == .signed)
        // A sandbox that was reset takes the same bytes again.
        try test.journal.forgetTransactions(chainID: 1)
        try handOver(signed)
        #expect(try test.journal.transaction(signed.hash)?.stage == .held)
    }

    @Test("of two with one nonce the second is refused, and so never sent")
    func sameNonce() throws {
        try handOver(Self.signed(nonce: 3))
        #expect(throws: JournalError.nonceHeld(nonce: 3)) {
            try handOver(Self.signed(nonce: 3, gasLimit: 22_000))
        }
        let all = try test.journal.transactions(chainID: 1, sender: nil, limit: 9)
        #expect(all.count == 1)
    }
}
