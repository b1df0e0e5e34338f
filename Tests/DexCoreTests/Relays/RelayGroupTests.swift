import Ethereum
import EthereumWallet
import Foundation
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Several scripted relays of one market.
struct RelayBoard: Sendable {
    let market: TestMarket
    let relays: [FakeRelay]
    let names: [String]
    /// A deadline that has come is one whose sleep returns.
    let deadline: Gate

    init(_ market: TestMarket, count: Int) {
        self.market = market
        relays = (0..<count).map { _ in FakeRelay() }
        names = (0..<count).map { "https://\(Character(UnicodeScalar(UInt8(97 + $0)))).example" }
        deadline = Gate()
    }

    func group(_ clients: [any RelayClient]? = nil) -> RelayGroup {
        let deadline = deadline
        return RelayGroup(
            zip(names, clients ?? relays).map { RelayMember(name: $0, client: $1) },
            deadline: 7_500,
            clock: RelayGroup.Clock(
                elapsed: { deadline.milliseconds },
                sleep: { _ in try await deadline.wait() }
            )
        ) { [market] order in (try? market.session())?.rejection(of: order) == nil }
    }

    func session(_ clients: [any RelayClient]? = nil) throws -> Session {
        var session = try market.session()
        session.network.relays = names.map { RelayEndpoint(url: $0) }
        session.relay = group(clients)
        return session
    }

    func book(_ index: Int, bids: [any SignedOrder] = [], asks: [any SignedOrder] = []) {
        relays[index].set {
            $0.book = .success(
                RelayOrderbook(bids: RelayOrders(orders: bids), asks: RelayOrders(orders: asks))
            )
        }
    }

    func fail(_ index: Int, _ error: RelayError) {
        relays[index].set { state in
            state.book = .failure(error)
            state.pairs = .failure(error)
            state.fees = .failure(error)
            state.onOrders = { _ in .failure(error) }
        }
    }
}

/// A relay whose book never comes; the test's gate opens once it was asked.
private struct SilentRelay: RelayClient {
    let deadline: Gate
    private let silence = Gate()

    init(deadline: Gate) { self.deadline = deadline }

    private func never<Value>(_: Value.Type = Value.self) async throws(RelayError) -> Value {
        deadline.open()
        do { try await silence.wait() } catch {}  // cancelled: the deadline came
        throw .unreachable(url: "silent", reason: "cancelled")
    }

    func tokenPairs(_: Address?, _: Address?) async throws(RelayError) -> [RelayTokenPair] {
        try await never()
    }
    func orders(_: OrderQuery) async throws(RelayError) -> RelayOrders { try await never() }
    func order(_: OrderHash) async throws(RelayError) -> (any SignedOrder)? { try await never() }
    func orderbook(
        base _: Address,
        quote _: Address,
        arrived _: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook { try await never() }
    func fees(for _: OrderDraft) async throws(RelayError) -> OrderFees { try await never() }
    func post(_: any SignedOrder) async throws(RelayError) {
        try await never(Void.self)
    }
}

@Suite("Several relays are read as one book")
struct RelayGroupTests {
    let market: TestMarket
    let board: RelayBoard

    init() throws {
        market = try TestMarket()
        board = RelayBoard(market, count: 3)
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
    }

    private func snapshot(_ clients: [any RelayClient]? = nil) async throws -> BookSnapshot {
        try await BookReader(session: board.session(clients)).snapshot(of: market.zrxWeth())
    }

    /// A copy of an order whose signature is another's.
    private func forged(_ order: any SignedOrder) throws -> any SignedOrder {
        let wire = market.protocolV1.encodeOrder(order).text
        let v = wire.contains("\"v\":27") ? ("\"v\":27", "\"v\":28") : ("\"v\":28", "\"v\":27")
        let text = wire.replacingOccurrences(of: v.0, with: v.1)
        return try market.protocolV1.decodeOrder(try JSONParser.parse(text: text))
    }

    @Test("an order of two relays is one order that knows both, and the chain is read once")
    func merged() async throws {
        let shared = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let alone = try await market.ask(by: market.makers[1], "10", for: "0.2")
        let bid = try await market.bid(by: market.makers[2], "10", for: "0.05")
        board.book(0, asks: [shared])
        board.book(1, bids: [bid], asks: [shared, alone])
        board.book(2)

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [shared.hash, alone.hash])
        #expect(book.relays(showing: shared) == ["https://a.example", "https://b.example"])
        #expect(book.relays(showing: alone) == ["https://b.example"])
        #expect(book.relays(showing: bid) == ["https://b.example"])
        #expect(book.received == 3 && book.verified == 3 && book.dropped.isEmpty)
        #expect(book.relays?.answers.map(\.received) == [1, 3, 0])
        #expect(book.relayWarnings.isEmpty)
        #expect(market.chain.rounds.count == 2)
    }

    @Test("a forged copy beside the genuine one counts against its relay alone")
    func forgedCopy() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let other = try await market.ask(by: market.makers[1], "10", for: "0.2")
        board.book(0, asks: [try forged(order), other])
        board.book(1, asks: [order])
        board.book(2)

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [order.hash, other.hash])
        #expect(book.relays(showing: book.asks[0].order) == ["https://b.example"])
        #expect(book.dropped.map(\.reason.code) == ["bad-signature"])
        #expect(book.relayWarnings.isEmpty)
    }

    @Test("a relay whose orders are mostly false is named, and what only it shows is left out")
    func lying() async throws {
        let good = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let bait = try await market.ask(by: market.makers[1], "10", for: "0.01")
        var foreign: [any SignedOrder] = []
        for salt in 1...3 as ClosedRange<UInt64> {
            foreign.append(
                try await market.order(
                    by: market.makers[2],
                    give: (TestMarket.zrx, 100),
                    get: (TestMarket.weth, 1),
                    salt: UInt256(salt),
                    exchange: TestMarket.proxy
                )
            )
        }
        board.book(0, asks: [good])
        board.book(1, asks: [good, bait] + foreign)
        board.book(2)

        let book = try await snapshot()

        #expect(book.asks.map(\.order.hash) == [good.hash])
        #expect(book.relays(showing: good) == ["https://a.example"])
        #expect(Set(book.dropped.map(\.reason.code)) == ["wrong-exchange", "relay-left-out"])
        #expect(
            book.relayWarnings == [
                "The relay https://b.example is left out: its answer makes no sense: 3 of its 5 "
                    + "orders are false: unreadable, not signed by their maker, or for another "
                    + "exchange or pair."
            ]
        )
    }

    @Test("a relay that fails is left out and named in the screen, and the others are shown")
    func failing() async throws {
        let ask = try await market.ask(by: market.makers[0], "10", for: "0.1")
        board.book(0, asks: [ask])
        board.fail(1, .unreachable(url: "https://b.example", reason: "nothing listens"))
        board.fail(2, .nonsense("it is a web page"))

        let state = try await OrderbookModel(session: board.session())
            .load(pairText: "ZRX/WETH")

        #expect(state.askCount == 1)
        #expect(
            state.warnings == [
                "The relay https://b.example is left out: nothing listens.",
                "The relay https://c.example is left out: its answer makes no sense: it is a web "
                    + "page.",
            ]
        )
        #expect(state.asks.first?.relays == ["https://a.example"])
    }

    @Test("only if every relay fails does the command fail, with exit 4, naming each")
    func allFail() async throws {
        for index in 0..<3 {
            board.fail(index, .unreachable(url: board.names[index], reason: "down \(index)"))
        }
        let error = await #expect(throws: DexError.self) { try await snapshot() }
        #expect(error?.exit == .unreachable && error?.code == "relays-unreachable")
        #expect(error?.retryable == true)
        for index in 0..<3 { #expect(error?.message.contains("down \(index)") == true) }
    }

    @Test("a silent relay is given up at its deadline, and not asked again for a while")
    func deadline() async throws {
        let ask = try await market.ask(by: market.makers[0], "10", for: "0.1")
        board.book(0, asks: [ask])
        board.book(1)
        let clients: [any RelayClient] = [
            board.relays[0], board.relays[1], SilentRelay(deadline: board.deadline),
        ]
        for relay in board.relays { relay.set { $0.orders[ask.hash] = .success(nil) } }
        let session = try board.session(clients)
        let group = try #require(session.relay as? RelayGroup)

        // The two others answer before the deadline comes, or their answers count as late; the
        // book is there in any case.
        let replies = await group.ask { relay async throws(RelayError) in
            try await relay.orderbook(base: TestMarket.zrx, quote: TestMarket.weth)
        }
        #expect(replies.count == 3)
        guard case .failure(.unreachable(_, let reason)) = replies[2].result else {
            Issue.record("the silent relay answered")
            return
        }
        #expect(reason == "no whole answer came within 7.5 s")
        #expect(group.leftOut.last?.contains("https://c.example") == true)
        // Within the pause it is not asked: this would never end otherwise.
        let again = await group.ask { relay async throws(RelayError) in
            try await relay.order(ask.hash)
        }
        guard case .failure = again[2].result else {
            Issue.record("the silent relay answered")
            return
        }
    }

    @Test("orders, pairs and one order come from all relays, each once")
    func reads() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let false_ = try forged(order)
        let pair = RelayTokenPair(
            tokenA: .init(token: TestMarket.zrx, minimum: nil, maximum: nil, precision: nil),
            tokenB: .init(token: TestMarket.weth, minimum: nil, maximum: nil, precision: nil)
        )
        let turned = RelayTokenPair(tokenA: pair.tokenB, tokenB: pair.tokenA)
        board.relays[0].set { state in
            state.pairs = .success([pair])
            state.onOrders = { _ in .success(RelayOrders(orders: [order])) }
            state.orders[order.hash] = .success(false_)
        }
        board.relays[1].set { state in
            state.pairs = .success([turned])
            state.onOrders = { _ in .success(RelayOrders(orders: [order])) }
            state.orders[order.hash] = .success(order)
        }
        board.fail(2, .rateLimited(url: "https://c.example", retryAfter: 9))
        board.relays[2].set { $0.orders[order.hash] = .success(nil) }
        let session = try board.session()
        let group = try #require(session.relay as? RelayGroup)

        #expect(try await group.tokenPairs(nil, nil) == [pair])
        let orders = try await group.orders(OrderQuery())
        #expect(orders.orders.map(\.hash) == [order.hash])
        #expect(orders.relays?[order.copyID].count == 2)
        // The genuine copy wins over the first.
        #expect(try await group.order(order.hash)?.copyID == order.copyID)
        #expect(session.leftOutRelays.isEmpty)
        let state = try await PairsModel(session: session).load()
        #expect(state.rows.count == 1)
        #expect(state.warnings.count == 1 && state.warnings[0].contains("limits our requests"))
        #expect(state.relay == "https://a.example, https://b.example, https://c.example")
    }

    @Test("orders, order and why name who shows an order, and who is left out")
    func showing() async throws {
        let order = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let false_ = try forged(order)
        for index in [0, 1] {
            board.relays[index].set { state in
                state.onOrders = { _ in .success(RelayOrders(orders: [order])) }
                state.orders[order.hash] = .success(order)
            }
        }
        board.fail(2, .rateLimited(url: "https://c.example", retryAfter: 9))
        board.relays[2].set { $0.orders[order.hash] = .success(false_) }
        let session = try board.session()
        let both = ["https://a.example", "https://b.example"]

        let list = try await OrdersModel(session: session, journal: nil).load()
        #expect(list.rows.map(\.relays) == [both])
        #expect(list.warnings.count == 1 && list.warnings[0].contains("https://c.example"))

        let forgery =
            "The relay https://c.example is left out: its answer makes no sense: its copy "
            + "of the order \(order.hash) is not signed by its maker."
        let one = try await OrdersModel(session: session, journal: nil).order(hash: order.hash)
        #expect(one.row.relays == both)
        #expect(one.warnings == [forgery])
        let why = try await WhyModel(session: session, journal: nil).load(order.hash, account: nil)
        #expect(why.row.relays == both)
        #expect(why.warnings == [forgery])

        // One that gives another order lies about all.
        let other = try await market.ask(by: market.makers[1], "10", for: "0.2")
        board.relays[0].set { $0.orders[order.hash] = .success(other) }
        board.relays[2].set { $0.orders[order.hash] = .failure(.nonsense("noise")) }
        let last = try await OrdersModel(session: session, journal: nil).order(hash: order.hash)
        #expect(last.row.relays == ["https://b.example"])
        #expect(last.warnings.count == 2)
        #expect(last.warnings.first?.contains("where \(order.hash) was asked for") == true)
    }

    @Test("in a list of orders too a relay whose orders are mostly false is left out")
    func lyingList() async throws {
        let good = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let bait = try await market.ask(by: market.makers[1], "10", for: "0.01")
        var bad: [any SignedOrder] = []
        for salt in 1...3 as ClosedRange<UInt64> {
            bad.append(
                try forged(
                    try await market.order(
                        by: market.makers[2],
                        give: (TestMarket.zrx, 100),
                        get: (TestMarket.weth, 1),
                        salt: UInt256(salt)
                    )
                )
            )
        }
        let noise = bad
        board.relays[0].set { $0.onOrders = { _ in .success(RelayOrders(orders: [good])) } }
        board.relays[1].set {
            $0.onOrders = { _ in .success(RelayOrders(orders: [good, bait] + noise)) }
        }
        board.relays[2].set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
        let state = try await OrdersModel(session: board.session(), journal: nil).load()
        #expect(state.rows.map(\.order.hash) == [good.hash])
        #expect(state.rows.map(\.relays) == [["https://a.example"]])
        #expect(state.dropped.contains { $0.reason.code == "relay-left-out" })
        #expect(state.warnings.count == 1 && state.warnings[0].contains("3 of its 5 orders"))
    }

    @Test("the comparison counts what each relay contributes")
    func comparison() async throws {
        let shared = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let cheap = try await market.ask(by: market.makers[1], "10", for: "0.09")
        let bid = try await market.bid(by: market.makers[2], "10", for: "0.05")
        board.book(0, bids: [bid], asks: [shared])
        board.book(1, asks: [shared, cheap])
        board.fail(2, .unreachable(url: "x", reason: "nothing listens"))

        let state = try await RelayComparisonModel(session: board.session())
            .load(pairText: "ZRX/WETH")

        #expect(state.usable == 3)
        #expect(state.rows.map(\.received) == [2, 2, 0])
        #expect(state.rows.map(\.usable) == [2, 2, 0])
        #expect(state.rows.map(\.onlyThere) == [1, 1, 0])
        #expect(state.rows.map(\.failure) == [nil, nil, "nothing listens"])
        #expect(state.rows[1].ask == state.ask && state.rows[0].bid == state.bid)
        #expect(state.rows[1].bid == nil)
        let (left, right) = try (#require(state.rows[0].ask), #require(state.ask))
        #expect(left > right)
    }

    @Test("relays of one server have different names")
    func names() {
        var network = market.network
        network.relays = ["https://r.example/a", "https://r.example/b", "https://s.example"].map {
            RelayEndpoint(url: $0)
        }
        #expect(
            network.relayNames == [
                "https://r.example", "https://r.example#2", "https://s.example",
            ]
        )
    }
}
