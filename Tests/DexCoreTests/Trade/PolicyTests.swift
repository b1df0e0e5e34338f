import DexCore
import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("The policy at every signature of a trade")
struct PolicyTests {
    private func market(_ holdings: LiveMarket.Holdings) async throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.setBook(asks: [try await market.ask(0, "100", for: "1")])
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func policy(_ change: (inout Policy) -> Void) -> Policy {
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.tokenNames = [
            TestMarket.weth: Token(
                address: TestMarket.weth,
                symbol: "WETH",
                name: "",
                decimals: 18
            )
        ]
        change(&policy)
        return policy
    }

    private static let weth = Asset.token(TestMarket.weth)

    private func limitModel(_ market: LiveMarket) throws -> LimitOrderModel {
        LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private static let limit = LimitRequest(
        side: .buy,
        pair: "ZRX/WETH",
        amount: "100",
        price: "0.0025",
        expiry: .after(86_400),
        posts: true
    )

    @Test("a trade whose fill is forbidden is refused before its approval is sent")
    func beforeApproval() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let plan = try await market.plan(.buy, "10")
        #expect(plan.content.steps.map(\.purpose) == [.approve, .fill])
        let log = MemoryAuditLog()
        let rules = [
            ("tokens", policy { $0.tokens = [Self.weth] }),
            ("max_fee", policy { $0.maximumFee = Wei(UInt256(1)) }),
            ("max_slippage", policy { $0.maximumSlippage = 1 }),
            ("spenders", policy { $0.spenders = [TestMarket.proxy] }),
            ("networks", policy { $0.networks = ["mainnet"] }),
            ("max_per_trade.WETH", policy { $0.perTrade = [Self.weth: 1] }),
            ("max_per_day.WETH", policy { $0.perDay = [Self.weth: 1] }),
            ("recipients", policy { $0.recipients = [] }),
        ]
        for (rule, policy) in rules {
            let signer = market.authorized(LocalKey(market.trader), policy: policy, log: log)
            let error = await refusal { try await market.model().execute(plan, signer: signer) }
            #expect(error?.exit == .refused)
            #expect(error?.code == "policy")
            #expect(error?.message.hasPrefix("The rule \(rule) of policy.toml ") == true, "\(rule)")
        }
        #expect(market.node.sent.isEmpty)
        #expect(try market.journaled().isEmpty)
        #expect(try log.lines(since: 0).isEmpty)
    }

    @Test("within the rules approval and fill are signed, each with its own line")
    func allowed() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let plan = try await market.plan(.buy, "10")
        let log = MemoryAuditLog()
        let signer = market.authorized(
            LocalKey(market.trader),
            policy: policy {
                $0.networks = ["sandbox"]
                $0.tokens = [Self.weth, .token(TestMarket.zrx)]
                $0.spenders = [TestMarket.proxy, TestMarket.exchange]
                $0.recipients = []
                $0.maximumFee = Wei(TestMarket.units("1"))
                $0.maximumSlippage = 100
                $0.perTrade = [Self.weth: TestMarket.units("0.1")]
                $0.perDay = [Self.weth: TestMarket.units("0.1")]
            },
            log: log
        )
        let outcome = try await market.model().execute(plan, signer: signer)
        #expect(outcome.exit == .done)
        let lines = try log.lines(since: 0)
        #expect(lines.map(\.event) == [.authorized, .signed, .authorized, .signed])
        #expect(
            lines.compactMap { $0.json["purpose"]?.stringValue } == ["approve", "fill"]
        )
        #expect(lines[2].json["slippage"] == "1")
        #expect(
            lines.compactMap { $0.json["hash"]?.stringValue }
                == outcome.transactions.map(\.hash.hex)
        )
        // The day is used up.
        let again = try await market.plan(.buy, "10")
        let error = await refusal { try await market.model().execute(again, signer: signer) }
        #expect(error?.message.hasPrefix("The rule max_per_day.WETH ") == true)
        #expect(market.node.sent.count == 2)
    }

    @Test("a limit order that is forbidden is refused before its approval, and kept nowhere")
    func limitOrder() async throws {
        let market = try await market(LiveMarket.Holdings(allowance: 0))
        let model = try limitModel(market)
        let plan = try await model.plan(Self.limit, account: market.trader.address)
        #expect(plan.content.steps.map(\.purpose) == [.approve])
        let strict = market.authorized(
            LocalKey(market.trader),
            policy: policy { $0.tokens = [Self.weth] }
        )
        let error = await refusal { try await model.execute(plan, signer: strict) }
        #expect(error?.message.hasPrefix("The rule tokens ") == true)
        #expect(market.node.sent.isEmpty && market.relay.posted.isEmpty)
        #expect(try market.journal.order(plan.content.orderHash) == nil)
        let log = MemoryAuditLog()
        let open = market.authorized(LocalKey(market.trader), log: log)
        let outcome = try await model.execute(plan, signer: open)
        #expect(outcome.exit == .done)
        let lines = try log.lines(since: 0)
        #expect(
            lines.compactMap { $0.json["purpose"]?.stringValue } == ["approve", "limit-order"]
        )
        #expect(lines.last?.json["hash"]?.stringValue == plan.content.orderHash.hex)
    }

    @Test("a cancel too is held against the rules and written down")
    func cancel() async throws {
        let market = try await market(LiveMarket.Holdings())
        let order = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, "10"),
            get: (TestMarket.weth, "1"),
            salt: 1
        )
        market.relay.set { $0.orders[order.hash] = .success(order) }
        let model = CancelModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let plan = try await model.plan(.hashes([order.hash]), account: market.trader.address)
        let strict = market.authorized(
            LocalKey(market.trader),
            policy: policy { $0.maximumFee = Wei(UInt256(1)) }
        )
        let error = await refusal { try await model.execute(plan, signer: strict) }
        #expect(error?.message.hasPrefix("The rule max_fee ") == true)
        #expect(market.node.sent.isEmpty)
        let log = MemoryAuditLog()
        // What pays nothing is not stopped by limits of amounts.
        let signer = market.authorized(
            LocalKey(market.trader),
            policy: policy { $0.perTrade = [Self.weth: 0, .token(TestMarket.zrx): 0] },
            log: log
        )
        #expect(try await model.execute(plan, signer: signer).exit == .done)
        let line = try #require(try log.lines(since: 0).first)
        #expect(line.json["purpose"] == "cancel")
        #expect(line.json["function"] == "cancelOrder")
    }

    @Test("transfers, wraps, allowances and calls of any contract are held against the rules too")
    func money() async throws {
        let market = try LiveMarket()
        let carol = market.rival.address
        let log = MemoryAuditLog()
        func signer(_ change: (inout Policy) -> Void) -> AuthorizedSigner {
            market.authorized(LocalKey(market.trader), policy: policy(change), log: log)
        }
        func expect(_ rule: String, _ error: DexError?) {
            #expect(
                error?.message.hasPrefix("The rule \(rule) ") == true,
                "\(error?.message ?? "")"
            )
        }
        let sent = try await market.plan(market.send("1", "ZRX"))
        for (rule, change) in [
            ("recipients", { $0.recipients = [TestMarket.exchange] }),
            ("tokens", { $0.tokens = [Self.weth] }),
        ] as [(String, (inout Policy) -> Void)] {
            expect(
                rule,
                await refusal {
                    try await market.transfers().execute(sent, signer: signer(change))
                }
            )
        }
        let wrap = try await market.plan(.wrap("2"))
        let little = signer { $0.perTrade = [.ether: TestMarket.units("1")] }
        expect(
            "max_per_trade.ETH",
            await refusal { try await market.transfers().execute(wrap, signer: little) }
        )
        let allowances = AllowanceModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let allowance = try await allowances.plan(
            AllowanceRequest(token: "WETH", amount: .exactly("7")),
            account: market.trader.address
        )
        let closed = signer { $0.spenders = [TestMarket.exchange] }
        expect(
            "spenders",
            await refusal { try await allowances.execute(allowance, signer: closed) }
        )
        // What nobody here understands needs its contract in the list.
        let call = try await market.plan(
            "ZRX",
            "totalSupply()(uint256)",
            []
        )
        let careful = signer { $0.tokens = [.ether] }
        expect(
            "spenders",
            await refusal { try await market.contracts().execute(call, signer: careful) }
        )
        #expect(market.node.sent.isEmpty)
        #expect(try log.lines(since: 0).isEmpty)
        let outcome = try await market.transfers().execute(
            sent,
            signer: signer {
                $0.recipients = [carol]
                $0.tokens = [.token(TestMarket.zrx)]
            }
        )
        #expect(outcome.exit == .done)
        #expect(try log.lines(since: 0).first?.json["purpose"] == "send")
    }

    @Test("what the policy calls slippage is that of the worst outcome against the quote")
    func slippage() async throws {
        let market = try await market(LiveMarket.Holdings())
        // 0.01 WETH each is quoted; the backup order asks 2 % more, and rounding a unit.
        market.setBook(asks: [
            try await market.ask(0, "100", for: "1"), try await market.ask(1, "100", for: "1.02"),
        ])
        let plan = try await market.plan(.buy, "10", limit: "0.0102")
        func signer(_ percent: UInt64) -> AuthorizedSigner {
            market.authorized(
                LocalKey(market.trader),
                policy: policy { $0.maximumSlippage = percent }
            )
        }
        let error = await refusal {
            try await market.model().execute(plan, signer: signer(200))
        }
        #expect(error?.message.contains(" 2.01 % worse than quoted") == true)
        #expect(try await market.model().execute(plan, signer: signer(201)).exit == .done)
    }
}
