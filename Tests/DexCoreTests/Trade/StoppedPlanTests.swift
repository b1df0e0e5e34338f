import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A plan that an earlier transaction stops knows that, so that nobody is asked about it.
@Suite("What an earlier transaction stops is not asked about")
struct StoppedPlanTests {
    private func waiting(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        version: ProtocolVersion = .v1
    ) async throws -> (LiveMarket, TransactionHash) {
        let market = try LiveMarket(holdings, mining: .manual, version: version)
        let order = try await market.ask(0, "100", for: "1")
        market.setBook(asks: [order])
        market.relay.set { state in
            state.orders[order.hash] = .success(order)
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .notMinedYet)
        return (market, try #require(outcome.transactions.last?.hash))
    }

    private func expect(
        _ stop: DexError?,
        by hash: TransactionHash,
        _ comment: Comment
    ) {
        #expect(stop?.code == "pending-transaction", comment)
        #expect(stop?.exit == .notMinedYet, comment)
        #expect(stop?.hint?.contains("dex tx speedup \(hash)") == true, comment)
        #expect(stop?.hint?.contains("dex status \(hash) --wait") == true, comment)
    }

    private func allowances(_ market: LiveMarket) throws -> AllowanceModel {
        AllowanceModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func limitPlan(_ market: LiveMarket) async throws -> LimitPlan {
        try await LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        ).plan(
            LimitRequest(
                side: .buy,
                pair: "ZRX/WETH",
                amount: "5",
                price: "0.009",
                expiry: .after(3_600),
                posts: false
            ),
            account: market.trader.address
        ).content
    }

    @Test("by a pending fill: whatever moves money", arguments: [ProtocolVersion.v1, .v4])
    func moves(version: ProtocolVersion) async throws {
        let (market, hash) = try await waiting(version: version)
        let stop = try await market.plan(.buy, "10").content.stop
        expect(stop, by: hash, "market-buy")
        let order = try await market.ask(0, "100", for: "1")
        let fill = try await FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        ).plan(
            FillRequest(source: .hash(order.hash), amount: "5"),
            account: market.trader.address
        )
        expect(fill.content.stop, by: hash, "fill")
        expect(try await market.plan(market.send("5", "ZRX")).content.stop, by: hash, "send")
        let wrap = try await market.plan(.wrap("1"))
        expect(wrap.content.stop, by: hash, "wrap")
        let call = try await market.plan("WETH", "deposit()", [], value: "1")
        expect(call.content.stop, by: hash, "transact")
        // It says the same as what stops the command once it goes on regardless of the plan.
        let error = await refusal { try await market.trade(.buy, "10") }
        #expect(error?.message == stop?.message && error?.hint == stop?.hint)
    }

    @Test("not where the user goes on regardless, and not what a fill does not hold up")
    func goesOn() async throws {
        let (market, _) = try await waiting()
        #expect(try await market.plan(.buy, "10") { $0.allowsPending = true }.content.stop == nil)
        let set = try await allowances(market).plan(
            AllowanceRequest(token: LiveMarket.usdt.checksummed, amount: .exactly("5")),
            account: market.trader.address
        )
        #expect(set.content.stop == nil)
        #expect(try await limitPlan(market).stop == nil)
        try await market.chain.mine()
    }

    @Test("by a pending approval: one more, and an order that needs one")
    func approval() async throws {
        let (market, hash) = try await waiting(LiveMarket.Holdings(allowance: 0))
        let set = try await allowances(market).plan(
            AllowanceRequest(token: "WETH", amount: .exactly("5")),
            account: market.trader.address
        )
        expect(set.content.stop, by: hash, "allowance set")
        let revoke = try await allowances(market).plan(
            AllowanceRequest.revoking("WETH"),
            account: market.trader.address
        )
        #expect(revoke.content.stop == nil)
        expect(try await limitPlan(market).stop, by: hash, "place-limit")
    }

    @Test("by one that was mined behind its command's back, until it is looked at")
    func unseen() async throws {
        let (market, hash) = try await waiting()
        try await market.chain.mine()
        let stop = try await market.plan(.buy, "10").content.stop
        #expect(stop?.code == "unacknowledged-fill" && stop?.exit == .refused)
        #expect(stop?.hint?.contains("dex status \(hash)") == true)
        // Another kind of transaction repeats nothing.
        #expect(try await market.plan(market.send("5", "ZRX")).content.stop == nil)
        _ = try await StatusModel(session: try market.session(), journal: market.journal)
            .load(hash.word)
        #expect(try await market.plan(.buy, "10").content.stop == nil)
    }
}
