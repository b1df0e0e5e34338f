import DexCore
import DexStore
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Own orders by journal, relay and chain")
struct OwnOrdersModelTests {
    let market: TestMarket
    let store = TemporaryJournal()
    let trader: PrivateKeySigner
    let taker: Address

    init() throws {
        market = try TestMarket()
        trader = market.trader
        taker = market.makers[0].address
        market.fund(trader.address, TestMarket.zrx, balance: TestMarket.units("1000"))
        market.fund(trader.address, TestMarket.weth, balance: TestMarket.units("1000"))
        market.fund(trader.address, TestMarket.usdc, balance: 0)
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now)
            }
            state.logs = { _ in .success([]) }
        }
        market.relay.set { $0.onOrders = { _ in .success(RelayOrders(orders: [])) } }
    }

    private func load(
        _ pair: String? = nil,
        onlyOpen: Bool = false,
        withRelay: Bool = true
    ) async throws -> OwnOrdersState {
        try await OwnOrdersModel(
            session: try market.session(withRelay: withRelay),
            journal: store.journal
        ).load(trader.address, pairText: pair, onlyOpen: onlyOpen)
    }

    private func record(_ order: any SignedOrder, posted: Bool = true) throws {
        try store.journal.save(
            JournalOrder(
                chainID: 1337,
                exchange: TestMarket.exchange,
                hash: order.hash,
                maker: order.maker,
                wire: market.protocolV1.encodeOrder(order).text,
                created: TestMarket.now + 5,
                relay: posted ? "http://relay" : nil
            )
        )
    }

    @Test("every standing, with what was filled, by whom and when")
    func standings() async throws {
        var orders: [any SignedOrder] = []
        for salt: UInt64 in 1...6 {
            orders.append(
                try await salt == 6
                    ? market.order(
                        by: trader,
                        give: (TestMarket.usdc, 1_000_000),
                        get: (TestMarket.weth, 1_000)
                    )
                    : market.ask(
                        by: trader,
                        "10",
                        for: "1",
                        expiresIn: salt == 5 ? 0 : 86_400,
                        salt: UInt256(salt)
                    )
            )
        }
        for order in orders { try record(order) }
        let half = TestMarket.units("0.5")
        let whole = TestMarket.units("1")
        market.use(orders[1], filled: half)
        market.use(orders[2], filled: whole)
        market.use(orders[3], filled: half, cancelled: half)
        let first = market.mine(
            [
                market.fillLog(orders[1], taker: taker, filling: half),
                market.fillLog(orders[2], taker: taker, filling: half),
            ],
            by: taker,
            block: 40
        )
        market.mine([market.fillLog(orders[2], taker: taker, filling: half)], by: taker, block: 41)
        market.mine([market.fillLog(orders[3], taker: taker, filling: half)], by: taker, block: 42)
        market.mine([market.cancelLog(orders[3], cancelling: half)], by: trader.address, block: 43)

        let state = try await load()
        let rows = orders.map { order in state.rows.first { $0.order.order.hash == order.hash } }

        #expect(
            rows.map { $0?.order.standing } == [
                .open, .partlyFilled, .filled, .cancelled, .expired, .unfunded,
            ]
        )
        #expect(rows.map { $0?.events.count } == [0, 1, 2, 2, 0, 0])
        let fill = try #require(rows[1]?.events.first)
        #expect(fill.kind == .fill(taker: taker, makerFee: 0))
        #expect(fill.makerAmount == TestMarket.units("5"))
        #expect(fill.takerAmount == half)
        #expect(fill.transaction == first)
        #expect(fill.block == 40)
        #expect(fill.time == TestMarket.now + 40)
        #expect(rows[3]?.events.map(\.kind) == [.fill(taker: taker, makerFee: 0), .cancel])
        #expect(rows[0]?.signed == TestMarket.now + 5)
        #expect(rows[0]?.relay == "http://relay")
        #expect(state.warnings.isEmpty)
        let open = try await load(onlyOpen: true)
        #expect(Set(open.rows.map(\.order.standing)) == [.open, .partlyFilled])
        #expect(
            open.warnings == [
                "One order lacks its maker's balance or allowance and is not shown: "
                    + "`dex orders` without --open shows it."
            ]
        )
    }

    @Test("orders that only the relay has are joined, and others' are left out")
    func relayed() async throws {
        let known = try await market.ask(by: trader, "10", for: "1", salt: 1)
        let elsewhere = try await market.ask(by: trader, "10", for: "1", salt: 2)
        let foreign = try await market.ask(by: market.makers[0], "10", for: "1")
        try record(known)
        market.relay.set { state in
            state.onOrders = { query in
                #expect(query.maker == market.trader.address)
                return .success(RelayOrders(orders: [elsewhere, foreign]))
            }
        }

        let state = try await load()

        #expect(state.rows.map(\.order.order.hash) == [known.hash, elsewhere.hash])
        #expect(state.rows.map(\.order.isOnRelay) == [false, true])
        #expect(state.rows.map(\.signed) == [TestMarket.now + 5, nil])
    }

    @Test("a pair leaves the others out")
    func pair() async throws {
        let zrx = try await market.ask(by: trader, "10", for: "1")
        let usdc = try await market.order(
            by: trader,
            give: (TestMarket.usdc, 1),
            get: (TestMarket.weth, 1)
        )
        try record(zrx)
        try record(usdc)
        #expect(try await load("ZRX/WETH").rows.map(\.order.order.hash) == [zrx.hash])
    }

    @Test("a relay that is down leaves the journal's orders, and is told")
    func relayDown() async throws {
        let posted = try await market.ask(by: trader, "10", for: "1", salt: 1)
        let kept = try await market.ask(by: trader, "10", for: "1", salt: 2)
        try record(posted)
        try record(kept, posted: false)
        market.relay.set { state in
            state.onOrders = { _ in .failure(.unreachable(url: "u", reason: "down")) }
        }

        let state = try await load()

        #expect(state.rows.count == 2)
        #expect(
            state.rows.allSatisfy { $0.order.isOnRelay == ($0.order.order.hash == posted.hash) }
        )
        #expect(
            state.warnings == [
                "Only the orders of the journal are shown: The relay at u cannot be reached: "
                    + "down."
            ]
        )
    }

    @Test("a network without a relay has its journal")
    func noRelay() async throws {
        let order = try await market.ask(by: trader, "10", for: "1")
        try record(order, posted: false)
        let state = try await load(withRelay: false)
        #expect(state.rows.map(\.order.order.hash) == [order.hash])
        #expect(state.warnings.isEmpty)
    }

    @Test("a node without logs leaves the fills out, and says that some are missing")
    func noLogs() async throws {
        let order = try await market.ask(by: trader, "10", for: "1")
        try record(order)
        market.use(order, filled: 1)
        market.chain.set {
            $0.logs = { _ in .failure(.rpc(code: -32_601, message: "no such method")) }
        }

        let state = try await load()

        #expect(state.rows.map(\.order.standing) == [.partlyFilled])
        #expect(state.rows.map(\.events.count) == [0])
        #expect(
            state.warnings == [
                "Not all fills are shown: The node does not give the logs of block 0: \"no "
                    + "such method\".",
                "Of one order more is filled than the logs that were read tell; `dex history "
                    + "rebuild --from-block N` reads them from an earlier block on.",
            ]
        )
    }
}
