import DexCore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("The order book's view model")
struct OrderbookModelTests {
    let market: TestMarket

    init() throws {
        market = try TestMarket()
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: TestMarket.units("1000"))
            market.fund(maker.address, TestMarket.weth, balance: TestMarket.units("1000"))
        }
    }

    private func model() throws -> OrderbookModel {
        OrderbookModel(session: try market.session())
    }

    @Test("rows are in base and quote whatever the direction of the order")
    func rows() async throws {
        let ask = try await market.ask(
            by: market.makers[0],
            "200",
            for: "4",
            fees: TestMarket.fees(taker: "50")
        )
        let bid = try await market.bid(by: market.makers[1], "100", for: "1")
        market.use(ask, filled: TestMarket.units("2"))
        market.setBook(bids: [bid], asks: [ask])

        let state = try await model().load(pairText: "ZRX/WETH")

        #expect(state.pair.name == "ZRX/WETH")
        #expect(state.block == TestMarket.head)
        #expect(state.timestamp == TestMarket.now)
        let sold = try #require(state.asks.first)
        #expect(sold.amount == TestMarket.units("200"))
        #expect(sold.fillable == TestMarket.units("100"))
        #expect(sold.takerFee == TestMarket.units("25"))
        #expect(sold.price == Price(quote: 4, base: 150))
        #expect(sold.flags == [.partlyFilled])
        let bought = try #require(state.bids.first)
        #expect(bought.amount == TestMarket.units("100"))
        #expect(bought.fillable == TestMarket.units("100"))
        #expect(bought.maker == market.makers[1].address)
        #expect(bought.expires == UInt256(TestMarket.now + 86_400))
        #expect(state.bid == Price(quote: 1, base: 100))
        #expect(state.ask == Price(quote: 4, base: 150))
        #expect(state.mid == Price(quote: 11, base: 600))
        #expect(!state.isRaw)
    }

    @Test("the same orders seen from WETH/ZRX change sides and turn their price around")
    func otherDirection() async throws {
        let order = try await market.ask(by: market.makers[0], "200", for: "4")
        market.setBook(asks: [order])

        let state = try await model().load(pairText: "WETH/ZRX")

        #expect(state.asks.isEmpty)
        #expect(state.bids.map(\.price) == [try #require(Price(quote: 50, base: 1))])
        #expect(state.bids.map(\.amount) == [TestMarket.units("4")])
    }

    @Test("depth cuts the rows and not the counts", arguments: [0, 1, 2, 5, -3])
    func depth(depth: Int) async throws {
        var asks: [any SignedOrder] = []
        for price in ["0.1", "0.2", "0.3"] {
            asks.append(try await market.ask(by: market.makers[0], "1", for: price))
        }
        market.setBook(asks: asks)

        let state = try await model().load(pairText: "ZRX/WETH", depth: depth)

        #expect(state.asks.map(\.orderHash) == asks.prefix(max(0, depth)).map(\.hash))
        #expect(state.askCount == 3)
        #expect(state.depth == depth)
        #expect(state.ask == Price(quote: 1, base: 10))
    }

    @Test("the best price is that of an order that can be taken")
    func bestTakeable() async throws {
        let expiring = try await market.ask(by: market.makers[0], "1", for: "0.1", expiresIn: 60)
        let lasting = try await market.ask(by: market.makers[1], "1", for: "0.2")
        market.setBook(asks: [expiring, lasting])

        let state = try await model().load(pairText: "ZRX/WETH")

        #expect(state.asks.count == 2)
        #expect(state.ask == Price(quote: 2, base: 10))
        #expect(state.bid == nil)
        #expect(state.mid == nil)
    }

    @Test("an account's own orders are marked")
    func own() async throws {
        market.fundTrader(zrx: .max, allowance: .max)
        let order = try await market.ask(by: market.trader, "1", for: "0.1")
        market.setBook(asks: [order])

        let state = try await model().load(
            pairText: "ZRX/WETH",
            account: market.trader.address
        )

        #expect(state.asks.map(\.flags) == [[.own]])
        #expect(state.ask == nil)
    }

    // MARK: Raw

    @Test("the raw book is as the relay sent it: unsorted, unchecked, and no node is asked")
    func raw() async throws {
        let expensive = try await market.ask(by: market.makers[0], "1", for: "0.3")
        let cheap = try await market.ask(by: market.makers[0], "1", for: "0.1")
        let expired = try await market.bid(by: market.makers[0], "1", for: "0.1", expiresIn: 0)
        let zero = try await market.order(
            by: market.makers[0],
            give: (TestMarket.zrx, 0),
            get: (TestMarket.weth, 1)
        )
        let other = try await market.order(
            by: market.makers[0],
            give: (TestMarket.usdc, 1),
            get: (TestMarket.weth, 1)
        )
        market.setBook(
            bids: [expired],
            asks: [expensive, cheap, expensive, zero, other],
            unreadable: [.notAnOrder]
        )

        let state = try await model().load(pairText: "ZRX/WETH", raw: true)

        #expect(state.isRaw)
        #expect(state.block == nil)
        #expect(state.asks.map(\.orderHash) == [expensive, cheap, expensive].map(\.hash))
        #expect(state.bids.map(\.orderHash) == [expired.hash])
        #expect((state.asks + state.bids).allSatisfy { $0.flags == [.unverified] })
        #expect(state.received == 7)
        #expect(state.verified == 0)
        #expect(state.dropped.map(\.reason.code) == ["malformed", "zero-amount", "wrong-tokens"])
        #expect(state.mid == nil)
        #expect(market.chain.rounds.isEmpty)
    }

    // MARK: Watching

    @Test("watching yields the book at once and then only when it changed")
    func stream() async throws {
        let first = try await market.ask(by: market.makers[0], "10", for: "0.1")
        let second = try await market.ask(by: market.makers[0], "10", for: "0.2")
        market.setBook(asks: [first])
        let market = market
        market.clock.onSleep { count in
            switch count {
            case 2: market.setBook(asks: [first, second])
            case 4: market.use(first, filled: TestMarket.units("0.05"))
            case 6: throw CancellationError()
            default: market.mine(200 + UInt64(count), timestamp: TestMarket.now + 1)
            }
        }

        var states: [OrderbookState] = []
        try await model().watch(pairText: "ZRX/WETH") { state in
            states.append(state)
            return true
        }

        #expect(states.map(\.askCount) == [1, 2, 2])
        #expect(states.last?.asks.first?.fillable == TestMarket.units("5"))
        #expect(market.clock.sleeps == Array(repeating: 250, count: 7))
    }

    @Test("watching outlives a failure that may pass, and ends at any other")
    func streamFailures() async throws {
        let ask = try await market.ask(by: market.makers[0], "10", for: "0.1")
        market.setBook(asks: [ask])
        let market = market
        market.clock.onSleep { count in
            switch count {
            case 0:
                market.relay.set {
                    $0.book = .failure(.unreachable(url: "http://r", reason: "refused"))
                }
            case 1: market.setBook()
            case 2: market.chain.set { $0.chainID = 5 }
            default: break
            }
        }

        var counts: [Int] = []
        await #expect {
            try await model().watch(pairText: "ZRX/WETH") { state in
                counts.append(state.askCount)
                return true
            }
        } throws: { error in
            (error as? DexError)?.code == "wrong-chain"
        }

        #expect(counts == [1, 0])
        #expect(market.clock.messages == ["The relay at http://r cannot be reached: refused."])
    }

    @Test("a first book that fails ends the watch, even where a later one might not")
    func streamFirstFailure() async throws {
        market.relay.set { $0.book = .failure(.unreachable(url: "http://r", reason: "refused")) }

        await #expect {
            try await model().watch(pairText: "ZRX/WETH") { _ in true }
        } throws: { error in
            (error as? DexError)?.exit == .unreachable
        }
        #expect(market.clock.sleeps.isEmpty)
    }

    @Test(
        "a watch polls at half the block time, at least every half second",
        arguments: [
            (12_000, 6_000), (1_750, 875), (200, 500), (0, 500), (.max, 60_000),
        ] as [(UInt64, UInt64)]
    )
    func interval(block: UInt64, milliseconds: UInt64) {
        var network = market.network
        network.blockMilliseconds = block
        #expect(network.watchInterval == 250)
        network.isSandbox = false
        #expect(network.watchInterval == milliseconds)
        #expect(network.receiptInterval == min(max(milliseconds, 500), 4_000))
    }
}
