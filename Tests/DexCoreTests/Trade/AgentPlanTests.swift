import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Plans of agents are carried out once, within their bounds")
struct AgentPlanTests {
    private let market: LiveMarket
    static let id = PlanID(number: 0x7F3A)

    init() async throws {
        market = try LiveMarket()
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
            state.missing = .success(nil)
        }
        try await setBook("1")
    }

    /// One ask and one bid of 100 ZRX, and dearer ones behind.
    private func setBook(_ price: String, salt: UInt256 = 1) async throws {
        func order(
            _ maker: Int,
            give: (Address, String),
            get: (Address, String)
        ) async throws -> any SignedOrder {
            try await market.order(by: market.makers[maker], give: give, get: get, salt: salt)
        }
        let (weth, zrx) = (TestMarket.weth, TestMarket.zrx)
        market.setBook(
            bids: [
                try await order(0, give: (weth, price), get: (zrx, "100")),
                try await order(1, give: (weth, price), get: (zrx, "100.2")),
            ],
            asks: [
                try await order(2, give: (zrx, "99"), get: (weth, price)),
                try await order(3, give: (zrx, "98.8"), get: (weth, price)),
            ]
        )
    }

    private func plans<Work: AgentOperation>(_ work: Work.Type) throws -> AgentPlans<Work> {
        AgentPlans(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private static let sale = MarketRequest(side: .sell, pair: "ZRX/WETH", amount: "50")

    /// Makes a plan and keeps it, with its bounds as the journal has them.
    private func make<Work: AgentOperation>(
        _ work: Work.Type,
        _ request: Work.Request,
        id: PlanID = id
    ) async throws -> (JournalPlan, PlanBounds) {
        let made = try await plans(work).make(
            request,
            account: market.trader.address,
            signer: market.signer
        )
        let bounds = try #require(PlanBounds(record: made.bounds.record))
        #expect(bounds == made.bounds)
        #expect(made.why == nil)
        let plan = Self.kept(made.bounds, on: market, id: id)
        try market.journal.add(plan)
        return (plan, bounds)
    }

    /// A plan as the journal keeps it.
    static func kept(
        _ bounds: PlanBounds,
        on market: LiveMarket,
        id: PlanID = id
    ) -> JournalPlan {
        let now = market.clock.environment.now()
        return JournalPlan(
            id: id,
            chainID: 1337,
            network: "sandbox",
            account: market.trader.address,
            created: now,
            expires: now + AgentPlanLife.seconds,
            client: nil,
            request: "{}",
            bounds: bounds.record.text,
            shown: "{}",
            why: nil
        )
    }

    private var signer: AuthorizedSigner {
        market.authorized(
            LocalKey(market.trader),
            origin: PlanOrigin(plan: Self.id.number, isApproved: true)
        )
    }

    private func ready<Work: AgentOperation>(
        _ work: Work.Type,
        _ request: Work.Request,
        _ made: (JournalPlan, PlanBounds)
    ) async throws -> AgentPlans<Work>.Ready {
        try await plans(work).ready(made.0, made.1, request, signer: market.signer)
    }

    /// The code of the error, and whether it ends the plan.
    private func failure(_ body: () async throws -> Void) async -> (code: String, ends: Bool)? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? DexError).map { ($0.code, $0.endsPlan) }
        }
    }

    @Test("what it may take and has to bring is what the plan shows")
    func bounds() async throws {
        let (_, bounds) = try await make(MarketOrderModel.self, Self.sale)
        #expect(bounds.limits.pays?.token == TestMarket.zrx)
        #expect(bounds.limits.pays?.raw == TestMarket.units("50"))
        #expect(bounds.limits.receives?.token == TestMarket.weth)
        let minimum = try #require(bounds.limits.receives?.raw)
        #expect(minimum < TestMarket.units("0.5") && minimum > TestMarket.units("0.49"))
        #expect(bounds.limits.gas > .zero)
        #expect(bounds.contracts.contains(market.network.exchange))
        #expect(bounds.spender == nil)
    }

    @Test("it is carried out once, and no second time")
    func once() async throws {
        let made = try await make(MarketOrderModel.self, Self.sale)
        let first = try await ready(MarketOrderModel.self, Self.sale, made)
        let second = try await ready(MarketOrderModel.self, Self.sale, made)
        try first.check(signer)
        let outcome = try await first.execute(signer)
        #expect(outcome.error == nil)
        #expect(outcome.received == TestMarket.units("0.5"))
        #expect(try market.journal.agentPlan(Self.id)?.intent != nil)
        #expect(await failure { _ = try await second.execute(signer) }?.code == "plan-ended")
        // Whatever the journal says: the audit log has what was signed.
        #expect(await failure { try second.check(signer) }?.code == "plan-ended")
        #expect(try market.journaled().count == 1)
    }

    @Test("a better market is taken, a worse one within the bounds too, and one beyond is refused")
    func drift() async throws {
        let made = try await make(MarketOrderModel.self, Self.sale)
        let minimum = try #require(made.1.limits.receives?.raw)
        for (price, moved) in [("1.1", false), ("0.999", false), ("0.98", true)] {
            try await setBook(price, salt: 7)
            var received: UInt256?
            let failed = await failure {
                let ready = try await ready(MarketOrderModel.self, Self.sale, made)
                received = ready.planned.content.minimumReceive
                #expect(ready.planned.content.gas.maxCost <= made.1.limits.gas)
            }
            #expect((failed?.code == "plan-moved") == moved, "\(price): \(failed?.code ?? "-")")
            #expect(failed?.ends ?? false == moved)
            if let received { #expect(received >= minimum, "\(price)") }
        }
    }

    @Test("a purchase keeps what it may cost, by an amount and by a spend")
    func purchases() async throws {
        let requests = [
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "40"),
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "0.5", spends: true),
            MarketRequest(side: .buy, pair: "ZRX/WETH", amount: "40", limitPrice: "0.0102"),
        ]
        for (index, request) in requests.enumerated() {
            try await setBook("1")
            let id = PlanID(number: UInt64(index + 1))
            let made = try await make(MarketOrderModel.self, request, id: id)
            let maximum = try #require(made.1.limits.pays?.raw)
            for price in ["0.9", "1", "1.0005"] {
                try await setBook(price, salt: UInt256(UInt64(index + 8)))
                let ready = try await ready(MarketOrderModel.self, request, made)
                #expect(ready.planned.content.maximumCost <= maximum)
            }
            try await setBook("1.2", salt: 99)
            #expect(
                await failure { _ = try await ready(MarketOrderModel.self, request, made) }?.code
                    == "plan-moved"
            )
        }
    }

    @Test("a share of the balance is the amount of then, whatever the balance is now")
    func shares() async throws {
        let request = MarketRequest(side: .sell, pair: "ZRX/WETH", amount: "1%")
        let made = try await make(MarketOrderModel.self, request)
        #expect(made.1.limits.pays?.raw == TestMarket.units("100"))
        _ = try await market.trade(.sell, "50")
        try await setBook("1", salt: 5)
        let ready = try await ready(MarketOrderModel.self, request, made)
        #expect(ready.planned.content.maximumPay == TestMarket.units("100"))
    }

    @Test("a limit order keeps both amounts and its end, whatever the price of the book is by then")
    func limitOrder() async throws {
        let request = LimitRequest(
            side: .sell,
            pair: "ZRX/WETH",
            amount: "10",
            price: "mid+10%",
            expiry: .after(3_600)
        )
        let made = try await make(LimitOrderModel.self, request)
        try await market.clock.environment.sleep(20_000)
        try await setBook("0.99", salt: 3)
        let ready = try await ready(LimitOrderModel.self, request, made)
        #expect(ready.planned.content.give.raw == made.1.limits.pays?.raw)
        #expect(ready.planned.content.get.raw == made.1.limits.receives?.raw)
        #expect(ready.planned.content.expires == made.0.created + 3_600)
        let outcome = try await ready.execute(signer)
        #expect(outcome.order.makerAmount == TestMarket.units("10"))
    }

    @Test("a cancel cancels what was planned, or what is left of it, and ends if nothing is")
    func cancels() async throws {
        var hashes: [OrderHash] = []
        for salt in 1...2 {
            let order = try await market.order(
                by: market.trader,
                give: (TestMarket.zrx, "10"),
                get: (TestMarket.weth, "1"),
                salt: UInt256(UInt64(salt))
            )
            try market.journal.save(
                JournalOrder(
                    chainID: 1337,
                    exchange: order.exchange,
                    hash: order.hash,
                    maker: order.maker,
                    wire: market.exchangeProtocol.encodeOrder(order).text,
                    created: TestMarket.now
                )
            )
            hashes.append(order.hash)
        }
        let request = CancelRequest.hashes(hashes)
        let made = try await make(CancelModel.self, request)
        let one = CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await one.plan(.hashes([hashes[0]]), account: market.trader.address)
        _ = try await one.execute(planned, signer: market.signer)
        let left = try await ready(CancelModel.self, request, made)
        #expect(left.planned.content.orders.map(\.order.hash) == [hashes[1]])
        _ = try await left.execute(signer)
        #expect(
            await failure { _ = try await ready(CancelModel.self, request, made) }?.code
                == "plan-moved"
        )
    }

    @Test("what is carried out for an agent and never reported stops no later command")
    func unreported() async throws {
        let made = try await make(MarketOrderModel.self, Self.sale)
        let outcome = try await ready(MarketOrderModel.self, Self.sale, made).execute(signer)
        #expect(outcome.error == nil)
        // As after a kill: nothing was recorded as reported.
        try await setBook("1", salt: 9)
        let own = try await market.trade(.sell, "10")
        #expect(own.error == nil)
    }

    @Test("a plan that was expired or declined in between is not signed")
    func late() async throws {
        let made = try await make(MarketOrderModel.self, Self.sale)
        let ready = try await ready(MarketOrderModel.self, Self.sale, made)
        try market.journal.decline(Self.id, now: market.clock.environment.now())
        #expect(await failure { _ = try await ready.execute(signer) }?.code == "plan-ended")
        let second = PlanID(number: 2)
        let other = try await make(MarketOrderModel.self, Self.sale, id: second)
        let open = try await self.ready(MarketOrderModel.self, Self.sale, other)
        try await market.clock.environment.sleep((AgentPlanLife.seconds + 1) * 1_000)
        #expect(await failure { _ = try await open.execute(signer) } != nil)
        #expect(try market.journaled().isEmpty)
    }

    @Test("bounds that are damaged are no bounds")
    func damaged() async throws {
        let record = try await make(MarketOrderModel.self, Self.sale).1.record
        let object = try #require(record.objectValue)
        for member in object.members {
            for wrong: JSONValue in ["x", 1, [], [:], true] where wrong != member.value {
                // An empty list of allowances or contracts is one.
                if wrong == [], member.value.arrayValue != nil { continue }
                var changed = object
                changed[member.key] = wrong
                if member.key == "chainId", wrong == 1 { continue }
                #expect(PlanBounds(record: .object(changed)) == nil, "\(member.key) \(wrong)")
            }
        }
        #expect(PlanBounds(record: []) == nil)
    }
}
