import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// What the plan of a limit order says of the book's mid and of the account's balances.
@Suite("The mid and the balances of a limit order's plan")
struct LimitBalanceTests {
    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        fees: OrderFees = .none
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(
            bids: [try await market.bid(0, "1000", for: "0.9")],
            asks: [try await market.ask(1, "1000", for: "1.1")]
        )
        market.relay.set { state in
            state.fees = .success(fees)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func model(_ market: LiveMarket) throws -> LimitOrderModel {
        LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func plan(
        _ market: LiveMarket,
        _ side: TradeSide,
        _ amount: String,
        at price: String = "0.001"
    ) async throws -> Plan<LimitPlan> {
        try await model(market).plan(
            LimitRequest(side: side, pair: "ZRX/WETH", amount: amount, price: price),
            account: market.trader.address
        )
    }

    /// The changes in base units, as text: `ZRX 10000 -> 9900, minimum 9800`.
    private func words(_ balances: [PlannedBalance]) -> [String] {
        balances.map { balance in
            let text = { (raw: UInt256?) in
                raw.map { DecimalText.format($0, decimals: balance.currency.decimals ?? 0) } ?? "?"
            }
            return "\(balance.currency.symbol) \(text(balance.before)) -> \(text(balance.after)), "
                + "least \(text(balance.minimum))"
        }
    }

    private func balance(_ token: Address, _ market: LiveMarket) async throws -> UInt256 {
        try await market.balance(token, of: market.trader.address)
    }

    @Test("the mid is that of the verified book, and null where it has one side")
    func mid() async throws {
        let market = try await market()
        #expect(try await plan(market, .sell, "100").content.mid == Price(quote: 1, base: 1_000))
        market.setBook(asks: [try await market.ask(1, "1000", for: "1.1")])
        #expect(try await plan(market, .sell, "100").content.mid == nil)
    }

    @Test("what is held, what is left once it is filled whole, and once the others are too")
    func balances() async throws {
        let market = try await market()
        let zrx = try await balance(TestMarket.zrx, market)
        let weth = try await balance(TestMarket.weth, market)
        let first = try await plan(market, .sell, "100")
        #expect(first.content.gas == nil)
        #expect(first.content.balances.map(\.currency.symbol) == ["ZRX", "WETH"])
        let gives = try #require(first.content.balances.first)
        #expect(gives.before == zrx)
        #expect(gives.after == zrx - TestMarket.units("100") && gives.minimum == gives.after)
        let gets = try #require(first.content.balances.last)
        #expect(gets.before == weth)
        #expect(gets.after == weth + TestMarket.units("0.1") && gets.minimum == gets.after)

        _ = try await model(market).execute(first, signer: market.signer)
        let second = try await plan(market, .sell, "50", at: "0.0012")
        let shared = try #require(second.content.balances.first)
        // Posting the first one has changed nothing.
        #expect(shared.before == zrx)
        #expect(shared.after == zrx - TestMarket.units("50"))
        #expect(shared.minimum == zrx - TestMarket.units("150"))
        // What the others bring is not counted.
        let other = try #require(second.content.balances.last)
        #expect(other.minimum == other.after)
    }

    @Test("a balance that could not be read is unknown, and its line stays")
    func unknown() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        let plan = try await market.plan(.buy, "10").content
        let account = AccountSnapshot(
            address: plan.account,
            ether: Wei(TestMarket.unit),
            pendingNonce: 0,
            balances: [TestMarket.weth: TestMarket.units("5")],
            allowances: [:]
        )
        let balances = PlannedBalance.changes(by: plan, of: account)
        #expect(balances.map(\.currency.symbol) == plan.balances.map(\.currency.symbol))
        let gets = try #require(balances.first { $0.currency.symbol == "ZRX" })
        #expect(gets.before == nil && gets.after == nil && gets.minimum == nil)
        #expect(balances.first { $0.currency.symbol == "WETH" }?.before == TestMarket.units("5"))
    }

    @Test("a fee in the token that is given or got is in the same line")
    func fees() async throws {
        let market = try await market(fees: TestMarket.fees(maker: "0.5", taker: "0"))
        let zrx = try await balance(TestMarket.zrx, market)
        let sale = try await plan(market, .sell, "100").content
        #expect(sale.balances.map(\.currency.symbol) == ["ZRX", "WETH"])
        #expect(sale.balances.first?.after == zrx - TestMarket.units("100.5"))
        let purchase = try await plan(market, .buy, "100").content
        #expect(purchase.balances.map(\.currency.symbol) == ["WETH", "ZRX"])
        #expect(purchase.balances.last?.after == zrx + TestMarket.units("99.5"))
    }

    @Test("a ladder has them once, for all its orders")
    func ladder() async throws {
        let market = try await market()
        let zrx = try await balance(TestMarket.zrx, market)
        let weth = try await balance(TestMarket.weth, market)
        _ = try await model(market).execute(
            try await plan(market, .sell, "10", at: "0.002"),
            signer: market.signer
        )
        let ladder = LadderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await ladder.plan(
            LadderRequest(
                order: LimitRequest(
                    side: .sell,
                    pair: "ZRX/WETH",
                    amount: "90",
                    price: "0.001"
                ),
                to: "0.003",
                count: 3
            ),
            account: market.trader.address
        )
        let plan = planned.content
        #expect(plan.rungs.allSatisfy { $0.balances.isEmpty && $0.mid != nil })
        #expect(plan.balances.map(\.currency.symbol) == ["ZRX", "WETH"])
        #expect(plan.balances.first?.before == zrx)
        #expect(plan.balances.first?.after == zrx - TestMarket.units("90"))
        #expect(plan.balances.first?.minimum == zrx - TestMarket.units("100"))
        #expect(plan.balances.last?.after == weth + TestMarket.units("0.18"))
    }

    @Test("a replaced order is not counted, the gas of its cancel is; the gap is a warning")
    func replacement() async throws {
        let market = try await market()
        let zrx = try await balance(TestMarket.zrx, market)
        let first = try await model(market).execute(
            try await plan(market, .sell, "100"),
            signer: market.signer
        )
        let planned = try await ReplaceOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        ).plan(
            ReplaceOrderRequest(order: first.order.hash, price: "0.0012"),
            account: market.trader.address
        )
        let balances = planned.content.order.balances
        #expect(balances.map(\.currency.symbol) == ["ZRX", "WETH", "ETH"], "\(words(balances))")
        #expect(balances.first?.minimum == zrx - TestMarket.units("100"))
        let ether = try #require(balances.last)
        let before = try #require(ether.before)
        #expect(ether.after == before - planned.content.gas.presentCost.rawValue)
        #expect(ether.minimum == before - planned.content.gas.maxCost.rawValue)
        #expect(planned.content.warnings.count { $0.contains("neither stands") } == 1)
    }

    @Test("a token that is got and reports no balance is refused, and is not taken for zero")
    func unread() async throws {
        let market = try await market()
        let asked = ERC20.balanceOf(market.trader.address)
        market.node.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .call(let call, _) = read, call.to == TestMarket.zrx,
                    call.data == asked
                else { return answer }
                return .success(.bytes([]))
            }
        }
        let error = await refusal { try await plan(market, .buy, "100") }
        #expect(error?.code == "not-a-token")
    }
}
