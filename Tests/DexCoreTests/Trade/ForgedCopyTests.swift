import DexSandbox
import DexSigning
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A forged copy that a relay gives for a hash")
struct ForgedCopyTests {
    /// With a signature of somebody else, or with one that no key makes.
    private func forged(
        _ order: any SignedOrder,
        _ market: LiveMarket,
        isMalformed: Bool = false
    ) async throws -> any SignedOrder {
        if isMalformed {
            if let order = order as? SignedOrderV4 {
                var signature = order.signature
                signature.r = .zero
                return SignedOrderV4(
                    terms: order.terms,
                    domain: order.domain,
                    signature: signature
                )
            }
            let own = try #require(order as? SignedOrderV1)
            let parts = own.signature
            let signature = try #require(Signature(r: .zero, s: parts.s, yParity: parts.yParity))
            return SignedOrderV1(terms: own.terms, signature: signature)
        }
        let copy = try await market.exchangeProtocol.sign(OrderDraft(order), with: market.rival)
        #expect(copy.hash == order.hash && copy.copyID != order.copyID)
        return copy
    }

    /// The relay has the order alone, so its price is compared with nothing.
    private var settings: TradeSettings {
        var settings = TradeSettings()
        settings.allowsUncheckedPrice = true
        return settings
    }

    private func fill(_ hash: OrderHash, _ market: LiveMarket) async throws -> Plan<TradePlan> {
        try await FillModel(
            session: try market.session(),
            journal: market.journal,
            settings: settings
        ).plan(FillRequest(source: .hash(hash)), account: market.trader.address)
    }

    @Test(
        "does not hide the genuine order that stands in the relay's list",
        arguments: [ProtocolVersion.v1, .v4],
        [false, true]
    )
    func genuine(version: ProtocolVersion, isMalformed: Bool) async throws {
        let market = try LiveMarket(version: version)
        let order = try await market.ask(0, "100", for: "1")
        let copy = try await forged(order, market, isMalformed: isMalformed)
        market.relay.set { state in
            state.orders[order.hash] = .success(copy)
            state.onOrders = { query in
                #expect(query.maker == order.maker)
                return .success(RelayOrders(orders: [copy, order]))
            }
        }
        let plan = try await fill(order.hash, market)
        let signed = try #require(plan.signatures.last?.content)
        guard case .transaction(let filling) = signed else {
            Issue.record("it signs no transaction")
            return
        }
        let genuine =
            (order as? SignedOrderV1)?.signature.r ?? (order as? SignedOrderV4)?.signature.r
        #expect(filling.data.firstRange(of: try #require(genuine).bytes) != nil)
        let session = try market.session()
        let why = try await WhyModel(session: session, journal: nil)
            .load(order.hash, account: market.trader.address)
        #expect(why.reason == .fillable)
        let shown = try await OrdersModel(session: session, journal: nil).order(hash: order.hash)
        #expect(shown.row.order.copyID == order.copyID && shown.row.isOnRelay)
    }

    @Test("beside another relay's genuine one is left out, and the fill names both")
    func several() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "100", for: "1")
        let copy = try await forged(order, market)
        market.relay.set { $0.orders[order.hash] = .success(order) }
        let liar = FakeRelay()
        liar.set { state in
            state.orders[order.hash] = .success(copy)
            state.book = .success(
                RelayOrderbook(bids: RelayOrders(orders: []), asks: RelayOrders(orders: []))
            )
        }
        var session = try market.session()
        let silence = Gate()
        session.relay = RelayGroup(
            [
                RelayMember(name: "https://a.example", client: liar),
                RelayMember(name: "https://b.example", client: market.relay),
            ],
            deadline: 7_500,
            clock: RelayGroup.Clock(elapsed: { 0 }, sleep: { _ in try await silence.wait() })
        ) { [session] order in session.rejection(of: order) == nil }
        let finder = OrderFinder(session: session, journal: nil)
        let found = try #require(try await finder.find(order.hash))
        #expect(found.order.copyID == order.copyID)
        #expect(found.relays == ["https://b.example"])
        #expect(found.warnings.count == 1)
        #expect(found.warnings[0].contains("The relay https://a.example is left out"))
        let planned = try await FillModel(
            session: session,
            journal: market.journal,
            settings: settings
        ).plan(FillRequest(source: .hash(order.hash)), account: market.trader.address)
        #expect(planned.content.relays == ["https://b.example"])
        #expect(planned.content.warnings.contains { $0.contains("not signed by its maker") })
    }

    @Test("is refused where no genuine one is found, whatever else the relay says")
    func alone() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "100", for: "1")
        let copy = try await forged(order, market)
        let other = try await market.ask(0, "50", for: "1")
        let answers: [Result<RelayOrders, RelayError>] = [
            .success(RelayOrders(orders: [copy, other])), .success(RelayOrders(orders: [])),
            .failure(.unreachable(url: "u", reason: "down")),
        ]
        for answer in answers {
            market.relay.set { state in
                state.orders[order.hash] = .success(copy)
                state.onOrders = { _ in answer }
            }
            let error = await refusal { try await fill(order.hash, market) }
            #expect(error?.code == "bad-signature")
            #expect(error?.exit == .refused)
        }
    }

    @Test("costs no second question where the signature holds, or the terms are wrong themselves")
    func noQuestion() async throws {
        let market = try LiveMarket()
        let order = try await market.ask(0, "100", for: "1")
        var terms = OrderDraft(order)
        terms.exchange = TestMarket.proxy
        let elsewhere = try await market.exchangeProtocol.sign(terms, with: market.makers[0])
        market.relay.set { state in
            state.orders[order.hash] = .success(order)
            state.orders[elsewhere.hash] = .success(elsewhere)
        }
        _ = try await fill(order.hash, market)
        let error = await refusal { try await fill(elsewhere.hash, market) }
        #expect(error?.code == "wrong-exchange")
        #expect(!market.relay.requests.contains("orders"))
    }
}
