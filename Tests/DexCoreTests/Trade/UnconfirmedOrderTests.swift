import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("A limit order whose posting nobody confirmed is never placed twice")
struct UnconfirmedOrderTests {
    private func model(
        _ market: LiveMarket,
        despitePending: Bool = false
    ) throws -> LimitOrderModel {
        var settings = TradeSettings()
        settings.allowsPending = despitePending
        return LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func request(_ amount: String = "100", lifetime: UInt64 = 86_400) -> LimitRequest {
        LimitRequest(
            side: .buy,
            pair: "ZRX/WETH",
            amount: amount,
            price: "0.0025",
            expiry: .after(lifetime),
            posts: true
        )
    }

    /// A market whose relay got an order and whose answer was lost; the order is not there.
    private func doubtful() async throws -> (LiveMarket, OrderHash) {
        // Enough for one order and not for two.
        let market = try LiveMarket(LiveMarket.Holdings(weth: "0.4"))
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .failure(.unreachable(url: "http://relay", reason: "cut"))
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        let model = try model(market)
        let plan = try await model.plan(request(), account: market.trader.address)
        let hash = plan.content.orderHash
        market.relay.set { $0.orders[hash] = .success(nil) }
        let error = await refusal { try await model.execute(plan, signer: market.signer) }
        #expect(error?.exit == .unreachable)
        #expect(try market.journal.order(hash)?.isInDoubt == true)
        market.relay.set { $0.post = .success(()) }
        return (market, hash)
    }

    @Test("where the relay does not have it the very same order is posted again")
    func resumed() async throws {
        let (market, hash) = try await doubtful()
        try await market.clock.environment.sleep(60_000)
        let model = try model(market)
        let plan = try await model.plan(request(), account: market.trader.address)
        #expect(plan.content.orderHash == hash)
        #expect(plan.content.warnings.first?.hasPrefix("RESUMED: ") == true)
        #expect(plan.content.warnings.first?.contains(hash.hex) == true)
        let outcome = try await model.execute(plan, signer: market.signer)
        #expect(outcome.posted && outcome.exit == .done)
        #expect(market.relay.posted.map(\.hash) == [hash, hash])
        #expect(try market.journal.order(hash)?.isInDoubt == false)
        // It is told; one more is another order.
        let next = try await self.model(market).plan(
            request("50"),
            account: market.trader.address
        )
        #expect(next.content.orderHash != hash)
    }

    @Test("where the relay has it the command stops with exit 6, once")
    func unseen() async throws {
        let (market, hash) = try await doubtful()
        let order = try #require(market.relay.posted.first)
        market.relay.set { $0.orders[hash] = .success(order) }
        let error = await refusal {
            try await model(market).plan(request(), account: market.trader.address)
        }
        #expect(error?.exit == .refused)
        #expect(error?.code == "unacknowledged-order")
        #expect(error?.retryable == false)
        #expect(error?.hint?.contains("dex order \(hash)") == true)
        #expect(try market.journal.order(hash)?.isInDoubt == false)
        #expect(try market.journal.order(hash)?.relay != nil)
        #expect(market.relay.posted.count == 1)
        // From here on it is an open order as any other.
        let covered = await refusal {
            try await model(market).plan(request(), account: market.trader.address)
        }
        #expect(covered?.code == "insufficient-balance")
    }

    @Test("where it was filled meanwhile the command stops with exit 6, once")
    func filled() async throws {
        let (market, hash) = try await doubtful()
        let order = try #require(market.relay.posted.first)
        try await market.take(order, TestMarket.units("10"))
        let error = await refusal {
            try await model(market).plan(request(), account: market.trader.address)
        }
        #expect(error?.code == "unacknowledged-order")
        #expect(error?.message.contains("was filled meanwhile") == true)
        #expect(try market.journal.order(hash)?.isInDoubt == false)
    }

    @Test("an order of other terms, an expired one and --despite-pending are new orders")
    func others() async throws {
        let (market, hash) = try await doubtful()
        let account = market.trader.address
        let other = try await model(market).plan(request("60"), account: account)
        #expect(other.content.orderHash != hash)
        #expect(!other.content.warnings.contains { $0.contains("RESUMED") })
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        let more = await refusal {
            try await model(market, despitePending: true).plan(request(), account: account)
        }
        // It counts as an open order, so two of them are not covered.
        #expect(more?.code == "insufficient-balance")
        try await market.clock.environment.sleep(86_400_000)
        try await market.chain.mine()
        let later = try await model(market).plan(
            request(lifetime: 200_000),
            account: account
        )
        #expect(later.content.orderHash != hash)
    }

    @Test("a relay's own refusal settles it; one that limits requests, or a gateway's, does not")
    func refusals() async throws {
        for (answer, isInDoubt) in [
            (RelayError.refused(status: 400, code: 100, reason: "No", fields: []), false),
            (RelayError.rateLimited(url: "http://relay", retryAfter: 1), true),
            (RelayError.refused(status: 403, code: nil, reason: "Forbidden", fields: []), true),
            (RelayError.refused(status: 400, code: -32_603, reason: "Error", fields: []), true),
        ] {
            let market = try LiveMarket()
            market.relay.set { state in
                state.fees = .success(.none)
                state.post = .failure(answer)
                state.onOrders = { _ in .success(RelayOrders(orders: [])) }
            }
            let model = try model(market)
            let plan = try await model.plan(request(), account: market.trader.address)
            _ = await refusal { try await model.execute(plan, signer: market.signer) }
            #expect(try market.journal.order(plan.content.orderHash)?.isInDoubt == isInDoubt)
            // Whatever is in doubt is posted again as it was, and nothing else is.
            let again = try await model.plan(request(), account: market.trader.address)
            #expect((again.content.orderHash == plan.content.orderHash) == isInDoubt)
        }
    }

    @Test("an order that the relay shows is placed, whatever the relay answered to it")
    func keptAndRefused() async throws {
        for answer in [
            RelayError.refused(status: 400, code: 100, reason: "No", fields: []),
            .refused(status: 502, code: nil, reason: "Bad gateway", fields: []),
        ] {
            let market = try LiveMarket()
            market.relay.set { state in
                state.fees = .success(.none)
                state.post = .failure(answer)
                state.onOrders = { _ in .success(RelayOrders(orders: [])) }
                state.showsPosted = true
            }
            let model = try model(market)
            let plan = try await model.plan(request(), account: market.trader.address)
            let outcome = try await model.execute(plan, signer: market.signer)
            #expect(outcome.posted && outcome.exit == .done)
            let record = try #require(try market.journal.order(plan.content.orderHash))
            #expect(record.relay != nil && !record.isInDoubt)
        }
    }
}
