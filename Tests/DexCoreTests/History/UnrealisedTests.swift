import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

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
        withRelay: Bool = true,
        swap: FakeSwap? = nil
    ) async throws -> (profit: UnrealisedProfit?, failure: String?) {
        var positions = [try position(held: held)]
        var session = try market.session(withRelay: withRelay)
        session.swap = swap
        let failure = await UnrealisedModel(session: session).add(to: &positions)
        return (positions.first?.unrealised, failure)
    }

    /// A venue that buys ZRX at 0.0014 WETH and sells it at 0.0016, and WETH at 2,000 USDC.
    private static func venue(
        _ failure: LiquidityError? = nil,
        knowsZRX: Bool = true
    ) -> FakeSwap {
        let venue = FakeSwap()
        venue.set { state in
            state.onPrice = { request in
                if let failure { return .failure(failure) }
                guard case .exactIn(let amount) = request.amount,
                    case .token(let sold) = request.sell, case .token(let bought) = request.buy
                else { return .failure(.exactOutUnsupported) }
                let factors: (UInt256, UInt256)? =
                    switch (sold, bought) {
                    case (TestMarket.zrx, TestMarket.weth) where knowsZRX: (14, 10_000)
                    case (TestMarket.weth, TestMarket.zrx) where knowsZRX: (10_000, 16)
                    case (TestMarket.weth, TestMarket.usdc): (2_000, 1_000_000_000_000)
                    case (TestMarket.usdc, TestMarket.weth): (1_000_000_000_000, 2_000)
                    default: nil
                    }
                guard let (up, down) = factors else { return .failure(.noLiquidity) }
                let brought = amount * up / down
                return .success(
                    SwapPrice(
                        sold: amount,
                        maximumSold: amount,
                        bought: brought,
                        minimumBought: brought
                    )
                )
            }
        }
        return venue
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
        let venue = Self.venue()
        let (unrealised, failure) = try await valued(swap: venue)
        let profit = try #require(unrealised)
        #expect(profit.value == TestMarket.units("1.5"))
        #expect(profit.average == SignedAmount(TestMarket.units("0.5"), minus: 0))
        #expect(profit.fifo == SignedAmount(0, minus: TestMarket.units("0.5")))
        #expect(profit.dollars?.token.symbol == "USDC")
        #expect(profit.dollars?.value == 3_000_000_000)
        #expect(profit.dollars?.fifo == SignedAmount(0, minus: 1_000_000_000))
        #expect(failure == nil)
        // The books have everything, so nobody else learns what is held.
        #expect(venue.prices.isEmpty)
    }

    @Test("where no book has a price, the swap venue's middle counts")
    func atTheVenue() async throws {
        let venue = Self.venue()
        let (unrealised, failure) = try await valued(withRelay: false, swap: venue)
        let profit = try #require(unrealised)
        #expect(profit.value == TestMarket.units("1.5"))
        #expect(profit.dollars?.token.symbol == "USDC")
        #expect(profit.dollars?.average == SignedAmount(1_000_000_000, minus: 0))
        #expect(failure == nil)
        #expect(
            venue.prices.map(\.amount) == [
                .exactIn(TestMarket.units("1000")), .exactIn(TestMarket.units("1.4")),
                .exactIn(TestMarket.units("1.5")), .exactIn(3_000_000_000),
            ]
        )
        #expect(venue.prices.allSatisfy { $0.taker == nil })
    }

    @Test("a relay without a coin of fixed value leaves the dollars to the swap venue")
    func dollarsOfTheVenue() async throws {
        try await setBooks()
        market.relay.set { state in
            state.pairs = .success([])
            state.books[[TestMarket.weth, TestMarket.usdc]] = .success(
                RelayOrderbook(bids: RelayOrders(orders: []), asks: RelayOrders(orders: []))
            )
        }
        let venue = Self.venue(knowsZRX: false)
        let (profit, failure) = try await valued(swap: venue)
        #expect(profit?.dollars?.value == 3_000_000_000)
        #expect(failure == nil && venue.prices.count == 2)
        let (without, _) = try await valued()
        #expect(without?.value == TestMarket.units("1.5") && without?.dollars == nil)
    }

    @Test("without a holding nobody is asked; no liquidity is no failure, and a failure is said")
    func failing() async throws {
        #expect(try await valued(withRelay: false).profit == nil)
        #expect(try await valued(held: 0).profit == nil)
        #expect(market.relay.requests.isEmpty && market.chain.rounds.isEmpty)
        let dry = try await valued(withRelay: false, swap: Self.venue(.noLiquidity))
        #expect(dry.profit == nil && dry.failure == nil)
        let closed = try await valued(withRelay: false, swap: Self.venue(.badKey(url: "u")))
        #expect(closed.profit == nil)
        #expect(closed.failure?.hasPrefix("What is held could not be valued completely: ") == true)
        market.relay.set { $0.book = .failure(.rateLimited(url: "u", retryAfter: 9)) }
        let limited = try await valued()
        #expect(limited.profit == nil)
        #expect(
            limited.failure
                == "What is held could not be valued completely: The relay at u limits our "
                + "requests; try again in 9 s."
        )
    }
}
