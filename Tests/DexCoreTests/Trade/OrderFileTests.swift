import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

/// `place-limit --no-send` and `dex broadcast` of its file.
@Suite("Orders that are signed into a file and posted later")
struct OrderFileTests {
    /// Of the machine that posts.
    private let elsewhere = TemporaryJournal()

    private func market(_ holdings: LiveMarket.Holdings = .init()) throws -> LiveMarket {
        let market = try LiveMarket(holdings)
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.missing = .success(nil)
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func limits(_ market: LiveMarket) throws -> LimitOrderModel {
        var settings = TradeSettings()
        settings.holds = true
        return LimitOrderModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        )
    }

    private func model(
        _ market: LiveMarket,
        _ session: Session? = nil
    ) throws -> OrderBroadcastModel {
        OrderBroadcastModel(
            session: try session ?? market.session(),
            journal: elsewhere.journal,
            settings: TradeSettings()
        )
    }

    private func plan(
        _ market: LiveMarket,
        _ price: String = "0.0025"
    ) async throws -> Plan<LimitPlan> {
        try await limits(market).plan(
            LimitRequest(
                side: .sell,
                pair: "ZRX/WETH",
                amount: "100",
                price: price,
                expiry: .after(86_400),
                posts: true
            ),
            account: market.trader.address
        )
    }

    /// The file of a signed order.
    private func file(_ market: LiveMarket) async throws -> JSONValue {
        let outcome = try await limits(market).execute(
            try await plan(market),
            signer: market.signer
        )
        #expect(!outcome.posted && outcome.relay == nil && outcome.error == nil)
        return try #require(OrderBroadcastModel.order(in: Array(outcome.wire.utf8)))
    }

    private func error(_ body: () async throws -> Void) async throws -> DexError {
        do {
            try await body()
        } catch let error as DexError {
            return error
        }
        throw CancellationError()
    }

    @Test("it is signed with the relay's fees, kept, and posted by nothing but broadcast")
    func held() async throws {
        let market = try market()
        let json = try await file(market)
        #expect(market.relay.drafts.count == 1 && market.relay.posted.isEmpty)
        let hash = try market.exchangeProtocol.decodeOrder(json).hash
        let kept = try #require(try market.journal.order(hash))
        #expect(!kept.isInDoubt && kept.relay == nil)
        #expect(try elsewhere.journal.order(hash) == nil)

        let model = try model(market)
        let planned = try await model.plan(json)
        #expect(planned.relays == ["http://127.0.0.1:2"] && planned.having.isEmpty)
        #expect(planned.row.order.hash == hash && planned.row.order.maker == kept.maker)
        #expect(!planned.row.isOnRelay)
        #expect(market.relay.posted.isEmpty)
        #expect(try elsewhere.journal.order(hash) == nil)

        let outcome = try await model.execute(planned)
        #expect(outcome.error == nil && outcome.postings.map(\.isPosted) == [true])
        #expect(market.relay.posted.map(\.hash) == [hash])
        #expect(try elsewhere.journal.order(hash)?.relay == "http://127.0.0.1:2")
        #expect(market.node.sent.isEmpty)

        // A second time there is nothing to do.
        let again = try await model.plan(json)
        #expect(again.isPosted && again.relays.isEmpty)
        #expect(again.row.isOnRelay)
        let nothing = try await model.execute(again)
        #expect(nothing.warnings.first?.contains("already") == true)
        #expect(market.relay.posted.count == 1)
    }

    @Test("an order that needs an approval is not signed, and its error names the command")
    func approval() async throws {
        let market = try market(LiveMarket.Holdings(allowance: 0))
        let error = try await error { _ = try await plan(market) }
        #expect(error.code == "several-transactions" && error.exit == .refused)
        #expect(error.hint?.contains("dex allowance set") == true, "\(error)")
        #expect(error.hint?.contains("--no-send --out FILE") == true)
        #expect(market.node.sent.isEmpty && market.relay.posted.isEmpty)
    }

    @Test("a changed term is no longer its maker's, and nothing of it is posted")
    func changed() async throws {
        let market = try market()
        let json = try await file(market)
        for (key, value) in [
            ("makerTokenAmount", "1"), ("takerTokenAmount", "1"),
            ("expirationUnixTimestampSec", "\(TestMarket.now + 999_999)"), ("salt", "7"),
            ("taker", market.rival.address.lowercaseHex),
            ("maker", market.rival.address.lowercaseHex),
        ] {
            var object = try #require(json.objectValue)
            #expect(object[key] != nil, "\(key)")
            object[key] = .string(value)
            let error = try await error { _ = try await model(market).plan(.object(object)) }
            #expect(error.exit == .refused, "\(key): \(error)")
        }
        for bad: JSONValue in [[:], ["signature": "0x"], ["maker": 5]] {
            let error = try await error { _ = try await model(market).plan(bad) }
            #expect(error.code == "bad-order", "\(error)")
        }
        #expect(market.relay.posted.isEmpty)
    }

    @Test("an order of another exchange, an expired one and a cancelled one are refused")
    func useless() async throws {
        let market = try market()
        let json = try await file(market)
        var session = try market.session()
        session.network.exchange = TestMarket.proxy
        let foreign = try await error { _ = try await model(market, session).plan(json) }
        #expect(foreign.exit == .refused, "\(foreign)")

        market.clock.pass(seconds: 86_401)
        _ = try await market.chain.mine()
        let late = try await error { _ = try await model(market).plan(json) }
        #expect(late.code == "order-expired", "\(late)")
        #expect(market.relay.posted.isEmpty)
    }

    @Test("what changed after the plan counts: nothing is posted twice or too late")
    func meanwhile() async throws {
        let market = try market()
        let json = try await file(market)
        let model = try model(market)
        let planned = try await model.plan(json)
        // Another machine was faster.
        let order = try market.exchangeProtocol.decodeOrder(json)
        market.relay.set { $0.orders[order.hash] = .success(order) }
        let outcome = try await model.execute(planned)
        #expect(outcome.postings.isEmpty && outcome.error == nil)
        #expect(market.relay.posted.isEmpty)
    }

    @Test("a relay that refuses it, and one that does not answer")
    func relays() async throws {
        let market = try market()
        let json = try await file(market)
        let model = try model(market)
        let planned = try await model.plan(json)
        market.relay.set { state in
            state.post = .failure(
                .refused(status: 400, code: 100, reason: "Validation failed", fields: [])
            )
        }
        let refused = try await error { _ = try await model.execute(planned) }
        #expect(refused.code == "relay-refused", "\(refused)")
        market.relay.set {
            $0.orders = [:]
            $0.missing = .failure(.unreachable(url: "http://127.0.0.1:2", reason: "away"))
        }
        let silent = try await error { _ = try await model.plan(json) }
        #expect(silent.exit == .unreachable, "\(silent)")
    }

    @Test("only an object without a schema is taken for an order")
    func recognized() throws {
        for text in ["", "[]", "5", "{", "{\"schema\":\"dex-signed/1\"}", "{\"raw\":\"0x\"}"] {
            #expect(OrderBroadcastModel.order(in: Array(text.utf8)) == nil, "\(text)")
        }
        #expect(OrderBroadcastModel.order(in: Array("{\"maker\":\"0x\"}".utf8)) != nil)
    }
}
