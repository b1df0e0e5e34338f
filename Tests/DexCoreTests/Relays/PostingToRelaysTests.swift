import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A limit order goes to all relays, and each answer is told")
struct PostingToRelaysTests {
    private static let names = ["https://a.example", "https://b.example", "https://c.example"]

    let market: LiveMarket
    let relays: [FakeRelay]

    init() throws {
        market = try LiveMarket()
        relays = (0..<3).map { _ in FakeRelay() }
        for relay in relays {
            relay.set { state in
                state.fees = .success(.none)
                state.post = .success(())
                state.onOrders = { _ in .success(RelayOrders(orders: [])) }
                state.book = .success(
                    RelayOrderbook(bids: RelayOrders(orders: []), asks: RelayOrders(orders: []))
                )
            }
        }
    }

    private func session() throws -> Session {
        var session = try market.session()
        session.network.relays = Self.names.map { RelayEndpoint(url: $0) }
        let never = Gate()
        let recoverer = Secp256k1()
        let (exchange, address) = (session.exchangeProtocol, session.network.exchange)
        session.relay = RelayGroup(
            zip(Self.names, relays).map { RelayMember(name: $0, client: $1) },
            deadline: 1_000,
            clock: RelayGroup.Clock(elapsed: { 0 }, sleep: { _ in try await never.wait() })
        ) { order in
            (try? exchange.verify(order, exchange: address, recoverer: recoverer)) != nil
        }
        return session
    }

    private func model() throws -> LimitOrderModel {
        LimitOrderModel(
            session: try session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func plan() async throws -> Plan<LimitPlan> {
        try await model().plan(
            LimitRequest(
                side: .buy,
                pair: "ZRX/WETH",
                amount: "100",
                price: "0.0025",
                expiry: .after(86_400),
                posts: true
            ),
            account: market.trader.address
        )
    }

    private func refuse(_ index: Int) {
        relays[index].set {
            $0.post = .failure(
                .refused(status: 400, code: 100, reason: "no room \(index)", fields: [])
            )
        }
    }

    @Test("all take it: it is posted everywhere, and the journal names each")
    func all() async throws {
        let planned = try await plan()
        #expect(planned.content.targets.map(\.part) == [.posts, .posts, .posts])
        let outcome = try await model().execute(planned, signer: market.signer)
        #expect(outcome.posted && outcome.exit == .done && outcome.warnings.isEmpty)
        #expect(outcome.postings.map(\.isPosted) == [true, true, true])
        let record = try #require(try market.journal.order(outcome.order.hash))
        #expect(record.relays == Self.names && !record.isInDoubt)
    }

    @Test("one refuses: the order is posted, the refusal is told, and nothing is in doubt")
    func oneRefuses() async throws {
        refuse(1)
        let outcome = try await model().execute(try await plan(), signer: market.signer)
        #expect(outcome.posted && outcome.exit == .done)
        #expect(outcome.postings.map(\.isPosted) == [true, false, true])
        #expect(outcome.postings[1].reason?.contains("no room 1") == true)
        #expect(outcome.warnings.count == 1)
        #expect(outcome.warnings.first?.hasPrefix("Not posted on https://b.example: ") == true)
        let record = try #require(try market.journal.order(outcome.order.hash))
        #expect(record.relays == [Self.names[0], Self.names[2]] && !record.isInDoubt)
    }

    @Test("only if all refuse is it exit 7, with every reason")
    func allRefuse() async throws {
        for index in 0..<3 { refuse(index) }
        let model = try model()
        let planned = try await plan()
        let error = await refusal { try await model.execute(planned, signer: market.signer) }
        #expect(error?.exit == .relayRefused)
        for index in 0..<3 { #expect(error?.message.contains("no room \(index)") == true) }
        #expect(try market.journal.order(planned.content.orderHash)?.isInDoubt == false)
    }

    @Test("an answer is lost: it is posted, and a repeated command posts only where it lacks")
    func oneLost() async throws {
        relays[2].set { $0.post = .failure(.unreachable(url: "c", reason: "cut")) }
        let planned = try await plan()
        let hash = planned.content.orderHash
        relays[2].set { $0.orders[hash] = .success(nil) }
        let outcome = try await model().execute(planned, signer: market.signer)
        #expect(outcome.posted && outcome.exit == .done)
        #expect(outcome.warnings.first?.contains("`dex resume`") == true)
        var record = try #require(try market.journal.order(hash))
        #expect(record.relays == [Self.names[0], Self.names[1]] && record.isInDoubt)

        relays[2].set { $0.post = .success(()) }
        let again = try await plan()
        #expect(again.content.orderHash == hash)
        #expect(again.content.targets.map(\.part) == [.hasIt, .hasIt, .posts])
        let second = try await model().execute(again, signer: market.signer)
        #expect(second.postings.map(\.isPosted) == [true, true, true])
        #expect(relays.map(\.posted.count) == [1, 1, 2])
        record = try #require(try market.journal.order(hash))
        #expect(Set(record.relays) == Set(Self.names) && !record.isInDoubt)
    }

    @Test("resume posts only where it lacks, too")
    func resume() async throws {
        relays[0].set { $0.post = .failure(.unreachable(url: "a", reason: "cut")) }
        let planned = try await plan()
        let hash = planned.content.orderHash
        relays[0].set { $0.orders[hash] = .success(nil) }
        _ = try await model().execute(planned, signer: market.signer)
        relays[0].set { $0.post = .success(()) }

        let resume = ResumeModel(
            session: try session(),
            journal: market.journal,
            settings: TradeSettings()
        )
        let unfinished = try await resume.plan()
        let item = try #require(unfinished.state.items.first)
        #expect(item.action == .post && item.relays == [Self.names[0]])
        #expect(item.notes.contains { $0.contains("https://a.example does not") })
        let done = try await resume.execute(unfinished)
        #expect(done.items.first?.done == "posted")
        #expect(relays.map(\.posted.count) == [2, 1, 1])
        #expect(try market.journal.order(hash)?.isInDoubt == false)
    }

    @Test("relays with other fees do not share the order: most relays' fees are met, and told")
    func otherFees() async throws {
        let fees = OrderFees(
            recipient: TestMarket.feeRecipient,
            makerFee: 0,
            takerFee: TestMarket.units("0.1")
        )
        relays[0].set { $0.fees = .success(fees) }
        let planned = try await plan()
        #expect(planned.content.draft.fees == .none)
        #expect(planned.content.targets.map(\.relay) == Self.names)
        #expect(planned.content.targets.dropFirst().allSatisfy { $0.part == .posts })
        #expect(planned.content.warnings.contains { $0.contains("a.example: it wants other fees") })
        let outcome = try await model().execute(planned, signer: market.signer)
        #expect(outcome.postings.map(\.isPosted) == [false, true, true])
        #expect(relays[0].posted.isEmpty)
    }

    @Test("fees above the cap lose to fees within it, however many relays want them")
    func feesAboveCap() async throws {
        let greedy = OrderFees(
            recipient: TestMarket.feeRecipient,
            makerFee: TestMarket.units("50000"),
            takerFee: 0
        )
        relays[0].set { $0.fees = .success(greedy) }
        relays[1].set { $0.fees = .success(greedy) }
        let planned = try await plan()
        #expect(planned.content.draft.fees == .none)
        #expect(planned.content.relay == "https://c.example")
        relays[2].set { $0.fees = .success(greedy) }
        let error = await refusal { try await plan() }
        #expect(error?.code == "relay-fee-cap" && error?.exit == .refused)
    }

    @Test("a relay that does not answer gets no order and is named; without any it is exit 4")
    func silent() async throws {
        relays[1].set { $0.fees = .failure(.unreachable(url: "b", reason: "nothing listens")) }
        let planned = try await plan()
        #expect(planned.content.targets[1].part == .skipped("nothing listens"))
        for index in [0, 2] {
            relays[index].set { $0.fees = .failure(.unreachable(url: "x", reason: "down")) }
        }
        let error = await refusal { try await plan() }
        #expect(error?.exit == .unreachable)
    }

    // MARK: Relays that do not answer

    private func cancel() throws -> CancelModel {
        CancelModel(session: try session(), journal: market.journal, settings: TradeSettings())
    }

    /// An own order that only the first relay has.
    private func own() async throws -> any SignedOrder {
        let order = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, "100"),
            get: (TestMarket.weth, "2")
        )
        relays[0].set { $0.onOrders = { _ in .success(RelayOrders(orders: [order])) } }
        return order
    }

    private func fail(_ indices: [Int]) {
        for index in indices {
            relays[index].set { state in
                state.onOrders = { _ in .failure(.unreachable(url: "", reason: "reset by peer")) }
            }
        }
    }

    @Test("cancelling all with a relay that does not answer is not done: exit 14, and told")
    func cancelsPart() async throws {
        let order = try await own()
        for request in [CancelRequest.all, .pair("ZRX/WETH")] {
            fail([1, 2])
            let planned = try await cancel().plan(request, account: market.trader.address)
            #expect(planned.content.orders.map(\.order.hash) == [order.hash])
            #expect(planned.content.unread == Array(Self.names[1...]))
            for name in Self.names[1...] {
                #expect(
                    planned.content.warnings.contains {
                        $0.hasPrefix("\(name) did not answer: ")
                            && $0.hasSuffix("Orders that only it has are not cancelled.")
                    }
                )
            }
        }
        let planned = try await cancel().plan(.all, account: market.trader.address)
        let outcome = try await cancel().execute(planned, signer: market.signer)
        #expect(outcome.rows.map(\.status) == [.cancelled])
        #expect(outcome.exit == .filledLess)
        #expect(outcome.error?.code == "relays-unread")
        #expect(outcome.error?.message.contains("https://b.example, https://c.example") == true)
        // Nothing open is left, as far as is known: that is no all-clear either.
        let again = await refusal {
            try await self.cancel().plan(.all, account: market.trader.address)
        }
        #expect(again?.code == "orders-unread" && again?.exit == .unreachable)
    }

    @Test("with all relays answering it is done, and by hash no relay matters")
    func cancelsAll() async throws {
        let order = try await own()
        let planned = try await cancel().plan(.all, account: market.trader.address)
        #expect(planned.content.unread.isEmpty)
        for relay in relays { relay.set { $0.orders[order.hash] = .success(order) } }
        fail([0, 1, 2])
        let byHash = try await cancel().plan(
            .hashes([order.hash]),
            account: market.trader.address
        )
        #expect(byHash.content.unread.isEmpty)
        let outcome = try await cancel().execute(byHash, signer: market.signer)
        #expect(outcome.exit == .done)
    }

    @Test("what open orders need says which relays are not counted")
    func fundingCheck() async throws {
        fail([1])
        let planned = try await plan()
        #expect(
            planned.content.warnings.contains {
                $0.hasPrefix("https://b.example did not answer: ")
                    && $0.hasSuffix("What orders need that only it has is not counted here.")
            }
        )
    }
}
