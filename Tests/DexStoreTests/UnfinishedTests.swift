import Ethereum
import Testing
import ZeroEx

@testable import DexStore

@Suite("The journal knows what did not come to its end, and leaves no nonce behind")
struct UnfinishedTests {
    private let test = TestJournal()

    @Test("a nonce that was given back is taken next, before those behind it")
    func gap() throws {
        #expect(try test.sign(1, pendingCount: 4).nonce == 4)
        let lost = try test.reserve(pendingCount: 4)
        #expect(lost.nonce == 5)
        #expect(try test.sign(2, pendingCount: 4).nonce == 6)
        // It is held while its process may be signing; then it is free.
        #expect(try test.reserve(pendingCount: 5).nonce == 7)
        let later = TestJournal.now + NonceReservation.lease + 1
        #expect(try test.reserve(pendingCount: 5, now: later).nonce == 5)
        #expect(try test.reserve(pendingCount: 5, now: later).nonce == 7)
    }

    @Test("what was to end in an order is known for that, whatever its command is called")
    func ordersLast() throws {
        for plan in [nil, "{}", JournalIntent.orderPlan] {
            let intent = JournalIntent(
                chainID: 1,
                account: TestJournal.alice,
                command: "any",
                plan: plan,
                created: TestJournal.now
            )
            _ = try test.journal.open(intent)
        }
        let intents = try test.journal.unfinished(chainID: 1).intents
        #expect(intents.map(\.placesOrder) == [false, false, true])
    }

    @Test("whose process has ended is known for that at once, and what it signed with it")
    func ended() throws {
        var other: Journal? = Journal(path: test.path)
        let intent = try #require(try other?.open(TestJournal.intent))
        _ = try test.reserve(other, intent: intent, pendingCount: 4)
        let order = JournalOrder(
            chainID: 1,
            exchange: TestJournal.bob,
            hash: OrderHash(UInt256(1).word),
            maker: TestJournal.alice,
            wire: "{}",
            created: 5,
            isInDoubt: true
        )
        try other?.save(order, at: 7, for: intent)
        try other?.save(order, at: 7, for: intent)
        let closed = try #require(try other?.open(TestJournal.intent))
        try other?.close(intent: closed, exit: 0, at: TestJournal.now)

        let alive = try test.journal.unfinished(chainID: 1)
        #expect(alive.intents.map(\.id) == [intent])
        #expect(alive.intents.map(\.isHeld) == [true])
        #expect(alive.intents.map(\.signed) == [["order"]])
        #expect(alive.reservations.map(\.isHeld) == [true])
        other = nil
        let dead = try test.journal.unfinished(chainID: 1)
        #expect(dead.intents.map(\.isHeld) == [false])
        #expect(dead.reservations.map(\.isHeld) == [false])
    }

    @Test("a node that is behind never makes a mined nonce be used twice")
    func behind() throws {
        try test.sign(1, pendingCount: 9)
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        #expect(try test.reserve(pendingCount: 3).nonce == 10)
    }

    @Test("the last nonce of all is refused, not wrapped round")
    func last() throws {
        let maximum = UInt64(Int64.max)
        try test.sign(1, pendingCount: maximum)
        #expect(throws: JournalError.outOfRange("the nonce")) {
            try test.reserve(pendingCount: maximum)
        }
    }

    @Test("all that is unfinished is told, of every account, and nothing that is done")
    func all() throws {
        let done = try test.journal.open(TestJournal.intent)
        let reservation = try test.reserve(intent: done)
        try test.journal.release(reservation)
        try test.journal.close(intent: done, exit: 0, at: TestJournal.now)
        let empty = try test.journal.open(TestJournal.intent)
        try test.sign(1)
        try test.sign(2)
        try test.journal.record(TestJournal.receipt(1), trades: nil)
        let held = try test.reserve(sender: TestJournal.bob, pendingCount: 3)
        for (number, doubt) in [(UInt64(1), true), (2, false)] {
            try test.journal.save(
                JournalOrder(
                    chainID: 1,
                    exchange: TestJournal.bob,
                    hash: OrderHash(UInt256(number).word),
                    maker: TestJournal.alice,
                    wire: "{}",
                    created: number,
                    isInDoubt: doubt
                )
            )
        }
        let unfinished = try test.journal.unfinished(chainID: 1)
        #expect(unfinished.transactions.map(\.hash) == [TestJournal.hash(2)])
        #expect(unfinished.reservations.map(\.id) == [held.id])
        #expect(unfinished.reservations.map(\.nonce) == [3])
        #expect(unfinished.reservations.map(\.sender) == [TestJournal.bob])
        #expect(
            unfinished.reservations.map(\.lease) == [TestJournal.now + NonceReservation.lease]
        )
        #expect(unfinished.intents.map(\.signed) == [[], ["fill"], ["fill"], []])
        #expect(unfinished.intents.first?.id == empty)
        #expect(unfinished.intents.allSatisfy { $0.isHeld })
        #expect(unfinished.reservations.allSatisfy { $0.isHeld })
        #expect(unfinished.intents.allSatisfy { $0.command == "market-buy" && $0.id != done })
        #expect(unfinished.intents.count == 4)
        #expect(unfinished.orders.map(\.created) == [1])
        let other = try test.journal.unfinished(chainID: 2)
        #expect(
            other
                == JournalUnfinished(transactions: [], reservations: [], intents: [], orders: [])
        )
    }
}
