import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Orders by list and by hash")
struct OrdersModelTests {
    let market: TestMarket
    let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: TestMarket.units("1000"))
            market.fund(maker.address, TestMarket.weth, balance: TestMarket.units("1000"))
        }
        market.fund(market.trader.address, TestMarket.zrx, balance: TestMarket.units("1000"))
    }

    private func model(withRelay: Bool = true) throws -> OrdersModel {
        OrdersModel(session: try market.session(withRelay: withRelay), journal: store.journal)
    }

    private func setOrders(_ orders: [any SignedOrder], unreadable: [OrderError] = []) {
        let answer = RelayOrders(orders: orders, unreadable: unreadable)
        market.relay.set { $0.onOrders = { _ in .success(answer) } }
    }

    private func record(_ order: any SignedOrder, wire: String? = nil) throws {
        try store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: order.hash,
                maker: order.maker,
                wire: wire ?? market.protocolV1.encodeOrder(order).text,
                created: TestMarket.now
            )
        )
    }

    // MARK: Lists

    @Test("every standing that an order can have, by the chain alone")
    func standings() async throws {
        let maker = market.makers[0]
        let poor = market.makers[1]
        market.fund(poor.address, TestMarket.zrx, balance: 0)
        var orders: [any SignedOrder] = []
        for salt in 1...6 {
            orders.append(
                try await market.ask(
                    by: salt == 6 ? poor : maker,
                    "10",
                    for: "1",
                    expiresIn: salt == 5 ? 0 : 86_400,
                    salt: UInt256(UInt64(salt))
                )
            )
        }
        market.use(orders[1], filled: TestMarket.units("0.25"))
        market.use(orders[2], filled: TestMarket.units("1"))
        market.use(orders[3], filled: TestMarket.units("0.25"), cancelled: TestMarket.units("0.75"))
        setOrders(orders)

        let state = try await model().load()
        let open = try await model().load(onlyOpen: true)

        #expect(
            state.rows.map(\.standing) == [
                .open, .partlyFilled, .filled, .cancelled, .expired, .unfunded,
            ]
        )
        #expect(
            state.rows.map(\.flags) == [
                [], [.partlyFilled], [.filled], [.cancelled], [.expired], [.unfunded],
            ]
        )
        #expect(
            state.rows.map(\.fillable) == ["1", "0.75", "0", "0", "0", "0"].map(TestMarket.units)
        )
        #expect(state.rows[3].state.cancelled == TestMarket.units("0.75"))
        #expect(open.rows.map(\.standing) == [.open, .partlyFilled])
        #expect(state.timestamp == TestMarket.now)
        #expect(state.block == TestMarket.head)
        #expect(market.chain.rounds.count == 4)
    }

    @Test("a row tells pair, side, amounts, price and wire form as people quote them")
    func row() async throws {
        let order = try await market.bid(by: market.makers[0], "100", for: "2")
        setOrders([order])

        let row = try #require(try await model().load().rows.first)

        #expect(row.pair.name == "ZRX/WETH")
        #expect(row.side == .buy)
        #expect(row.maker.value == "2")
        #expect(row.maker.token.symbol == "WETH")
        #expect(row.taker.value == "100")
        #expect(row.price == Price(quote: 2, base: 100))
        let decoded = try market.protocolV1.decodeOrder(
            JSONParser.parse(Array(row.wire.utf8))
        )
        #expect(decoded.hash == order.hash)
        #expect(row.isOnRelay)
        #expect(!row.isOwn)
    }

    @Test("each order's fillable amount stands alone: nothing is netted in a list")
    func notNetted() async throws {
        let maker = market.makers[0]
        market.fund(maker.address, TestMarket.zrx, balance: TestMarket.units("10"))
        setOrders([
            try await market.ask(by: maker, "10", for: "1", salt: 1),
            try await market.ask(by: maker, "10", for: "1", salt: 2),
        ])

        let rows = try await model().load().rows

        #expect(rows.map(\.fillable) == [TestMarket.units("1"), TestMarket.units("1")])
    }

    @Test("a pair asks for both directions, of this exchange, and filters what comes back")
    func pairFilter() async throws {
        let ask = try await market.ask(by: market.makers[0], "10", for: "1")
        let bid = try await market.bid(by: market.makers[0], "10", for: "1")
        let other = try await market.order(
            by: market.makers[0],
            give: (TestMarket.zrx, 1),
            get: (TestMarket.usdc, 1)
        )
        market.relay.set { state in
            state.onOrders = { query in
                #expect(query.exchange == TestMarket.exchange)
                let isAsk = query.makerToken == TestMarket.zrx
                #expect(query.takerToken == (isAsk ? TestMarket.weth : TestMarket.zrx))
                return .success(RelayOrders(orders: isAsk ? [ask, other] : [bid, other]))
            }
        }

        let state = try await model().load(pairText: "ZRX/WETH")

        #expect(state.rows.map(\.order.hash) == [ask.hash, bid.hash])
        #expect(market.relay.requests == ["orders", "orders"])
    }

    @Test("a maker's orders are filtered here too, and those of the journal added")
    func makerFilter() async throws {
        let own = try await market.ask(by: market.trader, "10", for: "1", salt: 1)
        let unposted = try await market.ask(by: market.trader, "10", for: "1", salt: 2)
        let foreign = try await market.ask(by: market.makers[0], "10", for: "1")
        try record(own)
        try record(unposted)
        try record(foreign)
        setOrders([own, foreign])

        let state = try await model().load(maker: market.trader.address)

        #expect(state.rows.map(\.order.hash) == [own.hash, unposted.hash])
        #expect(state.rows.map(\.isOwn) == [true, true])
        #expect(state.rows.map(\.isOnRelay) == [true, false])
    }

    @Test("without a relay the journal's orders are shown; without any it is a configuration error")
    func journalOnly() async throws {
        await #expect {
            _ = try await model(withRelay: false).load()
        } throws: { ($0 as? DexError)?.code == "no-relay" }

        let order = try await market.ask(by: market.trader, "10", for: "1")
        try record(order)
        let state = try await model(withRelay: false).load()

        #expect(state.rows.map(\.order.hash) == [order.hash])
        #expect(state.rows.map(\.isOnRelay) == [false])
    }

    @Test("what does not verify or cannot be read is told, not shown")
    func hostile() async throws {
        let good = try await market.ask(by: market.makers[0], "10", for: "1")
        let signed = try #require(good as? SignedOrderV1)
        var terms = signed.terms
        terms.makerAmount += 1
        setOrders(
            [SignedOrderV1(terms: terms, signature: signed.signature), good],
            unreadable: [.missing(field: "salt")]
        )

        let state = try await model().load()

        #expect(state.rows.map(\.order.hash) == [good.hash])
        #expect(state.dropped.map(\.reason.code) == ["malformed", "bad-signature"])
    }

    @Test("a forged copy that the relay sends shadows neither its order nor our own record of it")
    func forgedCopy() async throws {
        let good = try await market.ask(by: market.makers[0], "10", for: "1")
        let signed = try #require(good as? SignedOrderV1)
        let other = try await market.ask(by: market.makers[0], "11", for: "1")
        let wrong = try #require(other as? SignedOrderV1)
        let forged = SignedOrderV1(terms: signed.terms, signature: wrong.signature)

        setOrders([forged, good])
        var state = try await model().load()
        #expect(state.rows.map(\.order.copyID) == [good.copyID])
        #expect(state.dropped.map(\.reason.code) == ["bad-signature"])

        try record(good)
        setOrders([forged])
        state = try await model().load()
        #expect(state.rows.map(\.order.copyID) == [good.copyID])
        #expect(state.rows.first?.isOwn == true)
        #expect(state.dropped.map(\.reason.code) == ["bad-signature"])

        // The same copy in both places is one order, and nothing was left out.
        setOrders([good])
        state = try await model().load()
        #expect(state.rows.map(\.order.copyID) == [good.copyID])
        #expect(state.dropped.isEmpty)
    }

    @Test("tokens that nobody knows are shown by their address, in base units")
    func unknownToken() async throws {
        let strange = TestMarket.address("0x00000000000000000000000000000000deadbeef")
        market.fund(market.makers[0].address, strange, balance: 50)
        for call in [ERC20.symbol, ERC20.name, ERC20.decimals] {
            market.chain.answer(strange, call, with: .success([]))
        }
        let order = try await market.order(
            by: market.makers[0],
            give: (strange, 100),
            get: (TestMarket.weth, 10)
        )
        setOrders([order])

        let row = try #require(try await model().load().rows.first)

        #expect(row.maker.token.decimals == nil)
        #expect(row.maker.value == "100")
        #expect(row.fillable == 5)
        #expect(row.flags == [.partlyFunded])
        #expect(row.pair.quote.symbol == "WETH")
    }

    @Test("the relay's failure fails the list")
    func relayFails() async throws {
        market.relay.set { $0.onOrders = { _ in .failure(.nonsense("HTML")) } }

        await #expect {
            _ = try await model().load()
        } throws: { ($0 as? DexError)?.exit == .unreachable }
    }

    // MARK: One

    @Test("one order from the relay, or from the journal where the relay is down or forgot it")
    func oneOrder() async throws {
        let relayed = try await market.ask(by: market.makers[0], "10", for: "1", salt: 1)
        let forgotten = try await market.ask(by: market.trader, "10", for: "1", salt: 2)
        let unreachable = try await market.ask(by: market.trader, "10", for: "1", salt: 3)
        try record(forgotten)
        try record(unreachable)
        market.relay.set { state in
            state.orders[relayed.hash] = .success(relayed)
            state.orders[forgotten.hash] = .success(nil)
            state.orders[unreachable.hash] = .failure(.unreachable(url: "u", reason: "down"))
        }

        let model = try model()
        let rows = try await [
            model.order(hash: relayed.hash).row, model.order(hash: forgotten.hash).row,
            model.order(hash: unreachable.hash).row,
        ]

        #expect(rows.map(\.order.hash) == [relayed, forgotten, unreachable].map(\.hash))
        #expect(rows.map(\.isOnRelay) == [true, false, false])
        #expect(rows.map(\.isOwn) == [false, true, true])
        #expect(market.clock.messages == ["The relay at u cannot be reached: down."])
    }

    @Test("an order that nobody knows is exit 2 with the hash")
    func unknownOrder() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        market.relay.set { $0.orders[order.hash] = .success(nil) }

        await #expect {
            _ = try await model().order(hash: order.hash)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .usage && error?.code == "unknown-order"
                && error?.message
                    == "Neither the relay nor the journal knows the order \(order.hash)."
        }
    }

    @Test("a relay that answers with another order, or a forged one, is not believed")
    func liar() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "1")
        let other = try await market.ask(by: market.makers[0], "10", for: "2")
        let signed = try #require(order as? SignedOrderV1)
        var terms = signed.terms
        terms.salt = 99
        let forged = SignedOrderV1(terms: terms, signature: signed.signature)
        market.relay.set { state in
            state.orders[order.hash] = .success(other)
            state.orders[forged.hash] = .success(forged)
            state.onOrders = { _ in .success(RelayOrders(orders: [forged])) }
        }

        await #expect {
            _ = try await model().order(hash: order.hash)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .unreachable && error?.code == "relay-nonsense"
        }
        await #expect {
            _ = try await model().order(hash: forged.hash)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .refused && error?.code == "bad-signature"
                && error?.message
                    == "The order \(forged.hash) is not to be believed. Its signature was not made "
                    + "by its maker."
        }
    }

    @Test("a damaged record of the journal is passed over")
    func damagedRecord() async throws {
        let order = try await market.ask(by: market.trader, "10", for: "1")
        try record(order, wire: "{\"maker\":")
        market.relay.set { $0.orders[order.hash] = .success(nil) }
        setOrders([])

        let state = try await model().load()

        #expect(state.rows.isEmpty)
        await #expect {
            _ = try await model().order(hash: order.hash)
        } throws: { ($0 as? DexError)?.code == "unknown-order" }
    }
}
