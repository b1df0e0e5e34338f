import DexStore
import Ethereum
import FoundationEssentials
import Testing

@Suite("Nonces are handed out once")
struct NonceTests {
    @Test("the first nonce is the node's pending count")
    func first() throws {
        let test = TestJournal()
        #expect(try test.reserve(pendingCount: 7).nonce == 7)
    }

    @Test("the floor is above everything that the journal has in flight")
    func floor() throws {
        let test = TestJournal()
        #expect(try test.sign(1, pendingCount: 7).nonce == 7)
        #expect(try test.sign(2, pendingCount: 7).nonce == 8)
        #expect(try test.reserve(pendingCount: 7).nonce == 9)
        #expect(try test.reserve(pendingCount: 20).nonce == 20)
    }

    @Test("accounts and chains do not share nonces")
    func separate() throws {
        let test = TestJournal()
        try test.sign(1, pendingCount: 3)
        #expect(try test.reserve(chainID: 2, pendingCount: 3).nonce == 3)
        #expect(try test.reserve(sender: TestJournal.bob, pendingCount: 3).nonce == 3)
    }

    @Test("two journals on one file at once never get the same nonce")
    func twoProcesses() async throws {
        let test = TestJournal()
        let intent = try test.journal.open(TestJournal.intent)
        let path = test.path
        let nonces = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let own = Journal(path: path)
                    return try (0..<25).map { _ in
                        try own.reserveNonce(
                            intent: intent,
                            purpose: "fill",
                            chainID: 1,
                            sender: TestJournal.alice,
                            pendingCount: 0,
                            now: TestJournal.now
                        ).nonce
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(nonces.sorted() == (0..<100).map { UInt64($0) })
    }

    @Test("processes that make the journal at once all get it whole")
    func beginning() async throws {
        for _ in 0..<20 {
            let path = TestJournal().path
            let intents = try await withThrowingTaskGroup(of: Int64.self) { group in
                for _ in 0..<6 {
                    group.addTask { try Journal(path: path).open(TestJournal.intent) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(intents.sorted() == [1, 2, 3, 4, 5, 6])
        }
    }

    @Test("a nonce that was given back is used again")
    func release() throws {
        let test = TestJournal()
        let reservation = try test.reserve()
        try test.journal.release(reservation)
        #expect(try test.reserve().nonce == 0)
    }

    @Test("a signed nonce cannot be given back")
    func signedStays() throws {
        let test = TestJournal()
        let reservation = try test.sign(1)
        try test.journal.release(reservation)
        #expect(try test.reserve().nonce == 1)
    }

    @Test("a reservation that lapsed unsigned frees its nonce, and its bytes are refused")
    func lapsed() throws {
        let test = TestJournal()
        let slow = try test.reserve()
        let later = TestJournal.now + NonceReservation.lease
        #expect(try test.reserve(now: later).nonce == 1)
        #expect(try test.reserve(now: later + 1).nonce == 0)
        #expect(throws: JournalError.reservationLost(nonce: 0)) {
            try test.journal.record(
                raw: [1],
                hash: TestJournal.hash(1),
                for: slow,
                now: later + 1
            )
        }
    }

    @Test(
        "a reservation of a process that ended frees its nonce at once, and its bytes are refused"
    )
    func ended() throws {
        let test = TestJournal()
        var other: Journal? = Journal(path: test.path)
        let intent = try #require(try other?.open(TestJournal.intent))
        let lost = try test.reserve(other, intent: intent)
        #expect(lost.nonce == 0)
        #expect(try test.reserve().nonce == 1)
        other = nil
        #expect(try test.reserve().nonce == 0)
        #expect(throws: JournalError.reservationLost(nonce: 0)) {
            try test.journal.record(
                raw: [1],
                hash: TestJournal.hash(1),
                for: lost,
                now: TestJournal.now
            )
        }
    }

    @Test("a command that cannot say that it lives is not begun")
    func noHold() throws {
        let test = TestJournal()
        // So that the journal itself is there.
        _ = try test.journal.unfinished(chainID: 1)
        try FileManager.default.createDirectory(
            atPath: "\(test.path)-held",
            withIntermediateDirectories: false
        )
        let path = "\(test.path)-held"
        #expect(throws: JournalError.notWritable(path: path, reason: "Is a directory")) {
            try test.journal.open(TestJournal.intent)
        }
        #expect(try test.journal.unfinished(chainID: 1).intents.isEmpty)
    }

    @Test("a refused transaction frees its nonce; dropped, mined and reverted ones do not")
    func statuses() throws {
        for (status, next) in [
            (TransactionStage.refused, 0), (.replaced, 0), (.forgotten, 0), (.broadcast, 1),
            (.dropped, 1), (.mined, 1), (.reverted, 1),
        ] as [(TransactionStage, UInt64)] {
            let test = TestJournal()
            try test.sign(1)
            try test.journal.mark(TestJournal.hash(1), as: status, now: TestJournal.now)
            #expect(try test.reserve().nonce == next, "\(status)")
        }
    }

    @Test("the same bytes may be recorded again once their nonce became free")
    func sameBytesAgain() throws {
        let test = TestJournal()
        try test.sign(1)
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        try test.journal.forgetTransactions(chainID: 1)
        try test.sign(1)
        #expect(try test.journal.transaction(TestJournal.hash(1))?.stage == .signed)
    }

    @Test("numbers beyond 63 bits are errors, never traps")
    func hostileNumbers() throws {
        let test = TestJournal()
        #expect(throws: JournalError.outOfRange("the nonce")) {
            try test.reserve(pendingCount: .max)
        }
        #expect(throws: JournalError.outOfRange("the time")) { try test.reserve(now: .max) }
        #expect(throws: JournalError.outOfRange("the time")) {
            try test.reserve(now: UInt64(Int64.max))
        }
        #expect(throws: JournalError.outOfRange("the chain id")) {
            try test.journal.unsettled(chainID: .max, sender: TestJournal.alice)
        }
        #expect(try test.reserve(pendingCount: UInt64(Int64.max)).nonce == UInt64(Int64.max))
        #expect(throws: JournalError.outOfRange("the nonce")) {
            try test.reserve(pendingCount: UInt64(Int64.max))
        }
    }
}
