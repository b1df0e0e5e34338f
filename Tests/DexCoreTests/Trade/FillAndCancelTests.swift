import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Filling one order")
struct FillTests {
    private func model(_ market: LiveMarket) throws -> FillModel {
        FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func serve(_ order: any SignedOrder, _ market: LiveMarket) {
        market.relay.set { $0.orders[order.hash] = .success(order) }
    }

    @Test("an order by its hash is filled by an amount of base")
    func byHash() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "100", for: "1")
        serve(order, market)
        let model = try model(market)
        let plan = try await model.plan(
            FillRequest(source: .hash(order.hash), amount: "25"),
            account: market.trader.address
        )
        #expect(plan.content.side == .buy)
        #expect(plan.content.expectedPay == TestMarket.units("0.25"))
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("25"))
    }

    @Test("without an amount all that can be filled and paid for is taken")
    func everything() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(weth: "0.4"))
        let order = try await market.ask(0, "100", for: "1")
        serve(order, market)
        let plan = try await model(market).plan(
            FillRequest(source: .hash(order.hash)),
            account: market.trader.address
        )
        #expect(plan.content.expectedReceive == TestMarket.units("40"))
    }

    @Test("a signed order in the relay's form is filled without any relay")
    func signed() async throws {
        let market = try LiveMarket()
        let order = try await market.bid(0, "100", for: "1")
        let text = market.exchangeProtocol.encodeOrder(order).text
        let model = try model(market)
        let plan = try await model.plan(
            FillRequest(source: .signed(text), amount: "10"),
            account: market.trader.address
        )
        #expect(plan.content.side == .sell)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.paid == TestMarket.units("10"))
        #expect(market.relay.requests.allSatisfy { $0 == "orderbook" })
    }

    @Test("what is no order is refused with exit 2", arguments: ["", "[]", "{}", "{\"maker\":1}"])
    func garbage(text: String) async throws {
        let market = try LiveMarket()
        let error = await refusal {
            try await model(market).plan(
                FillRequest(source: .signed(text)),
                account: market.trader.address
            )
        }
        #expect(error?.exit == .usage)
        #expect(error?.code == "bad-order")
    }

    @Test("an order whose maker did not sign it is refused")
    func forged() async throws {
        let market = try LiveMarket()
        let draft = OrderDraft(
            exchange: TestMarket.exchange,
            maker: market.makers[0].address,
            makerToken: TestMarket.zrx,
            takerToken: TestMarket.weth,
            makerAmount: 10,
            takerAmount: 10,
            expiry: .max,
            salt: 1
        )
        let forged = try await market.exchangeProtocol.sign(draft, with: market.rival)
        let text = market.exchangeProtocol.encodeOrder(forged).text
        let error = await refusal {
            try await model(market).plan(
                FillRequest(source: .signed(text)),
                account: market.trader.address
            )
        }
        #expect(error?.code == "bad-signature")
        #expect(error?.exit == .refused)
    }

    @Test("what cannot be filled says why, exit 6")
    func reasons() async throws {
        let market = try LiveMarket()
        let cases: [(any SignedOrder, String)] = [
            (try await market.ask(0, "1", for: "1", expiresIn: 0), "order-expired"),
            (try await market.ask(0, "1", for: "1", expiresIn: 100), "order-expiring"),
            (
                try await market.order(
                    by: market.trader,
                    give: (TestMarket.zrx, "1"),
                    get: (TestMarket.weth, "1")
                ),
                "order-own"
            ),
            (
                try await market.order(
                    by: market.makers[0],
                    give: (TestMarket.zrx, "1"),
                    get: (TestMarket.weth, "1"),
                    taker: market.rival.address
                ),
                "order-other-taker"
            ),
        ]
        for (order, code) in cases {
            serve(order, market)
            let error = await refusal {
                try await model(market).plan(
                    FillRequest(source: .hash(order.hash)),
                    account: market.trader.address
                )
            }
            #expect(error?.code == code)
            #expect(error?.exit == .refused)
        }
    }

    @Test("a fill of what expires too soon names the setting that decides it")
    func expiring() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "1", for: "1", expiresIn: 100)
        serve(order, market)
        let error = await refusal {
            try await model(market).plan(
                FillRequest(source: .hash(order.hash)),
                account: market.trader.address
            )
        }
        #expect(error?.code == "order-expiring")
        #expect(
            error?.message.hasSuffix(
                "it expires in 100 s, which is within your margin of 120 s (trade.expiry_margin)."
            ) == true
        )
        #expect(
            error?.hint == "Fill another order, or lower the margin: "
                + "`dex config set trade.expiry_margin 50`."
        )
    }

    @Test("more than the order has is refused with what it has")
    func tooMuch() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "100", for: "1")
        try await market.take(order, TestMarket.units("0.7"))
        serve(order, market)
        let error = await refusal {
            try await model(market).plan(
                FillRequest(source: .hash(order.hash), amount: "31"),
                account: market.trader.address
            )
        }
        #expect(error?.code == "amount-too-large")
        #expect(error?.message.contains("only 30 ZRX") == true)
    }
}

@Suite("Cancelling own orders")
struct CancelTests {
    private func market(_ orders: [any SignedOrder] = []) throws -> LiveMarket {
        let market = try LiveMarket()
        serve(orders, market)
        return market
    }

    private func serve(_ orders: [any SignedOrder], _ market: LiveMarket) {
        market.relay.set { state in
            state.onOrders = { _ in .success(RelayOrders(orders: orders)) }
            for order in orders { state.orders[order.hash] = .success(order) }
        }
    }

    private func own(
        _ market: LiveMarket,
        _ amount: String,
        salt: UInt256,
        token: Address = TestMarket.weth
    ) async throws -> any SignedOrder {
        try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, amount),
            get: (token, "1"),
            salt: salt
        )
    }

    private func model(_ market: LiveMarket) throws -> CancelModel {
        CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    @Test("several orders are cancelled in one transaction, and their amounts read again")
    func batch() async throws {
        let market = try market()
        let orders = [
            try await own(market, "10", salt: 1), try await own(market, "20", salt: 2),
        ]
        serve(orders, market)
        let model = try model(market)
        let plan = try await model.plan(.all, account: market.trader.address)
        #expect(plan.content.orders.count == 2)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.rows.map(\.status) == [.cancelled, .cancelled])
        #expect(outcome.transactions.count == 1)
        #expect(market.node.sent.count == 1)
        let again = try await model.plan(.all, account: market.trader.address)
        let nothing = try #require(again.settled)
        #expect(nothing.exit == .done)
        #expect(nothing.rows.isEmpty)
        #expect(nothing.closed.map(\.standing) == [.cancelled, .cancelled])
        #expect(try await model.execute(again, signer: market.signer).transactions.isEmpty)
        #expect(market.node.sent.count == 1)
    }

    @Test("more orders than a block takes are cancelled in several transactions, as planned")
    func pieces() async throws {
        let market = try LiveMarket(blockGasLimit: 1_000_000)
        var orders: [any SignedOrder] = []
        for salt: UInt64 in 1...26 {
            orders.append(try await own(market, "10", salt: UInt256(salt)))
        }
        serve(orders, market)
        let model = try model(market)

        let plan = try await model.plan(.all, account: market.trader.address)
        #expect(plan.content.steps.map(\.summary) == ["cancel 13 orders", "cancel 13 orders"])
        #expect(
            plan.content.warnings.contains {
                $0.hasPrefix("26 orders are too many for one transaction: they are cancelled in 2")
            }
        )
        let outcome = try await model.execute(plan, signer: market.signer)

        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.stage) == [.confirmed, .confirmed])
        #expect(outcome.rows.map(\.status) == Array(repeating: .cancelled, count: 26))
        #expect(outcome.rows.map(\.cancelled) == orders.map(\.takerAmount))
        #expect(market.node.sent.count == 2)
    }

    @Test("behind a transaction that does not get through no other is sent")
    func piecesStop() async throws {
        let market = try LiveMarket(mining: .manual, blockGasLimit: 1_000_000)
        var orders: [any SignedOrder] = []
        for salt: UInt64 in 1...26 {
            orders.append(try await own(market, "10", salt: UInt256(salt)))
        }
        serve(orders, market)
        let model = try model(market)
        let plan = try await model.plan(.all, account: market.trader.address)

        let outcome = try await model.execute(plan, signer: market.signer)

        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.transactions.map(\.stage) == [.pooled])
        #expect(outcome.rows.map(\.status) == Array(repeating: .unchanged, count: 26))
        #expect(outcome.rows.allSatisfy { $0.cancelled == .zero })
        #expect(market.node.sent.count == 1)
    }

    @Test("a pair's orders leave those of other pairs alone")
    func pair() async throws {
        let market = try market()
        let wanted = try await own(market, "10", salt: 1)
        let other = try await own(market, "20", salt: 2, token: LiveMarket.usdt)
        serve([wanted, other], market)
        let plan = try await model(market).plan(
            .pair("ZRX/WETH"),
            account: market.trader.address
        )
        #expect(plan.content.orders.map(\.order.hash) == [wanted.hash])
    }

    @Test("an order of another maker is refused")
    func notOwn() async throws {
        let market = try market()
        let foreign = try await market.ask(0, "1", for: "1")
        serve([foreign], market)
        let error = await refusal {
            try await model(market).plan(
                .hashes([foreign.hash]),
                account: market.trader.address
            )
        }
        #expect(error?.code == "not-own-order")
        #expect(error?.exit == .refused)
    }

    @Test("what others filled before the cancel was mined is told")
    func filledMeanwhile() async throws {
        let market = try market()
        let order = try await own(market, "10", salt: 1)
        serve([order], market)
        let model = try model(market)
        let plan = try await model.plan(.hashes([order.hash]), account: market.trader.address)
        market.node.onSend { _, _ in
            try await market.take(order, TestMarket.units("0.3"))
            return .pass
        }
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.rows.map(\.status) == [.cancelled])
        #expect(outcome.rows.map(\.filledMeanwhile) == [TestMarket.units("0.3")])
    }

    @Test("an order that was filled wholly before is told as such, exit 14")
    func filledBefore() async throws {
        let market = try market()
        let order = try await own(market, "10", salt: 1)
        serve([order], market)
        let model = try model(market)
        let plan = try await model.plan(.hashes([order.hash]), account: market.trader.address)
        market.node.onSend { _, _ in
            try await market.take(order)
            return .pass
        }
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .filledLess)
        #expect(outcome.rows.map(\.status) == [.filledBefore])
        #expect(outcome.rows.map(\.filledMeanwhile) == [order.takerAmount])
    }

    @Test("a cancel that is not mined says that the orders can still be filled, exit 12")
    func pending() async throws {
        let market = try LiveMarket(mining: .manual)
        let order = try await own(market, "10", salt: 1)
        serve([order], market)
        let model = try model(market)
        let plan = try await model.plan(.hashes([order.hash]), account: market.trader.address)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.rows.map(\.status) == [.unchanged])
        #expect(outcome.warnings.contains { $0.contains("can still be filled") })
    }
}
