import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("An own order is cancelled, and another takes its place")
struct ReplaceOrderTests {
    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        mining: ChainConfiguration.Mining = .instant,
        version: ProtocolVersion = .v1
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings, mining: mining, version: version)
        market.setBook(
            bids: [try await market.bid(0, "1000", for: "0.9")],
            asks: [try await market.ask(1, "1000", for: "1.2")]
        )
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func settings(_ change: (inout TradeSettings) -> Void) -> TradeSettings {
        var settings = TradeSettings()
        change(&settings)
        return settings
    }

    private func model(
        _ market: LiveMarket,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> ReplaceOrderModel {
        ReplaceOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings(change)
        )
    }

    /// Places an own order; the relay serves it from then on.
    private func place(
        _ market: LiveMarket,
        _ side: TradeSide = .sell,
        _ amount: String = "100",
        at price: String = "0.0011"
    ) async throws -> any SignedOrder {
        let model = LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let planned = try await model.plan(
            LimitRequest(side: side, pair: "ZRX/WETH", amount: amount, price: price),
            account: market.trader.address
        )
        return try await model.execute(planned, signer: market.signer).order
    }

    private func plan(
        _ market: LiveMarket,
        _ hash: OrderHash,
        price: String = "0.00105",
        amount: String? = nil,
        expiry: OrderExpiry? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<ReplaceOrderPlan> {
        try await model(market, change).plan(
            ReplaceOrderRequest(order: hash, price: price, amount: amount, expiry: expiry),
            account: market.trader.address
        )
    }

    private func isOpen(_ market: LiveMarket, _ order: any SignedOrder) async throws -> Bool {
        let rows = try await OrderInspector(session: try market.session())
            .rows(for: [order], account: market.trader.address).rows
        return try #require(rows.first).state.remaining > .zero
    }

    // MARK: The plan

    @Test("what is not named stays: side, pair, expiry, and what is left of the amount")
    func keeps() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            for side in [TradeSide.sell, .buy] {
                let market = try await market(version: version)
                let old = try await place(market, side, at: side == .sell ? "0.0011" : "0.00095")
                // The rival takes two fifths.
                try await market.take(old, old.takerAmount / 5 * 2)
                let plan = try await plan(market, old.hash, price: "0.001").content
                let new = plan.order
                #expect(new.side == side)
                #expect((side == .sell ? new.give : new.get).value == "60")
                #expect((side == .sell ? new.get : new.give).value == "0.06")
                #expect(new.expires == old.expiry.uint64)
                #expect(new.orderHash != old.hash)
                #expect(plan.cancel.orders.map(\.order.hash) == [old.hash])
                #expect(plan.steps.map(\.purpose) == [.cancel])
                #expect(plan.account == market.trader.address)
                let named = try await self.plan(
                    market,
                    old.hash,
                    price: side == .sell ? "ask" : "bid",
                    amount: ".5k",
                    expiry: .after(60)
                ).content.order
                #expect((side == .sell ? named.give : named.get).value == "500")
                #expect(named.expires == market.clock.environment.now() + 60)
                #expect(named.relative?.typed == (side == .sell ? "ask" : "bid"))
            }
        }
    }

    @Test("the old order's funds count for the new one, other open orders' do not")
    func funds() async throws {
        var holdings = LiveMarket.Holdings()
        holdings.zrx = "150"
        let market = try await market(holdings)
        let old = try await place(market)
        _ = try await place(market, .sell, "50", at: "0.0012")
        #expect(try await plan(market, old.hash).content.order.give.value == "100")
        let more = await refusal { try await plan(market, old.hash, amount: "100.1") }
        #expect(more?.code == "insufficient-balance")
    }

    @Test("both signatures are checked against policy.toml before the first")
    func policy() async throws {
        let market = try await market()
        let old = try await place(market)
        let planned = try await plan(market, old.hash, amount: "500")
        #expect(planned.signatures.count == 2)
        let sent = market.node.sent.count
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.perTrade = [.token(TestMarket.zrx): TestMarket.units("200")]
        let signer = market.authorized(LocalKey(market.trader), policy: policy)
        let error = await refusal { try await model(market).execute(planned, signer: signer) }
        #expect(error?.code == "policy")
        #expect(market.node.sent.count == sent)
        #expect(try await isOpen(market, old))
    }

    @Test("the cap of the network fee is for all steps together")
    func feeCap() async throws {
        var holdings = LiveMarket.Holdings()
        holdings.allowances = [TestMarket.zrx: TestMarket.units("100")]
        let market = try await market(holdings)
        let old = try await place(market)
        let whole = try await plan(market, old.hash, amount: "200").content
        #expect(whole.steps.map(\.purpose) == [.approve, .cancel])
        #expect(whole.gas.limit == whole.steps.reduce(0) { $0 + $1.gasLimit })
        let error = await refusal {
            try await plan(market, old.hash, amount: "200") {
                $0.feeCap = Wei(whole.gas.maxCost.rawValue - 1)
                $0.fees.maxFee = whole.gas.maxFeePerGas
            }
        }
        #expect(error?.code == "fee-cap")
    }

    @Test("an order that is not open, unknown, or another's is refused with exit 6 or 2")
    func refusals() async throws {
        let market = try await market()
        let old = try await place(market)
        try await market.take(old)
        let filled = await refusal { try await plan(market, old.hash) }
        #expect(filled?.code == "not-open" && filled?.exit == .refused)
        #expect(filled?.message.contains("\(old.hash) is filled") == true)
        #expect(filled?.hint?.contains("dex resume") == true)
        let foreign = try await market.ask(0, "100", for: "1")
        market.relay.set { $0.orders[foreign.hash] = .success(foreign) }
        let other = await refusal { try await plan(market, foreign.hash) }
        #expect(other?.code == "not-own-order")
        let second = try await place(market, .sell, "1", at: "0.0012")
        for (price, amount, code) in [
            ("1,5", nil, "bad-price"), ("mid*2", nil, "bad-price"), ("0.001", "all", "bad-amount"),
            ("0.0001", nil, "crosses-book"),
        ] as [(String, String?, String)] {
            let error = await refusal {
                try await plan(market, second.hash, price: price, amount: amount)
            }
            #expect(error?.code == code, "\(price)")
        }
        let early = await refusal { try await plan(market, second.hash, expiry: .at(5)) }
        #expect(early?.code == "bad-expiry")
    }

    @Test("an unconfirmed order that is replaced is not taken for its own replacement")
    func unconfirmed() async throws {
        let market = try await market()
        market.relay.set {
            $0.post = .failure(.unreachable(url: "http://relay", reason: "cut"))
            $0.missing = .success(nil)
        }
        _ = await refusal { try await place(market) }
        let lost = try #require(market.relay.posted.first)
        market.relay.set { $0.post = .success(()) }
        #expect(try market.journal.order(lost.hash)?.isInDoubt == true)
        let planned = try await plan(market, lost.hash, price: "0.0011", expiry: .after(60))
        #expect(planned.content.order.orderHash != lost.hash)
        #expect(planned.content.warnings.allSatisfy { !$0.hasPrefix("RESUMED") })
    }

    // MARK: The outcome

    @Test("the old order is cancelled first; then the new one is posted, once")
    func replaces() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            let market = try await market(version: version)
            let old = try await place(market)
            let planned = try await plan(market, old.hash)
            let outcome = try await model(market).execute(planned, signer: market.signer)
            #expect(outcome.exit == .done, "\(String(describing: outcome.error))")
            #expect(outcome.cancelled.rows.map(\.status) == [.cancelled])
            let new = try #require(outcome.placed).order
            #expect(new.hash == planned.content.order.orderHash)
            #expect(market.relay.posted.map(\.hash) == [old.hash, new.hash])
            #expect(try await !isOpen(market, old))
            #expect(try await isOpen(market, new))
            #expect(outcome.transactions.map(\.purpose) == [.cancel])
            #expect(try market.journal.order(new.hash)?.relay != nil)
        }
    }

    @Test("what is filled before the cancel is not offered again: exit 14, nothing signed")
    func filledMeanwhile() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            for part in [UInt256(4), 1] {
                let market = try await market(version: version)
                let old = try await place(market)
                let planned = try await plan(market, old.hash)
                try await market.take(old, old.takerAmount / part)
                let outcome: ReplaceOrderOutcome
                do {
                    outcome = try await model(market).execute(planned, signer: market.signer)
                } catch {
                    // The simulation shows that there is nothing to cancel.
                    #expect(part == 1 && market.relay.posted.count == 1)
                    continue
                }
                #expect(outcome.exit == .filledLess)
                #expect(outcome.placed == nil)
                #expect(market.relay.posted.map(\.hash) == [old.hash])
                #expect(outcome.error?.code == (part == 1 ? "filled-less" : "filled-meanwhile"))
                if part == 4 { #expect(outcome.error?.message.contains("25 ZRX") == true) }
            }
        }
    }

    @Test("while the cancel is not mined the new order is not signed: exit 12")
    func unmined() async throws {
        let market = try await market(mining: .manual)
        let old = try await place(market)
        let planned = try await plan(market, old.hash)
        let outcome = try await model(market) { $0.receiptTimeout = 1 }
            .execute(planned, signer: market.signer)
        #expect(outcome.exit == .notMinedYet)
        #expect(outcome.placed == nil)
        #expect(outcome.warnings.contains("The new order was not signed."))
        #expect(market.relay.posted.map(\.hash) == [old.hash])
        #expect(
            try market.journal.orders(of: market.trader.address, network: market.network).count == 1
        )
    }

    @Test("what stops the new order, stops before anything is cancelled")
    func checkedFirst() async throws {
        let market = try await market()
        let old = try await place(market)
        let planned = try await plan(market, old.hash)
        let sent = market.node.sent.count
        // The bids rise above the new price.
        market.setBook(bids: [try await market.bid(0, "1000", for: "2")])
        let error = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(error?.code == "crosses-book")
        #expect(market.node.sent.count == sent)
        #expect(try await isOpen(market, old))
    }

    @Test("a relay that refuses the new order leaves neither, and the outcome says so: exit 7")
    func refused() async throws {
        let market = try await market()
        let old = try await place(market)
        let planned = try await plan(market, old.hash)
        market.relay.set {
            $0.post = .failure(.refused(status: 400, code: 100, reason: "No room", fields: []))
        }
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .relayRefused)
        #expect(outcome.error?.code == "cancelled-not-replaced")
        #expect(outcome.error?.message.contains("No room") == true)
        #expect(outcome.cancelled.rows.map(\.status) == [.cancelled])
        #expect(try await !isOpen(market, old))
        // A repeated command places nothing: there is nothing to replace.
        let again = await refusal { try await plan(market, old.hash) }
        #expect(again?.code == "not-open")
    }

    @Test("after a lost answer resume posts the very same order, and a repeat places no other")
    func resumed() async throws {
        let market = try await market()
        let old = try await place(market)
        let planned = try await plan(market, old.hash)
        let hash = planned.content.order.orderHash
        market.relay.set {
            $0.post = .failure(.unreachable(url: "http://relay", reason: "cut"))
            $0.orders[hash] = .success(nil)
        }
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .unreachable)
        #expect(outcome.error?.hint?.contains("dex resume") == true)
        #expect(try market.journal.order(hash)?.isInDoubt == true)
        market.relay.set { $0.post = .success(()) }
        let again = await refusal { try await plan(market, old.hash) }
        #expect(again?.code == "not-open")
        let resume = ResumeModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let found = try await resume.plan()
        #expect(found.state.items.contains { $0.hash == hash.word && $0.action == .post })
        _ = try await resume.execute(found)
        #expect(market.relay.posted.map(\.hash) == [old.hash, hash, hash])
    }

    @Test("resume says of a command that died after its cancel that the new order was not signed")
    func halfway() async throws {
        let market = try await market()
        let old = try await place(market)
        // The process dies where the new order would be recorded.
        let cancel = try await CancelModel(try model(market).context)
            .plan(.hashes([old.hash]), account: market.trader.address)
        let intent = try market.journal.open(
            JournalIntent(
                chainID: 1337,
                account: market.trader.address,
                command: "replace",
                plan: JournalIntent.orderPlan,
                created: market.clock.environment.now()
            )
        )
        let sender = TransactionSender(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings(),
            signer: market.signer,
            intent: intent,
            steps: 1
        )
        _ = try await PlanRunner(try model(market).context).carryOut(cancel, sender)
        let found = try await ResumeModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        ).plan()
        let item = try #require(found.state.items.first { $0.kind == .intent })
        #expect(item.notes.contains { $0.contains("dex") }, "\(item.notes)")
        let open = try market.journal.unfinished(chainID: 1337).intents
        #expect(open.map(\.isHalfReplaced) == [true])
    }

    @Test("a plan whose step was not begun is a fault that says so, not an interruption")
    func missingStep() async throws {
        let market = try await market()
        let old = try await place(market)
        let planned = try await plan(market, old.hash)
        let context = OperationContext(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let error = await #expect(throws: DexError.self) {
            _ = try await ReplaceOrderPlan.outcome(of: planned, by: StepResults(), in: context)
        }
        #expect(error == OutcomeError.stepMissing && error?.kind == .fault)
        #expect(throws: OutcomeError.stepMissing) { try StepResults().done(nil as Int?) }
    }
}
