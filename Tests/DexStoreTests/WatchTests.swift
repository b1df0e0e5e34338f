import Ethereum
import GRDB
import Testing
import ZeroEx

@testable import DexStore

@Suite("The journal of what is watched")
struct WatchTests {
    let test = TestJournal()
    private var journal: Journal { test.journal }

    private static let subject = WatchTarget(
        chainID: 1,
        exchange: TestJournal.address(9),
        account: TestJournal.alice
    )

    private static func block(_ number: UInt64, fork: UInt64 = 0) -> WatchedBlock {
        WatchedBlock(number: number, hash: BlockHash(Bytes32(limbs: (1, fork, 0, number))))
    }

    private static func event(
        _ key: UInt64,
        _ kind: WatchEvent.Kind = .fill,
        at block: WatchedBlock = block(5)
    ) -> WatchEvent {
        if kind == .alert {
            return WatchEvent(
                key: UInt256(key).word,
                kind: .alert,
                amount: .zero,
                alert: FiredAlert(id: 3, text: "ZRX/WETH < 0.00074", value: "0.00073"),
                place: WatchEvent.Place(block: block, logIndex: nil, time: 900)
            )
        }
        let isOfOrder = ![.received, .sent, .wrapped, .unwrapped, .trade].contains(kind)
        let isOnChain = !isOfOrder || kind == .fill || kind == .cancel
        return WatchEvent(
            key: UInt256(key).word,
            kind: kind,
            orderHash: isOfOrder ? OrderHash(UInt256(70 + key).word) : nil,
            transaction: isOnChain ? TestJournal.hash(80 + key) : nil,
            token: TestJournal.address(3),
            amount: .max,
            otherToken: isOfOrder || kind == .trade ? TestJournal.address(4) : nil,
            otherAmount: isOfOrder || kind == .trade ? 7 : nil,
            counterparty: isOfOrder ? nil : TestJournal.bob,
            expiry: isOnChain ? nil : .max,
            place: WatchEvent.Place(block: block, logIndex: isOnChain ? 2 : nil, time: 900)
        )
    }

    /// Ether that came in: with a transaction, or from a contract without one.
    private static func ether(_ key: UInt64, isReported: Bool, at block: WatchedBlock) -> WatchEvent
    {
        WatchEvent(
            key: UInt256(key).word,
            kind: .received,
            orderHash: nil,
            transaction: isReported ? TestJournal.hash(80 + key) : nil,
            token: nil,
            amount: 5,
            otherToken: nil,
            otherAmount: nil,
            counterparty: isReported ? TestJournal.bob : nil,
            expiry: nil,
            place: WatchEvent.Place(block: block, logIndex: nil, time: 900)
        )
    }

    private func cursor(_ next: UInt64, version: UInt64, fork: UInt64 = 0) -> WatchCursor {
        WatchCursor(
            first: 1,
            next: next,
            since: 800,
            recent: [Self.block(1), Self.block(next - 1, fork: fork)],
            version: version
        )
    }

    @discardableResult
    private func record(
        _ changes: [WatchStep.Change],
        next: UInt64 = 6,
        version: UInt64,
        sinks: [String] = ["terminal", "webhook"]
    ) throws -> Bool {
        try journal.record(
            WatchStep(
                subject: Self.subject,
                cursor: cursor(next, version: version),
                changes: changes,
                sinks: sinks,
                now: 1_000
            )
        )
    }

    private func pending(_ sink: String = "terminal") throws -> [WatchMessage] {
        try journal.pendingMessages(Self.subject, sink: sink, limit: 20)
    }

    @Test("cursor, events of every kind and messages come out as they went in")
    func keeps() throws {
        #expect(try journal.watchCursor(Self.subject) == nil)
        #expect(try journal.notedEvents(Self.subject, keys: [.zero], from: 0).isEmpty)
        let events =
            WatchEvent.Kind.allCases.enumerated().map { index, kind in
                Self.event(UInt64(index + 1), kind)
            } + [
                Self.ether(90, isReported: true, at: Self.block(5)),
                Self.ether(91, isReported: false, at: Self.block(5)),
            ]
        #expect(try record(events.map { .new($0) }, version: 0))

        // Another process, later.
        let again = Journal(path: test.path)
        #expect(try again.watchCursor(Self.subject) == cursor(6, version: 1))
        let noted = try again.notedEvents(
            Self.subject,
            keys: Set(events.map(\.key)),
            from: 0
        )
        #expect(Set(noted.map(\.event)) == Set(events))
        #expect(noted.allSatisfy { $0.turn == 0 && $0.isStanding })
        let messages = try pending()
        #expect(messages.map(\.event) == events)
        #expect(messages.allSatisfy { $0.phase == .new && $0.noted == 1_000 && $0.attempts == 0 })
        #expect(try pending("webhook") == messages)
        #expect(try pending("command").isEmpty)
        let other = WatchTarget(
            chainID: 1,
            exchange: TestJournal.address(9),
            account: TestJournal.bob
        )
        #expect(try journal.watchCursor(other) == nil)
        #expect(try journal.pendingMessages(other, sink: "terminal", limit: 10).isEmpty)
    }

    @Test("of two readings of the same cursor one is recorded, and the other changes nothing")
    func races() throws {
        #expect(try record([.new(Self.event(1))], version: 0))
        #expect(try !record([.new(Self.event(2))], next: 9, version: 0))
        #expect(try journal.watchCursor(Self.subject)?.next == 6)
        #expect(try pending().map(\.event.key) == [UInt256(1).word])
        #expect(try record([.new(Self.event(2))], next: 9, version: 1))
        #expect(try journal.watchCursor(Self.subject)?.version == 2)
    }

    @Test("a step with one impossible change changes nothing at all")
    func isAtomic() throws {
        #expect(try record([.new(Self.event(1))], version: 0))
        #expect(throws: JournalError.self) {
            try record([.new(Self.event(2)), .new(Self.event(1))], next: 9, version: 1)
        }
        #expect(try journal.watchCursor(Self.subject) == cursor(6, version: 1))
        #expect(try pending().count == 1)
    }

    @Test("an event that comes and goes is told each time under an id of its own")
    func turns() throws {
        try record([.new(Self.event(1))], version: 0)
        let moved = Self.event(1, at: Self.block(7, fork: 1))
        try record([.moved(moved)], version: 1)
        try record([.undone(moved)], version: 2)
        let gone = try journal.notedEvents(Self.subject, keys: [moved.key], from: 0)
        #expect(gone.map(\.turn) == [1])
        // It does not stand any more: only its key finds it.
        #expect(try journal.notedEvents(Self.subject, keys: [], from: 0).isEmpty)
        let back = Self.event(1, at: Self.block(8, fork: 2))
        try record([.restored(back)], version: 3)

        let messages = try pending()
        #expect(messages.map(\.phase) == [.new, .undone, .restored])
        #expect(messages.map(\.event.place.block.number) == [5, 7, 8])
        #expect(Set(messages.map(\.id)).count == 3)
        #expect(Set(messages.map { $0.id.split(separator: "-").first }).count == 1)
        let noted = try journal.notedEvents(Self.subject, keys: [], from: 8)
        #expect(noted.map(\.event) == [back])
        #expect(try journal.notedEvents(Self.subject, keys: [], from: 9).isEmpty)
    }

    @Test("ether that a contract paid comes and goes with its block as all else does")
    func etherTurns() throws {
        let paid = Self.ether(1, isReported: false, at: Self.block(5))
        try record([.new(paid)], version: 0)
        #expect(try journal.notedEvents(Self.subject, keys: [], from: 5).map(\.event) == [paid])
        try record([.undone(paid)], version: 1)
        #expect(try journal.notedEvents(Self.subject, keys: [], from: 0).isEmpty)
        #expect(try pending().map(\.phase) == [.new, .undone])
    }

    @Test("each sink has what it was not told yet, in order")
    func deliveries() throws {
        try record([.new(Self.event(1)), .new(Self.event(2)), .new(Self.event(3))], version: 0)
        let messages = try pending()
        try journal.settle(messages[0], sink: "terminal", as: .delivered)
        try journal.settle(messages[1], sink: "terminal", as: .failed)
        try journal.settle(messages[0], sink: "webhook", as: .pending(nextTry: 1_007))
        try journal.settle(messages[0], sink: "webhook", as: .pending(nextTry: 1_009))
        #expect(try pending().map(\.row) == [messages[2].row])
        let left = try pending("webhook")
        #expect(left.map(\.row) == messages.map(\.row))
        #expect(left.map(\.attempts) == [2, 0, 0])
        #expect(left.map(\.nextTry) == [1_009, 0, 0])
        #expect(try journal.pendingMessages(Self.subject, sink: "webhook", limit: 2).count == 2)
    }

    @Test("a chain that began anew is watched anew")
    func forgets() throws {
        try record([.new(Self.event(1))], version: 0)
        try journal.forgetTransactions(chainID: 1)
        #expect(try journal.watchCursor(Self.subject) == nil)
        #expect(try pending().isEmpty)
        let rows = try journal.read { database in
            try ["watch_blocks", "watch_events", "watch_messages", "watch_deliveries"].map {
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \($0)")
            }
        }
        #expect(rows == [0, 0, 0, 0])
        #expect(try record([.new(Self.event(1))], version: 0))
    }

    @Test(
        "the schema refuses what cannot be",
        arguments: [
            "UPDATE watches SET next = 0",
            "UPDATE watch_events SET standing = 0",
            "UPDATE watch_events SET kind = 'gone'",
            "UPDATE watch_events SET transaction_hash = NULL",
            "UPDATE watch_events SET order_hash = NULL",
            "UPDATE watch_events SET log_index = NULL",
            "UPDATE watch_events SET token = NULL, log_index = NULL",
            "UPDATE watch_events SET kind = 'wrapped'",
            "UPDATE watch_events SET kind = 'received', order_hash = NULL, transaction_hash = NULL, "
                + "log_index = NULL",
            "UPDATE watch_events SET kind = 'received', order_hash = NULL, token = NULL",
            "UPDATE watch_events SET other_amount = NULL",
            "UPDATE watch_deliveries SET state = 'lost'",
            "INSERT INTO watch_messages (event, turn, block, block_hash, time, noted) "
                + "SELECT event, turn, block, block_hash, time, noted FROM watch_messages",
        ]
    )
    func constraints(statement: String) throws {
        try record([.new(Self.event(1))], version: 0)
        #expect(throws: JournalError.self) {
            try journal.write { try $0.execute(sql: statement) }
        }
    }
}
