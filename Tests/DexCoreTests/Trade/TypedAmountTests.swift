import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Market and limit orders of typed parts and prices")
struct TypedAmountTests {
    /// Asks of 1,000 ZRX at 0.001 and 0.00105, a bid of 20,000 at 0.0009.
    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(
            bids: [try await market.bid(2, "20000", for: "18")],
            asks: [
                try await market.ask(0, "1000", for: "1"),
                try await market.ask(1, "1000", for: "1.05"),
            ]
        )
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func plan(
        _ market: LiveMarket,
        _ side: TradeSide,
        _ amount: String,
        spends: Bool = false
    ) async throws -> Plan<TradePlan> {
        try await market.model().plan(
            MarketRequest(side: side, pair: "ZRX/WETH", amount: amount, spends: spends),
            account: market.trader.address
        )
    }

    @Test("a sale of max or a percentage is of the balance, rounded down")
    func sales() async throws {
        for (typed, sold) in [("max", "10000"), ("50%", "5000"), ("0.01%", "1"), ("1k", "1000")] {
            let plan = try await plan(try await market(), .sell, typed).content
            #expect(plan.expectedPay == TestMarket.units(sold), "\(typed)")
            #expect(plan.maximumPay == TestMarket.units(sold))
            if typed == "1k" {
                #expect(plan.origin == nil)
            } else {
                #expect(plan.origin?.typed == typed)
                #expect(plan.origin?.isSpend == false)
                #expect(plan.origin?.available?.raw == TestMarket.units("10000"))
                #expect(plan.origin?.amount.raw == TestMarket.units(sold))
            }
        }
    }

    @Test("a purchase for a spend costs no more than it, however it was typed")
    func purchases() async throws {
        for (typed, spends, weth) in [
            ("1", true, "1"), ("1.5", true, "1.5"), (".5", true, "0.5"), ("1%", true, "1"),
            ("1%", false, "1"),
        ] {
            let plan = try await plan(try await market(), .buy, typed, spends: spends).content
            let spend = TestMarket.units(weth)
            #expect(plan.maximumCost <= spend, "\(typed)")
            #expect(plan.maximumCost + 10 >= spend, "\(typed): \(plan.maximumCost)")
            #expect(plan.origin?.isSpend == true)
            #expect(plan.origin?.amount.raw == spend)
        }
        let one = try await plan(try await market(), .buy, "1", spends: true).content
        #expect(one.expectedReceive == TestMarket.units("1000"))
    }

    @Test("all that the account has is spent, and no more than it has")
    func spendsAll() async throws {
        var holdings = LiveMarket.Holdings()
        holdings.weth = "0.123456789012345678"
        let market = try await market(holdings)
        let outcome = try await market.model().execute(
            try await plan(market, .buy, "max"),
            signer: market.signer
        )
        #expect(outcome.exit == .done)
        let left = try await market.balance(TestMarket.weth, of: market.trader.address)
        #expect(left < 10)
        #expect((outcome.paid ?? 0) + left == TestMarket.units("0.123456789012345678"))
    }

    @Test("after an approval the same number is traded, not a part of the balance then")
    func confirmedNumber() async throws {
        for (side, typed) in [(TradeSide.sell, "50%"), (.buy, "1%")] {
            var holdings = LiveMarket.Holdings()
            holdings.allowance = 0
            let market = try await market(holdings)
            let planned = try await plan(market, side, typed)
            #expect(planned.content.steps.map(\.purpose) == [.approve, .fill])
            // More arrives between the plan and the approval.
            try await market.send(
                from: market.makers[side == .sell ? 0 : 2],
                to: side == .sell ? TestMarket.zrx : TestMarket.weth,
                ERC20.transfer(to: market.trader.address, amount: TestMarket.units("5"))
            )
            let outcome = try await market.model().execute(planned, signer: market.signer)
            #expect(outcome.exit == .done)
            #expect(outcome.paid == planned.content.expectedPay)
            #expect(outcome.plan.origin?.typed == typed)
        }
    }

    @Test("a part of nothing, and a spend beyond the book, are refused with exit 6")
    func refusals() async throws {
        var holdings = LiveMarket.Holdings()
        holdings.zrx = "0"
        let poor = try await market(holdings)
        let nothing = await refusal { try await plan(poor, .sell, "max") }
        #expect(nothing?.code == "insufficient-balance" && nothing?.exit == .refused)
        let market = try await market()
        let thin = await refusal { try await plan(market, .buy, "50", spends: true) }
        #expect(thin?.code == "thin-book")
        #expect(thin?.hint?.contains("dex market-buy ZRX/WETH --spend 2.05") == true)
        for typed in ["0%", "1,5", "101%", "0", "all"] {
            let bad = await refusal { try await plan(market, .buy, typed, spends: true) }
            #expect(bad?.code == "bad-amount" && bad?.exit == .usage, "\(typed)")
        }
    }

    @Test("policy.toml's limits are of the resolved numbers")
    func policy() async throws {
        let market = try await market()
        let planned = try await plan(market, .buy, "2%")
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.perTrade = [.token(TestMarket.weth): TestMarket.units("1")]
        let signer = market.authorized(LocalKey(market.trader), policy: policy)
        let error = #expect(throws: DexError.self) {
            try market.model().check(planned, signer: signer)
        }
        #expect(error?.exit == .refused)
    }

    // MARK: Limit orders

    private func limit(
        _ market: LiveMarket,
        _ side: TradeSide,
        _ amount: String,
        at price: String
    ) async throws -> Plan<LimitPlan> {
        try await limits(market).plan(
            LimitRequest(side: side, pair: "ZRX/WETH", amount: amount, price: price),
            account: market.trader.address
        )
    }

    private func limits(_ market: LiveMarket) throws -> LimitOrderModel {
        LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    @Test("a relative price becomes a number of the plan and of the order")
    func relativePrice() async throws {
        let market = try await market()
        let planned = try await limit(market, .buy, "100", at: "mid-0.1%").content
        // The middle of 0.0009 and 0.001.
        let expected = try PriceBounds.price("0.00094905", pair: planned.pair)
        #expect(planned.price == expected)
        #expect(planned.give.value == "0.094905")
        #expect(planned.relative?.price == expected)
        #expect(planned.relative?.typed == "mid-0.1%")
        #expect(planned.relative?.ask == (try PriceBounds.price("0.001", pair: planned.pair)))
        #expect(planned.relative?.bid == (try PriceBounds.price("0.0009", pair: planned.pair)))
        let number = try await limit(market, .buy, "1k", at: ".0009").content
        #expect(number.relative == nil)
        #expect(number.get.value == "1000")
    }

    @Test("without a book, or with one smaller than the order, there is no relative price")
    func noBook() async throws {
        let market = try await market()
        let thin = await refusal { try await limit(market, .sell, "2001", at: "mid") }
        #expect(thin?.code == "no-reference-price")
        #expect(thin?.message.contains("2000 ZRX") == true)
        market.relay.set { $0.book = .failure(.unreachable(url: "http://relay", reason: "cut")) }
        let unread = await refusal { try await limit(market, .sell, "1", at: "mid") }
        #expect(unread?.code == "no-reference-price")
        #expect(try market.journal.orders(of: nil, network: market.network).isEmpty)
    }

    @Test("a repeated order of a relative price is posted again, although the book moved")
    func neverTwice() async throws {
        let market = try await market()
        market.relay.set { $0.post = .failure(.unreachable(url: "http://relay", reason: "cut")) }
        let planned = try await limit(market, .buy, "100", at: "mid-0.1%")
        let hash = planned.content.orderHash
        market.relay.set { $0.orders[hash] = .success(nil) }
        let lost = await refusal {
            try await limits(market).execute(planned, signer: market.signer)
        }
        #expect(lost?.exit == .unreachable)
        market.relay.set { $0.post = .success(()) }
        market.setBook(
            bids: [try await market.bid(2, "20000", for: "18.2")],
            asks: [try await market.ask(0, "1000", for: "1")]
        )
        let again = try await limit(market, .buy, "100", at: "mid-0.1%")
        #expect(again.content.orderHash == hash)
        #expect(again.content.price == planned.content.price)
        #expect(again.content.relative == nil)
        #expect(again.content.warnings.first?.hasPrefix("RESUMED: ") == true)
        // A typed price is another order.
        let typed = try await limit(market, .buy, "100", at: "0.0009")
        #expect(typed.content.orderHash != hash)
    }
}
