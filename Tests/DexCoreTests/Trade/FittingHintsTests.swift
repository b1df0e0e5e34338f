import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Hints and warnings that fit what happens")
struct FittingHintsTests {
    private func fill(
        _ order: any SignedOrder,
        _ market: LiveMarket,
        _ amount: String? = nil
    ) async throws -> Plan<TradePlan> {
        market.relay.set { $0.orders[order.hash] = .success(order) }
        return try await FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        ).plan(
            FillRequest(source: .hash(order.hash), amount: amount),
            account: market.trader.address
        )
    }

    private func place(
        _ market: LiveMarket,
        _ amount: String,
        at price: String
    ) async throws -> Plan<LimitPlan> {
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        return try await LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        ).plan(
            LimitRequest(
                side: .buy,
                pair: "ZRX/WETH",
                amount: amount,
                price: price,
                expiry: .after(86_400),
                posts: true
            ),
            account: market.trader.address
        )
    }

    // MARK: What is short

    @Test("who lacks wrapped ether is told the dex wrap that brings it", arguments: [true, false])
    func wrap(hasSome: Bool) async throws {
        let market = try LiveMarket(LiveMarket.Holdings(weth: hasSome ? "0.04" : "0"))
        let ask = try await market.ask(0, "100", for: "1")
        market.setBook(asks: [ask])
        market.relay.set { $0.fees = .success(.none) }
        let lacking = hasSome ? "0.06" : "0.1"
        let purchase = await refusal { try await market.plan(.buy, "10") }
        let limit = await refusal { try await place(market, "10", at: "0.01") }
        let part = await refusal { try await fill(ask, market, "10") }
        for error in [purchase, limit, part] {
            #expect(error?.code == "insufficient-balance")
            #expect(error?.hint?.contains("`dex wrap \(lacking)`") == true, "\(error as Any)")
        }
        guard !hasSome else { return }
        let whole = await refusal { try await fill(ask, market) }
        #expect(whole?.code == "insufficient-balance")
        #expect(whole?.hint?.contains("`dex wrap 1`") == true, "\(whole as Any)")
    }

    @Test("a relay's fee is seldom lower for a larger order: another relay, or none, is")
    func relayFee() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            let market = try LiveMarket(version: version)
            let fees =
                version == .v1
                ? TestMarket.fees(maker: "2")
                : OrderFees(
                    recipient: TestMarket.feeRecipient,
                    makerFee: 0,
                    takerFee: TestMarket.units("1.01")
                )
            market.relay.set { $0.fees = .success(fees) }
            let error = await refusal { try await place(market, "100", at: "0.0025") }
            #expect(error?.code == "relay-fee-cap")
            #expect(error?.hint?.contains("larger order") == false)
            #expect(error?.hint?.contains("--relay") == true)
            #expect(error?.hint?.contains("--no-post") == true)
        }
    }

    // MARK: What is gone

    @Test("a fill of what is gone says whether it was filled or cancelled")
    func gone() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            let market = try LiveMarket(version: version)
            let filled = try await market.ask(0, "100", for: "1")
            try await market.take(filled)
            let cancelled = try await market.ask(1, "100", for: "1")
            try await market.take(cancelled, TestMarket.units("0.4"))
            let call = market.exchangeProtocol.cancelCall(
                [cancelled],
                contracts: market.exchangeContracts
            )
            try await market.send(from: market.makers[1], to: call.to, call.data)
            let first = await refusal { try await fill(filled, market) }
            #expect(first?.code == "order-filled")
            #expect(first?.message.hasSuffix("cannot be filled: all of it is filled.") == true)
            let second = await refusal { try await fill(cancelled, market) }
            #expect(second?.code == "order-cancelled")
            #expect(second?.message.hasSuffix("cannot be filled: its maker cancelled it.") == true)
        }
    }

    // MARK: How many

    @Test("one order is counted as one")
    func one() async throws {
        let market = try LiveMarket()
        let good = try await market.ask(0, "100", for: "1", expiresIn: 30)
        let draft = OrderDraft(try await market.ask(1, "100", for: "1"))
        let forged = try await market.exchangeProtocol.sign(draft, with: market.rival)
        market.setBook(asks: [good, forged])
        let error = await refusal { try await market.plan(.buy, "1") }
        #expect(error?.code == "no-liquidity")
        #expect(error?.message.contains("(1 was passed over: ") == true, "\(error as Any)")
        #expect(
            error?.message.contains("The relay sent 2 orders; 1 was left out: Its signature")
                == true,
            "\(error as Any)"
        )
        market.setBook(asks: [forged])
        let alone = await refusal { try await market.plan(.buy, "1") }
        #expect(
            alone?.message.contains("The relay sent 1 order; 1 was left out: ") == true,
            "\(alone as Any)"
        )
    }

    @Test("the rest of a list of what cannot be read is counted in words that fit")
    func unreadable() {
        for (count, words) in [(11, "1 more entry cannot"), (12, "2 more entries cannot")] {
            let orders = UnreadableOrders(Array(repeating: OrderError.notAnOrder, count: count))
            let dropped = OrderbookState.Dropped.list(orders)
            #expect(dropped.last?.reason.words.hasPrefix(words) == true, "\(dropped.last as Any)")
        }
    }

    // MARK: What a plan warns of

    @Test("a plan of one order on v4 says that the call reverts where the order is gone")
    func revertsWhole() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let alone = try await stage.plan("10", from: [best]).content.warnings
        #expect(alone.contains { $0.contains("the transaction reverts and only gas is spent") })
        #expect(!alone.contains { $0.contains("part unfilled") || $0.contains("step in") })
        let next = try await stage.ask(1, "100", for: "1.002")
        let spared = try await stage.plan("10", from: [best, next]).content
        #expect(spared.legs.map(\.isBackup) == [false, true])
        #expect(spared.warnings.contains { $0.contains("step in") && $0.contains("reverts") })
        #expect(!spared.warnings.contains { $0.contains("part unfilled") })
        let two = try await stage.plan("150", from: [best, next]).content.warnings
        #expect(two.contains { $0.contains("part unfilled") })
    }

    @Test("where the last order may fill more than is planned of it, that is said")
    func lastMayFillMore() async throws {
        let stage = try MarketV4()
        let best = try await stage.ask(0, "100", for: "1")
        let next = try await stage.ask(1, "100", for: "1.002")
        let plan = try await stage.plan("150", from: [best, next]).content
        #expect(plan.legs.allSatisfy { !$0.isBackup })
        #expect(plan.maximumPay > plan.expectedPay)
        #expect(!plan.warnings.contains { $0.contains("no backup orders") })
        #expect(plan.warnings.contains { $0.contains("step in within the amounts above") })
    }

    @Test("a plan without backups has the amounts of its own orders alone")
    func noSpares() async throws {
        let market = try LiveMarket()
        var asks: [any SignedOrder] = []
        for (maker, total) in ["1", "1.005"].enumerated() {
            asks.append(
                try await market.order(
                    by: market.makers[maker],
                    give: (LiveMarket.stubborn, "100"),
                    get: (TestMarket.weth, total)
                )
            )
        }
        market.setBook(asks: asks)
        let plan = try await market.plan(
            .buy,
            "10",
            pair: "\(LiveMarket.stubborn.checksummed)/WETH"
        ).content
        #expect(plan.warnings.contains { $0.contains("there are no backup orders") })
        #expect(plan.legs.count == 1)
        #expect(plan.minimumReceive == plan.expectedReceive)
        #expect(plan.maximumPay == plan.expectedPay)
    }
}
