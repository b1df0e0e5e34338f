import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

/// The commands of a trader on a network of 0x v4, from book to cancel, on the simulated Exchange
/// Proxy; the relay is scripted.
@Suite("Trading on 0x v4")
struct TradingV4Tests {
    private static let day: UInt64 = 86_400

    /// A taker fee in WETH, the taker token of asks of ZRX/WETH.
    private static func fee(_ weth: String) -> OrderFees {
        OrderFees(
            recipient: TestMarket.address("0x00000000000000000000000000000000000000fe"),
            makerFee: 0,
            takerFee: TestMarket.units(weth)
        )
    }

    private func limitModel(_ market: LiveMarket) throws -> LimitOrderModel {
        LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func place(
        _ market: LiveMarket,
        _ side: TradeSide = .sell,
        _ amount: String = "100",
        at price: String = "0.0025"
    ) async throws -> Plan<LimitPlan> {
        try await limitModel(market).plan(
            LimitRequest(
                side: side,
                pair: "ZRX/WETH",
                amount: amount,
                price: price,
                expiry: .after(Self.day),
                posts: true
            ),
            account: market.trader.address
        )
    }

    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        fees: OrderFees = .none
    ) throws -> LiveMarket {
        let market = try LiveMarket(holdings, version: .v4)
        market.relay.set { state in
            state.fees = .success(fees)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    // MARK: Reading

    @Test("the book has prices with the fee on top, and leaves out what the chain does not know")
    func book() async throws {
        let market = try market()
        let expensive = try await market.ask(0, "10", for: "0.1", fees: Self.fee("0.001"))
        let cheap = try await market.ask(1, "10", for: "0.1005")
        let elsewhere = ZeroExV4(
            domain: ExchangeDomainV4(chainID: 1, exchange: market.network.exchange),
            signatureKind: .ethSign
        )
        var terms = OrderDraft(try await market.ask(2, "10", for: "0.09"))
        terms.salt = 2
        let foreign = try await elsewhere.sign(terms, with: market.makers[2])
        var reserved = OrderDraft(try await market.ask(3, "10", for: "0.08"))
        reserved.fees.sender = market.rival.address
        let forOther = try await market.exchangeProtocol.sign(reserved, with: market.makers[3])
        market.setBook(asks: [expensive, cheap, foreign, forOther])
        let state = try await OrderbookModel(session: try market.session())
            .load(pairText: "ZRX/WETH", account: market.trader.address)
        #expect(state.received == 4)
        #expect(state.dropped.map(\.reason.code) == ["wrong-chain"])
        #expect(state.asks.map(\.orderHash) == [forOther.hash, cheap.hash, expensive.hash])
        #expect(state.asks[0].flags.contains(.otherTaker))
        #expect(state.asks[2].price == Price(quote: 101, base: 10_000))
        #expect(state.ask == state.asks[1].price)
    }

    // MARK: Taking

    @Test("a purchase pays each order and its fee on top, to the unit")
    func buys() async throws {
        let market = try market()
        let best = try await market.ask(0, "6", for: "0.06", fees: Self.fee("0.0006"))
        let next = try await market.ask(1, "100", for: "1.02")
        market.setBook(asks: [next, best])
        let before = try await market.balance(TestMarket.weth, of: market.trader.address)
        // One meaning of what is paid: in a quote, in a plan and in what came of it.
        let quote = try await PriceModel(session: try market.session())
            .load(pairText: "ZRX/WETH", side: .buy, amount: "10").quote
        #expect(quote?.total == TestMarket.units("0.1014"))
        #expect(
            try await market.plan(.buy, "10").content.expectedCost == TestMarket.units("0.1014")
        )
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(outcome.cost == TestMarket.units("0.1014"))
        #expect((outcome.cost ?? 0) <= outcome.plan.maximumCost)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.legs.map(\.status) == [.filled, .filled])
        let after = try await market.balance(TestMarket.weth, of: market.trader.address)
        #expect(before - after == TestMarket.units("0.1014"), "0.06 + 0.0006 + 0.0408")
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10010")
        )
    }

    @Test("a purchase without an allowance approves the Exchange Proxy itself, fee included")
    func approves() async throws {
        var holdings = LiveMarket.Holdings()
        holdings.allowance = 0
        let market = try market(holdings)
        let ask = try await market.ask(0, "10", for: "0.1", fees: Self.fee("0.001"))
        market.setBook(asks: [ask])
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.transactions.count == 2)
        #expect(try await market.allowance(TestMarket.weth) < TestMarket.units("0.001"))
    }

    // MARK: Making

    @Test("a limit order is hashed for the chain, signed as the network says, posted and kept")
    func places() async throws {
        let market = try market(fees: Self.fee("0.0025"))
        let planned = try await place(market)
        let plan = planned.content
        #expect(plan.give.value == "100")
        #expect(plan.get.value == "0.25")
        #expect(plan.takerFee?.value == "0.0025")
        #expect(plan.takerFee?.token.address == TestMarket.weth)
        #expect(plan.draft.salt >> 192 == UInt256(TestMarket.now))
        let outcome = try await limitModel(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        let order = try #require(market.relay.posted.first as? SignedOrderV4)
        #expect(order.hash == plan.orderHash)
        #expect(order.domain.chainID == 1337)
        #expect(order.exchange == market.network.exchange)
        #expect(order.signature.type == SignatureKindV4.ethSign.rawValue)
        #expect(try market.journal.order(order.hash)?.wire == outcome.wire)
        let again = try market.exchangeProtocol.decodeOrder(
            JSONParser.parse(Array(outcome.wire.utf8))
        )
        #expect(again.hash == order.hash)
    }

    @Test("what a relay wants beyond a fee that is a small share of the order is refused")
    func relayTerms() async throws {
        let recipient = TestMarket.address("0x00000000000000000000000000000000000000fe")
        let units = TestMarket.units
        let cases: [(OrderFees, String)] = [
            (Self.fee("0.002501"), "relay-fee-cap"),
            (OrderFees(recipient: recipient, makerFee: 1, takerFee: 0), "relay-terms"),
            (OrderFees(recipient: .zero, makerFee: 0, takerFee: units("0.001")), "relay-terms"),
            (OrderFees(recipient: recipient, makerFee: 0, takerFee: .max), "relay-terms"),
        ]
        for (fees, code) in cases {
            let market = try market(fees: fees)
            let error = await refusal { try await place(market) }
            #expect(error?.code == code)
            #expect(error?.exit == .refused)
            #expect(market.relay.posted.isEmpty)
        }
    }

    @Test("an amount beyond 128 bits is refused before anybody is asked")
    func tooLarge() async throws {
        let market = try market()
        let error = await refusal {
            try await place(market, .sell, "1000000000000000000000", at: "0.001")
        }
        #expect(error?.code == "impossible-order")
        #expect(error?.exit == .usage)
        #expect(error?.message.contains("128 bits") == true)
        #expect(market.relay.requests.isEmpty)
    }

    // MARK: Cancelling

    @Test("own orders are cancelled in one transaction, and their states read again")
    func cancels() async throws {
        let market = try market()
        var orders: [any SignedOrder] = []
        for salt in [1, 2] as [UInt256] {
            orders.append(
                try await market.order(
                    by: market.trader,
                    give: (TestMarket.zrx, "10"),
                    get: (TestMarket.weth, "1"),
                    salt: salt
                )
            )
        }
        market.relay.set { [orders] state in
            state.onOrders = { _ in .success(RelayOrders(orders: orders)) }
            for order in orders { state.orders[order.hash] = .success(order) }
        }
        let model = CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(.all, account: market.trader.address)
        #expect(plan.content.orders.count == 2)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.rows.map(\.status) == [.cancelled, .cancelled])
        #expect(market.node.sent.count == 1)
        let again = try await model.plan(.all, account: market.trader.address)
        #expect(again.settled?.exit == .done)
        #expect(again.content.closed.map(\.standing) == [.cancelled, .cancelled])
    }
}
