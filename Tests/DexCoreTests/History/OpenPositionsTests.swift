import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("What a balance was bought for")
struct OpenPositionsTests {
    let market: TestMarket
    let store = TemporaryJournal()

    init() throws {
        market = try TestMarket()
        market.chain.set { state in
            for number: UInt64 in 0...100 {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
        }
        for token in [TestMarket.zrx, TestMarket.weth] {
            market.fund(market.makers[0].address, token, balance: .max)
        }
    }

    /// 100 ZRX were bought for 1 WETH, and the book's middle is 0.015 WETH.
    private func trade() async throws {
        let (maker, trader) = (market.makers[0], market.trader)
        let ask = try await market.ask(by: maker, "100", for: "1")
        market.mine(
            [market.fillLog(ask, taker: trader.address, filling: TestMarket.units("1"))],
            by: trader.address,
            block: 10
        )
        market.setBook(
            bids: [try await market.bid(by: maker, "100", for: "1.4")],
            asks: [try await market.ask(by: maker, "100", for: "1.6")]
        )
        market.relay.set { $0.pairs = .success([]) }
        _ = try await TradeSync(session: try market.session(), journal: store.journal)
            .rebuild(trader.address, from: 0)
    }

    private func balance(zrx: String, symbol: Token? = nil) async throws -> BalanceState {
        let session = try market.session()
        let token = try symbol ?? market.zrxWeth().base
        var state = BalanceState(
            owner: market.trader.address,
            block: 100,
            coin: .ether,
            ether: .zero,
            rows: [
                .init(
                    token: token,
                    balance: TestMarket.units(zrx),
                    allowance: nil
                )
            ]
        )
        await OpenPositionsModel(session: session, journal: store.journal).add(to: &state)
        return state
    }

    @Test("what was bought and is still there has its cost and its profit until now")
    func bought() async throws {
        try await trade()
        let state = try await balance(zrx: "100")
        let position = try #require(state.positions.first)
        #expect(state.positions.count == 1 && position.pair.name == "ZRX/WETH")
        #expect(position.held == TestMarket.units("100"))
        #expect(position.heldAverageCost == TestMarket.units("1"))
        #expect(position.unrealised?.value == TestMarket.units("1.5"))
        #expect(position.unrealised?.fifo == SignedAmount(TestMarket.units("0.5"), minus: 0))
        #expect(state.warnings.isEmpty)
    }

    @Test("tokens that were sent away still count, and the user is warned")
    func sentAway() async throws {
        try await trade()
        let state = try await balance(zrx: "99.9")
        #expect(state.positions.count == 1)
        #expect(
            state.warnings == [
                "More ZRX was bought here than the account has; the profit counts what was sent "
                    + "away too."
            ]
        )
    }

    @Test("a token that is not in the balance has no profit there, and no price is asked for it")
    func absent() async throws {
        try await trade()
        let asked = market.relay.requests.count
        let state = try await balance(zrx: "1", symbol: try market.zrxWeth().quote)
        #expect(state.positions.isEmpty && state.warnings.isEmpty)
        #expect(market.relay.requests.count == asked)
    }

    @Test("a balance does not wait for a long reading; the command that reads is named")
    func backlog() async throws {
        try await trade()
        let far: UInt64 = 100_101
        market.mine(far, timestamp: TestMarket.now + far)
        let rounds = market.chain.rounds.count
        let state = try await balance(zrx: "100")
        #expect(state.positions.isEmpty)
        #expect(
            state.warnings == [
                "Profit is not shown: the trades of the last 100001 blocks are not read yet. "
                    + "`dex history` reads them once."
            ]
        )
        let reads = market.chain.rounds.dropFirst(rounds).flatMap(\.self)
        #expect(!reads.contains { if case .logs = $0 { true } else { false } })
        market.mine(far - 1, timestamp: TestMarket.now + far - 1)
        market.chain.set { $0.blocks[far] = nil }
        #expect(try await balance(zrx: "100").positions.count == 1)
    }

    @Test("a relay that fails leaves the cost, with the reason")
    func withoutPrice() async throws {
        try await trade()
        market.relay.set { $0.book = .failure(.rateLimited(url: "u", retryAfter: 9)) }
        let state = try await balance(zrx: "100")
        #expect(state.positions.first?.heldAverageCost == TestMarket.units("1"))
        #expect(state.positions.first?.unrealised == nil)
        #expect(state.warnings.count == 1 && state.warnings[0].contains("try again in 9 s"))
    }
}
