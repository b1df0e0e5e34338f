import DexStore
import Ethereum
import Testing
import ZeroEx

@Suite("The journal keeps what was signed")
struct JournalTests {
    @Test("signed bytes come back exactly after the file is opened anew")
    func durable() throws {
        let test = TestJournal()
        try test.sign(9, pendingCount: 4)
        let again = Journal(path: test.path)
        let unsettled = try again.unsettled(chainID: 1, sender: TestJournal.alice)
        #expect(unsettled.map(\.raw) == [[9, 2, 3]])
        #expect(unsettled.map(\.hash) == [TestJournal.hash(9)])
        #expect(unsettled.map(\.nonce) == [4])
        #expect(unsettled.map(\.stage) == [.signed])
        #expect(unsettled.map(\.purpose) == ["fill"])
        #expect(unsettled.map(\.sender) == [TestJournal.alice])
    }

    @Test("a receipt settles its transaction, and a later one takes its place")
    func receipts() throws {
        let test = TestJournal()
        try test.sign(1)
        let fill = FillEvent(
            orderHash: OrderHash(UInt256(3).word),
            maker: TestJournal.bob,
            taker: TestJournal.alice,
            feeRecipient: .zero,
            makerToken: TestJournal.address(10),
            takerToken: TestJournal.address(11),
            makerAmount: .max,
            takerAmount: 1,
            makerFee: 0,
            takerFee: 0
        )
        let receipt = TestJournal.receipt(1)
        let trades = MinedTrades(
            receipt,
            chainID: 1,
            exchange: TestJournal.address(50),
            time: nil,
            events: [2, 3].map { TestJournal.logged(.filled(fill), at: $0) }
        )
        try test.journal.record(receipt, trades: trades)
        #expect(
            try test.journal.trades(of: OrderHash(UInt256(3).word), chainID: 1) == [trades]
        )
        #expect(try test.journal.unsettled(chainID: 1, sender: TestJournal.alice).isEmpty)
        let mined = try test.journal.lastMined(chainID: 1, sender: TestJournal.alice)
        #expect(mined?.stage == .mined)
        #expect(mined?.block == 77)
        try test.journal.record(TestJournal.receipt(1, succeeded: false), trades: nil)
        #expect(try test.journal.transaction(TestJournal.hash(1))?.stage == .reverted)
    }

    @Test("unsettled transactions are in the order of their nonces")
    func unsettled() throws {
        let test = TestJournal()
        try test.sign(5)
        try test.sign(3)
        try test.sign(4)
        try test.journal.mark(TestJournal.hash(3), as: .broadcast, now: TestJournal.now)
        try test.journal.mark(TestJournal.hash(4), as: .replaced, now: TestJournal.now)
        let unsettled = try test.journal.unsettled(chainID: 1, sender: TestJournal.alice)
        // The last is a question until a mined transaction with its nonce is known.
        #expect(unsettled.map(\.hash) == [5, 3, 4].map(TestJournal.hash))
        let all = try test.journal.transactions(chainID: 1, sender: nil, limit: 2)
        #expect(all.map(\.hash) == [TestJournal.hash(4), TestJournal.hash(3)])
    }

    @Test("own orders come back by hash, exchange and maker, and remember their relay")
    func orders() throws {
        let test = TestJournal()
        let order = JournalOrder(
            chainID: 1,
            exchange: TestJournal.address(50),
            hash: OrderHash(UInt256(7).word),
            maker: TestJournal.alice,
            wire: #"{"maker":"0x"}"#,
            created: TestJournal.now
        )
        try test.journal.save(order)
        try test.journal.save(order)
        #expect(try test.journal.order(order.hash) == order)
        try test.journal.markPosted(order.hash, relay: "http://relay")
        let exchange = order.exchange
        let own = try test.journal.orders(chainID: 1, exchange: exchange, maker: order.maker)
        #expect(own.map(\.relay) == ["http://relay"])
        #expect(try test.journal.orders(chainID: 1, exchange: exchange, maker: nil).count == 1)
        #expect(
            try test.journal.orders(chainID: 1, exchange: exchange, maker: TestJournal.bob)
                .isEmpty
        )
        #expect(
            try test.journal.orders(chainID: 2, exchange: exchange, maker: nil).isEmpty
        )
    }

    @Test("an order is in doubt until a relay took it or somebody knows better")
    func doubt() throws {
        let test = TestJournal()
        let orders = [7, 8].map { number in
            JournalOrder(
                chainID: 1,
                exchange: TestJournal.address(50),
                hash: OrderHash(UInt256(number).word),
                maker: TestJournal.alice,
                wire: #"{"maker":"0x"}"#,
                created: TestJournal.now,
                isInDoubt: true
            )
        }
        for order in orders {
            try test.journal.save(order)
            #expect(try test.journal.order(order.hash) == order)
        }
        try test.journal.markPosted(orders[0].hash, relay: "http://relay")
        try test.journal.clearDoubt(of: orders[1].hash)
        #expect(try test.journal.order(orders[0].hash)?.isInDoubt == false)
        #expect(try test.journal.order(orders[1].hash)?.isInDoubt == false)
        #expect(try test.journal.order(orders[1].hash)?.relay == nil)
    }

    @Test("an intent keeps of its plan what was confirmed, and none where there is nothing to keep")
    func plans() throws {
        let test = TestJournal()
        let intent = try test.journal.open(TestJournal.intent)
        try test.journal.close(intent: intent, exit: 14, at: TestJournal.now)
        let bare = try test.journal.open(
            JournalIntent(
                chainID: TestJournal.intent.chainID,
                account: TestJournal.intent.account,
                command: "cancel",
                plan: nil,
                created: TestJournal.now
            )
        )
        #expect(bare != intent)
        #expect(try test.journal.plan(of: intent) == TestJournal.intent.plan)
        #expect(try test.journal.plan(of: bare) == nil)
        #expect(try test.journal.plan(of: 99) == nil)
    }

    @Test("a transaction without an intent is refused by the schema")
    func foreignKeys() throws {
        let test = TestJournal()
        #expect(throws: JournalError.self) { try test.reserve(intent: 99) }
    }
}
