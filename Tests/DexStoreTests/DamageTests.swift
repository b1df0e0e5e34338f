import Ethereum
import FoundationEssentials
import GRDB
import Testing
import Uniswap
import ZeroEx

@testable import DexStore

@Suite("A damaged journal is an error, never a trap")
struct DamageTests {
    private static let exchange = TestJournal.address(50)
    private static let target = WatchTarget(
        chainID: 1,
        exchange: exchange,
        account: TestJournal.alice
    )
    private static let events = EventFilter(
        chainID: 1,
        contract: exchange,
        topics: [[UInt256(8).word]]
    )
    private static let activity = ActivityPlace(chainID: 1, account: TestJournal.alice)
    private static let order = OrderHash(UInt256(70).word)
    private static let block = WatchedBlock(number: 5, hash: BlockHash(UInt256(5).word))

    private let test = TestJournal()
    private var journal: Journal { test.journal }

    /// A row in each table that is read.
    private func fill() throws {
        let plan = PlanID(number: 1)
        try journal.add(
            JournalPlan(
                id: plan,
                chainID: 1,
                network: "mainnet",
                account: TestJournal.alice,
                created: TestJournal.now,
                expires: TestJournal.now + 600,
                client: nil,
                request: "{}",
                bounds: "{}",
                shown: "{}",
                why: nil
            )
        )
        let intent = try journal.open(
            JournalIntent(
                chainID: 1,
                account: TestJournal.alice,
                command: "limit",
                plan: "{}",
                created: TestJournal.now,
                tag: "one"
            ),
            claim: .plan(plan)
        )
        let signed = try test.reserve(intent: intent)
        try journal.record(
            raw: [1, 2, 3],
            hash: TestJournal.hash(1),
            for: signed,
            file: "{}",
            now: TestJournal.now
        )
        let fill = ExchangeEvent.filled(
            FillEvent(
                orderHash: Self.order,
                maker: TestJournal.bob,
                taker: TestJournal.alice,
                feeRecipient: TestJournal.bob,
                makerToken: TestJournal.address(3),
                takerToken: TestJournal.address(4),
                makerAmount: 7,
                takerAmount: 8,
                makerFee: 0,
                takerFee: 0
            )
        )
        let receipt = TestJournal.receipt(1)
        let trades = MinedTrades(
            receipt,
            chainID: 1,
            exchange: Self.exchange,
            time: 9,
            events: [TestJournal.logged(fill, at: 2)]
        )
        try journal.record(receipt, trades: trades)
        try journal.record(TestJournal.receipt(1, succeeded: true), trades: nil)
        try test.sign(2)
        _ = try test.reserve()
        try journal.save(
            JournalOrder(
                chainID: 1,
                exchange: Self.exchange,
                hash: Self.order,
                maker: TestJournal.alice,
                wire: "{}",
                created: 5,
                isInDoubt: true
            ),
            at: 3,
            for: intent
        )
        let alert = try journal.add(
            JournalAlert(
                chainID: 1,
                exchange: Self.exchange,
                account: nil,
                condition: .spread(
                    PairAddresses(base: TestJournal.alice, quote: TestJournal.bob),
                    .less,
                    30
                ),
                text: "text",
                isOnce: false,
                created: 7
            )
        )
        _ = try journal.add(
            JournalGuard(
                chainID: 1,
                exchange: Self.exchange,
                account: TestJournal.alice,
                side: .sell,
                pair: PairAddresses(base: TestJournal.alice, quote: TestJournal.bob),
                pairName: "A/B",
                amount: "1",
                trigger: .below,
                price: "0.1",
                slippage: 100,
                limit: "0.09",
                created: 7
            )
        )
        let fired = WatchEvent(
            key: UInt256(6).word,
            kind: .alert,
            amount: .zero,
            alert: FiredAlert(id: alert.id, text: "text", value: "1"),
            place: WatchEvent.Place(block: Self.block, logIndex: nil, time: 9)
        )
        let step = WatchStep(
            subject: Self.target,
            cursor: WatchCursor(first: 1, next: 6, since: 8, recent: [Self.block], version: 0),
            changes: [],
            alerts: [.fired(alert, fired)],
            sinks: ["terminal"],
            now: 10
        )
        #expect(try journal.record(step))
        let log = Log(
            address: Self.exchange,
            topics: [UInt256(8).word],
            data: UInt256(258).bigEndianBytes,
            blockNumber: 5,
            blockHash: Self.block.hash,
            transactionHash: TestJournal.hash(7),
            logIndex: 1
        )
        try journal.keepEvents(
            KeptRange(first: 1, last: Self.block),
            of: [Self.events],
            logs: [log],
            times: [5: 9]
        )
        let moved = ActivityRecord(
            kind: .received,
            block: Self.block,
            position: -1,
            time: 9,
            transaction: TestJournal.hash(3),
            isOwn: false,
            succeeded: true,
            token: TestJournal.alice,
            amount: 1,
            counterparty: nil
        )
        let read = ActivityStep(
            range: KeptRange(first: 1, last: Self.block, anchor: Self.block),
            records: [moved],
            unread: BlockSpans([2...3]),
            reason: "Pruned."
        )
        try journal.keepActivity(read, of: Self.activity)
    }

    /// Every reading, and the writings that read first.
    private static let uses: [@Sendable (Journal) throws -> Void] = [
        { _ = try $0.plan(of: 1) },
        { _ = try $0.orders(chainID: 1, exchange: exchange, maker: TestJournal.alice) },
        { _ = try $0.order(order) },
        {
            _ = try $0.orderHashes(startingWith: "0x", chainID: 1, exchange: exchange, limit: 9)
        },
        {
            _ = try $0.transactionHashes(startingWith: "0x", chainID: 1, onlyOwn: false, limit: 9)
        },
        { _ = try $0.transactions(chainID: 1, sender: nil, limit: 9) },
        { _ = try $0.unsettled(chainID: 1, sender: TestJournal.alice) },
        { _ = try $0.unbooked("fill", chainID: 1, sender: TestJournal.alice) },
        { _ = try $0.lastMined(chainID: 1, sender: TestJournal.alice) },
        { _ = try $0.unfinished(chainID: 1) },
        { _ = try $0.signedFile(of: TestJournal.hash(1)) },
        { _ = try $0.tags(chainID: 1) },
        { _ = try $0.agentPlans() },
        { _ = try $0.signed(for: 1) },
        { _ = try $0.trades(chainID: 1, exchange: exchange, account: TestJournal.alice) },
        { _ = try $0.scan(chainID: 1, exchange: exchange, account: TestJournal.alice) },
        {
            _ = try $0.otherGas(
                chainID: 1,
                sender: TestJournal.alice,
                since: nil,
                hasRollupFee: false
            )
        },
        { _ = try $0.watchCursor(target) },
        { _ = try $0.notedEvents(target, keys: [UInt256(6).word], from: 0) },
        { _ = try $0.pendingMessages(target, sink: "terminal", limit: 9) },
        { _ = try $0.messages(target, after: 0, limit: 9) },
        { _ = try $0.alerts(chainID: 1, exchange: exchange) },
        { _ = try $0.guards(chainID: 1, exchange: exchange) },
        { _ = try $0.rearmGuard(1) },
        { _ = try $0.eventRanges(covering: [events], touching: 0...9) },
        { _ = try $0.events(events, blocks: 0...9) },
        { _ = try $0.noteEventTimes([5: 9], of: [events]) },
        {
            let range = KeptRange(first: 20, last: WatchedBlock(number: 29, hash: block.hash))
            try $0.keepEvents(range, of: [events], logs: [])
            try $0.forgetEvents(EventRange(filter: events, range: range))
        },
        { _ = try $0.activityRanges(activity) },
        { _ = try $0.activityGaps(activity) },
        { _ = try $0.activity(activity, since: 0, limit: 9) },
        { journal in
            try journal.rehearse(
                .posted(order, relay: "other"),
                now: TestJournal.now
            )
        },
        { journal in
            try journal.rehearse(
                .ended(TestJournal.hash(2), .replaced),
                now: TestJournal.now
            )
        },
        { journal in
            try journal.rehearse(
                .included(TestJournal.receipt(2), nil),
                now: TestJournal.now
            )
        },
    ]

    @Test(
        "every column of every table, with every kind of value",
        arguments: [
            "agent_plans", "intents", "plans", "transactions", "signed_files", "receipts", "orders",
            "order_intents", "trade_transactions", "trades", "alerts", "guards", "watches",
            "watch_blocks", "watch_events", "watch_messages", "watch_deliveries",
            "event_subjects", "event_ranges", "events", "activity", "activity_gaps",
        ]
    )
    func columns(table: String) throws {
        try fill()
        for use in Self.uses { try use(journal) }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let file = try DatabaseQueue(path: test.path, configuration: configuration)
        // Without its constraints, as in a file that no version of dex wrote.
        try file.write { database in
            #expect(try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)") != 0)
            try database.execute(
                sql: """
                    CREATE TABLE loose AS SELECT * FROM \(table);
                    DROP TABLE \(table);
                    ALTER TABLE loose RENAME TO \(table);
                    """
            )
        }
        try file.inDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        let columns = try file.read { try $0.columns(in: table).map(\.name) }
        for column in columns {
            for value in ["NULL", "'none'", "x'00ff'", "-1"] {
                try file.inDatabase { database in
                    try database.execute(
                        sql: """
                            CREATE TEMP TABLE before AS SELECT * FROM \(table);
                            UPDATE \(table) SET \(column) = \(value);
                            """
                    )
                }
                for use in Self.uses {
                    do {
                        try use(journal)
                    } catch is JournalError {
                        continue
                    }
                }
                try file.inDatabase { database in
                    try database.execute(
                        sql: """
                            DELETE FROM \(table);
                            INSERT INTO \(table) SELECT * FROM before;
                            DROP TABLE before;
                            """
                    )
                }
            }
        }
    }

    @Test("the error names the column, and not the row")
    func names() throws {
        try fill()
        try DatabaseQueue(path: test.path).write { database in
            let maker = String(repeating: "x", count: 42)
            try database.execute(sql: "UPDATE orders SET maker = ?", arguments: [maker])
        }
        let error = #expect(throws: JournalError.self) { try journal.order(Self.order) }
        guard case .failed(_, let reason) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(reason.contains("column: \"maker\""))
        #expect(!reason.contains("wire"))
    }
}
