import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Limit orders: built here, covered, signed, posted, read back")
struct LimitOrderTests {
    private func model(
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> LimitOrderModel {
        var settings = TradeSettings()
        change(&settings)
        return LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        fees: OrderFees = .none,
        others: [any SignedOrder] = []
    ) throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.relay.set { state in
            state.fees = .success(fees)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: others)) }
        }
        return market
    }

    private func request(
        _ side: TradeSide,
        _ amount: String,
        _ price: String,
        lifetime: UInt64 = 86_400,
        posts: Bool = true
    ) -> LimitRequest {
        LimitRequest(
            side: side,
            pair: "ZRX/WETH",
            amount: amount,
            price: price,
            expiry: .after(lifetime),
            posts: posts
        )
    }

    @Test("a buyer's order gives quote for base, is kept, posted and given back by its hash")
    func places() async throws {
        let market = try market(fees: TestMarket.fees(maker: "0.1", taker: "0.2"))
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "100", "0.0025"),
            account: market.trader.address
        )
        #expect(plan.content.give.value == "0.25")
        #expect(plan.content.get.value == "100")
        #expect(plan.content.makerFee?.value == "0.1")
        #expect(plan.content.takerFee?.value == "0.2")
        #expect(plan.content.expires == TestMarket.now + 86_400)
        #expect(plan.content.steps.isEmpty)
        #expect(try market.journal.order(plan.content.orderHash) == nil)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.posted)
        #expect(outcome.order.hash == plan.content.orderHash)
        #expect(market.relay.posted.map(\.hash) == [plan.content.orderHash])
        let kept = try market.journal.order(plan.content.orderHash)
        #expect(kept?.wire == outcome.wire)
        #expect(kept?.relay == "http://127.0.0.1:2")
        #expect(market.node.sent.isEmpty)
    }

    @Test("only the three fee values are taken from the relay")
    func ownTerms() async throws {
        let market = try market(fees: TestMarket.fees(maker: "1", taker: "2"))
        let plan = try await model(market).plan(
            request(.sell, "100", "0.0025"),
            account: market.trader.address
        )
        let asked = try #require(market.relay.drafts.first)
        var expected = asked
        expected.fees = TestMarket.fees(maker: "1", taker: "2")
        #expect(plan.content.draft == expected)
        #expect(asked.fees == .none)
    }

    @Test("salts differ between orders")
    func salts() async throws {
        let market = try market()
        let model = try model(market)
        let account = market.trader.address
        let first = try await model.plan(request(.buy, "1", "0.1"), account: account)
        let second = try await model.plan(request(.buy, "1", "0.1"), account: account)
        #expect(first.content.draft.salt != second.content.draft.salt)
        #expect(first.content.orderHash != second.content.orderHash)
    }

    @Test("a price that amounts cannot meet is rounded in the maker's favour by less than a unit")
    func rounding() async throws {
        let market = try market()
        let model = try model(market)
        let account = market.trader.address
        // 1 base unit x 0.5: half a unit of quote.
        let amount = "1.000000000000000001"
        let buy = try await model.plan(request(.buy, amount, "0.5"), account: account).content
        #expect(buy.give.value == "0.5")
        #expect(buy.warnings.contains { $0.contains("rounded in your favour") })
        let sell = try await model.plan(request(.sell, amount, "0.5"), account: account).content
        #expect(sell.get.value == "0.500000000000000001")
        let exact = try await model.plan(request(.sell, "2", "0.5"), account: account).content
        #expect(!exact.warnings.contains { $0.contains("rounded") })
    }

    @Test("an order that would come to nothing is refused with exit 2")
    func nothing() async throws {
        let market = try market()
        let error = await refusal {
            try await model(market).plan(
                request(.buy, "0.000000000000000001", "0.1"),
                account: market.trader.address
            )
        }
        #expect(error?.code == "amount-out-of-range")
        #expect(error?.exit == .usage)
    }

    @Test("an expiry must be in the future", arguments: [0, UInt64.max])
    func expiry(lifetime: UInt64) async throws {
        let market = try market()
        let error = await refusal {
            try await model(market).plan(
                request(.buy, "1", "0.1", lifetime: lifetime),
                account: market.trader.address
            )
        }
        #expect(error?.code == "bad-expiry")
        #expect(error?.exit == .usage)
    }

    @Test("an order that expired while it was confirmed is not signed")
    func expiredMeanwhile() async throws {
        let market = try market()
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1", lifetime: 60),
            account: market.trader.address
        )
        try await market.clock.environment.sleep(60_000)
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.code == "bad-expiry")
        #expect(market.relay.posted.isEmpty)
        #expect(try market.journal.order(plan.content.orderHash) == nil)
    }

    @Test("fees above the cap are refused with exit 6")
    func feeCap() async throws {
        let market = try market(fees: TestMarket.fees(maker: "2"))
        let error = await refusal {
            try await model(market).plan(
                request(.buy, "100", "0.0025"),
                account: market.trader.address
            )
        }
        #expect(error?.code == "relay-fee-cap")
        #expect(error?.exit == .refused)
        #expect(error?.message.contains("maker fee of 2 ZRX; at most 1 ZRX") == true)
    }

    @Test("the balance must cover this order together with the maker's other open orders")
    func otherOrders() async throws {
        let holdings = LiveMarket.Holdings(weth: "1")
        let maker = try LiveMarket(holdings)
        let other = try await maker.order(
            by: maker.trader,
            give: (TestMarket.weth, "0.8"),
            get: (TestMarket.zrx, "300")
        )
        let market = try market(holdings, others: [other])
        let account = market.trader.address
        let error = await refusal {
            try await model(market).plan(request(.buy, "100", "0.0025"), account: account)
        }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.exit == .refused)
        #expect(error?.message.contains("needs 0.25") == true)
        #expect(error?.message.contains("other open orders need 0.8") == true)
        let allowed = try await model(market) { $0.allowsUnfundedOrders = true }
            .plan(request(.buy, "100", "0.0025"), account: account)
        #expect(allowed.content.warnings.contains { $0.contains("unfunded") })
        let small = try await model(market).plan(
            request(.buy, "80", "0.0025"),
            account: account
        )
        #expect(small.content.give.value == "0.2")
    }

    @Test("an order that others forged in our name does not count")
    func forged() async throws {
        let maker = try LiveMarket()
        let draft = OrderDraft(
            exchange: TestMarket.exchange,
            maker: maker.trader.address,
            makerToken: TestMarket.weth,
            takerToken: TestMarket.zrx,
            makerAmount: TestMarket.units("1000"),
            takerAmount: 1,
            expiry: UInt256(TestMarket.now + 9_000),
            salt: 5
        )
        let forged = try await maker.exchangeProtocol.sign(draft, with: maker.rival)
        let market = try market(others: [forged])
        let plan = try await model(market).plan(
            request(.buy, "100", "0.0025"),
            account: market.trader.address
        )
        #expect(plan.content.give.value == "0.25")
    }

    @Test("a missing allowance is approved exactly, for all open orders, before signing")
    func approves() async throws {
        let market = try market(LiveMarket.Holdings(allowance: 0))
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "100", "0.0025"),
            account: market.trader.address
        )
        #expect(plan.content.steps.map(\.purpose) == [.approve])
        #expect(plan.content.gas != nil)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.stage) == [.confirmed])
        #expect(try await market.allowance(TestMarket.weth) == TestMarket.units("0.25"))
    }

    @Test("an approval that is not mined leaves the order unsigned, exit 12")
    func pendingApproval() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(allowance: 0), mining: .manual)
        market.relay.set { state in
            state.fees = .success(.none)
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1"),
            account: market.trader.address
        )
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.exit == .notMinedYet)
        #expect(error?.code == "approval-pending")
        #expect(try market.journal.order(plan.content.orderHash) == nil)
    }

    @Test("a relay's refusal shows its reasons, exit 7, and the order stays in the journal")
    func relayRefuses() async throws {
        let market = try market()
        market.relay.set { state in
            state.post = .failure(
                .refused(
                    status: 400,
                    code: 100,
                    reason: "Validation failed",
                    fields: [.init(field: "maker\u{1B}", code: 1004, reason: "out of range")]
                )
            )
        }
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1"),
            account: market.trader.address
        )
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.exit == .relayRefused)
        #expect(error?.message.contains("out of range") == true)
        #expect(error?.message.contains("\u{1B}") == false)
        #expect(error?.hint?.contains("dex cancel \(plan.content.orderHash)") == true)
        #expect(try market.journal.order(plan.content.orderHash)?.relay == nil)
    }

    @Test("a lost answer is settled by asking for the hash, never by posting twice")
    func lostAnswer() async throws {
        let market = try market()
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1"),
            account: market.trader.address
        )
        let order = try await market.exchangeProtocol.sign(plan.content.draft, with: market.trader)
        market.relay.set { state in
            state.post = .failure(.unreachable(url: "http://relay", reason: "timed out"))
            state.orders[order.hash] = .success(order)
        }
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.posted)
        #expect(market.relay.posted.count == 1)
    }

    @Test("a relay that gives another order back did not take ours")
    func otherOrderBack() async throws {
        let market = try market()
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1"),
            account: market.trader.address
        )
        let other = try await market.ask(0, "1", for: "1")
        market.relay.set { state in
            state.post = .failure(.nonsense("half an answer"))
            state.orders[plan.content.orderHash] = .success(other)
        }
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.exit == .unreachable)
        #expect(market.relay.posted.count == 1)
    }

    @Test("--no-post signs and keeps, and tells no relay")
    func noPost() async throws {
        let market = try market()
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1", posts: false),
            account: market.trader.address
        )
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.exit == .done)
        #expect(!outcome.posted)
        #expect(market.relay.requests.allSatisfy { ["orders", "orderbook"].contains($0) })
        #expect(try market.journal.order(plan.content.orderHash) != nil)
    }

    @Test("nothing is signed on another chain")
    func wrongChain() async throws {
        let market = try market()
        let model = try model(market)
        let plan = try await model.plan(
            request(.buy, "1", "0.1"),
            account: market.trader.address
        )
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { $0 == .chainID ? .success(.number(1)) : $1 }
        }
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.code == "wrong-chain")
        #expect(market.relay.posted.isEmpty)
    }
}
