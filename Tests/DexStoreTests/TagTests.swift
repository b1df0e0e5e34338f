import Ethereum
import Testing
import ZeroEx

@testable import DexStore

@Suite("The user's own words for what was sent")
struct TagTests {
    private let test = TestJournal()

    private func open(_ tag: String?, chainID: UInt64 = 1) throws -> Int64 {
        try test.journal.open(
            JournalIntent(
                chainID: chainID,
                account: TestJournal.alice,
                command: "market-buy",
                plan: nil,
                created: TestJournal.now,
                tag: tag
            )
        )
    }

    private func sign(_ number: UInt64, intent: Int64) throws {
        let reservation = try test.reserve(intent: intent, pendingCount: number)
        try test.journal.record(
            raw: [UInt8(number)],
            hash: TestJournal.hash(number),
            for: reservation,
            now: TestJournal.now
        )
    }

    @Test("transactions of an intent have its tag, and others have none")
    func transactions() throws {
        try sign(1, intent: try open("rebalance"))
        try sign(2, intent: try open(nil))
        let tags = try test.journal.tags(chainID: 1)
        #expect(tags.transactions == [TestJournal.hash(1): "rebalance"])
        #expect(tags.orders.isEmpty)
        #expect(try test.journal.tags(chainID: 5).transactions.isEmpty)
    }

    @Test("what replaces a transaction, and what replaces that, has its tag")
    func replaced() throws {
        try sign(1, intent: try open("rebalance"))
        for number in 2...3 as ClosedRange<UInt64> {
            try test.journal.record(
                raw: [UInt8(number)],
                hash: TestJournal.hash(number),
                replacing: TestJournal.hash(number - 1),
                intent: try open(nil),
                purpose: "fill",
                now: TestJournal.now
            )
        }
        let tags = try test.journal.tags(chainID: 1).transactions
        #expect(tags.count == 3 && tags.values.allSatisfy { $0 == "rebalance" })
        #expect(tags[TestJournal.hash(3)] == "rebalance")
    }

    @Test("an order has the tag of the latest intent that posted it")
    func orders() throws {
        let hash = OrderHash(TestJournal.hash(50).word)
        for tag in ["first", nil, "last", nil] as [String?] {
            try test.journal.save(
                JournalOrder(
                    chainID: 1,
                    exchange: TestJournal.address(50),
                    hash: hash,
                    maker: TestJournal.alice,
                    wire: "{}",
                    created: TestJournal.now
                ),
                for: try open(tag)
            )
        }
        #expect(try test.journal.tags(chainID: 1).orders == [hash: "last"])
    }

    @Test("a tag that is too long is not written, whoever sends it")
    func bounds() throws {
        for tag in ["", String(repeating: "x", count: 65)] {
            #expect(throws: JournalError.self) { try open(tag) }
        }
        #expect(try open(String(repeating: "x", count: 64)) > 0)
    }
}
