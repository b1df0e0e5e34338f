import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore

@Suite("Profit that is not realised yet")
struct UnrealisedTests {
    let market: TestMarket

    init() throws {
        market = try TestMarket()
        for maker in market.makers {
            for token in [TestMarket.zrx, TestMarket.weth, TestMarket.usdc] {
                market.fund(maker.address, token, balance: .max)
            }
        }
    }

    private static func price(_ quote: UInt256, _ base: UInt256) throws -> Price {
        try #require(Price(quote: quote, base: base))
    }

    @Test("the value is rounded down, and a loss in dollars is rounded up")
    func rounding() throws {
        var profit = try #require(
            UnrealisedProfit(held: 10, averageCost: 4, fifoCost: 2, mid: Self.price(1, 3))
        )
        #expect(profit.value == 3)
        #expect(profit.average == SignedAmount(magnitude: 1, isNegative: true))
        #expect(profit.fifo == SignedAmount(magnitude: 1, isNegative: false))
        profit.convert(to: .unknown(TestMarket.usdc), at: try Self.price(5, 2))
        let dollars = try #require(profit.dollars)
        #expect(dollars.value == 7)
        #expect(dollars.average == SignedAmount(magnitude: 3, isNegative: true))
        #expect(dollars.fifo == SignedAmount(magnitude: 2, isNegative: false))
        // Nothing traps where 256 bits do not suffice.
        let mid = try Self.price(.max, 1)
        #expect(UnrealisedProfit(held: 2, averageCost: 0, fifoCost: 0, mid: mid) == nil)
        profit.convert(to: .unknown(TestMarket.weth), at: mid)
        #expect(profit.dollars?.token.address == TestMarket.usdc)
    }

    private func position(held: UInt256) throws -> HistoryState.Position {
        HistoryState.Position(
            pair: try market.zrxWeth(),
            fills: 1,
            bought: held,
            cost: TestMarket.units("1"),
            sold: 0,
            proceeds: 0,
            held: held,
            heldAverageCost: TestMarket.units("1"),
            heldFIFOCost: TestMarket.units("2"),
            averageProfit: .zero,
            fifoProfit: .zero,
            uncovered: 0,
            fees: [],
            gas: .zero,
            isInEther: true
        )
    }

    private func valued(
        held: UInt256 = TestMarket.units("1000"),
        withRelay: Bool = true
    ) async throws -> HistoryState {
        var state = HistoryState(
            account: market.trader.address,
            block: 100,
            since: nil,
            rows: [],
            positions: [try position(held: held)],
            otherGas: .zero,
            warnings: []
        )
        await UnrealisedModel(session: try market.session(withRelay: withRelay)).add(to: &state)
        return state
    }

    /// ZRX at 0.0015 WETH, and WETH at 2,000 USDC.
    private func setBooks() async throws {
        let maker = market.makers[0]
        let (zrx, weth, usdc) = (TestMarket.zrx, TestMarket.weth, TestMarket.usdc)
        let bid = try await market.bid(by: maker, "1000", for: "1.4")
        let ask = try await market.ask(by: maker, "1000", for: "1.6")
        let buys = try await market.order(
            by: maker,
            give: (usdc, 1_990_000_000),
            get: (weth, TestMarket.unit)
        )
        let sells = try await market.order(
            by: maker,
            give: (weth, TestMarket.unit),
            get: (usdc, 2_010_000_000)
        )
        func book(_ bid: any SignedOrder, _ ask: any SignedOrder) -> RelayOrderbook {
            RelayOrderbook(bids: RelayOrders(orders: [bid]), asks: RelayOrders(orders: [ask]))
        }
        market.relay.set { state in
            state.books[[zrx, weth]] = .success(book(bid, ask))
            state.books[[weth, usdc]] = .success(book(buys, sells))
            state.pairs = .success([
                RelayTokenPair(
                    tokenA: .init(token: usdc, minimum: nil, maximum: nil, precision: nil),
                    tokenB: .init(token: weth, minimum: nil, maximum: nil, precision: nil)
                )
            ])
        }
    }

    @Test("what is held is valued at the middle of the book, in QUOTE and in dollars")
    func atTheMiddle() async throws {
        try await setBooks()
        let state = try await valued()
        let profit = try #require(state.positions.first?.unrealised)
        #expect(profit.value == TestMarket.units("1.5"))
        #expect(profit.average == SignedAmount(TestMarket.units("0.5"), minus: 0))
        #expect(profit.fifo == SignedAmount(0, minus: TestMarket.units("0.5")))
        #expect(profit.dollars?.token.symbol == "USDC")
        #expect(profit.dollars?.value == 3_000_000_000)
        #expect(profit.dollars?.fifo == SignedAmount(0, minus: 1_000_000_000))
        #expect(state.warnings.isEmpty)
    }

    @Test("without a relay or a holding nothing is asked, and a relay that fails is a warning")
    func failing() async throws {
        #expect(try await valued(withRelay: false).positions.first?.unrealised == nil)
        #expect(try await valued(held: 0).positions.first?.unrealised == nil)
        #expect(market.relay.requests.isEmpty && market.chain.rounds.isEmpty)
        market.relay.set { $0.book = .failure(.rateLimited(url: "u", retryAfter: 9)) }
        let state = try await valued()
        #expect(state.positions.first?.unrealised == nil)
        #expect(
            state.warnings == [
                "What is held could not be valued completely: The relay at u limits our requests; try "
                    + "again in 9 s."
            ]
        )
    }
}
