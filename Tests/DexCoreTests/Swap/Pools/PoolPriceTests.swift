import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The price of an amount without a relay: the pools' best prices beside what they offer")
struct PoolPriceTests {
    private func load(_ session: Session, _ pair: String) async throws -> PriceState {
        try await PriceModel(session: session).load(pairText: pair, side: .sell, amount: "10")
    }

    @Test("bid, ask, mid and spread are those without an amount, read beside the quotes")
    func amount() async throws {
        let market = try LiveMarket(
            LiveMarket.Holdings(pools: LiveMarket.PoolScene(hasPair: true).genesis())
        )
        let plain = try await PoolBookModel(session: try market.session())
            .price(pairText: "ZRX/WETH")
        market.node.forgetRounds()
        for pair in ["ZRX/WETH", "ZRX/ETH"] {
            market.node.forgetRounds()
            let state = try await load(try market.session(), pair)
            #expect(state.bid == plain.bid && state.ask == plain.ask && state.mid == plain.mid)
            #expect(state.spread == plain.spread && state.spread != nil)
            #expect(state.pools?.book.pools.count == 2 && state.quote == nil)
            #expect(state.offers.map(\.venue) == [.pools])
            #expect(state.offers.allSatisfy { $0.total != nil })
            // The book's two beside the quotes' two.
            #expect(market.node.rounds.count <= 4)
        }
    }

    @Test("a pair without a pool of its own has the price of its amount, and no bid")
    func indirect() async throws {
        let (base, quote, hub) = (FakePools.base, FakePools.quote, FakePools.hub)
        let unit: UInt256 = 1_000_000_000_000_000_000
        let first = try #require(PoolID(base, hub, .v2))
        let second = try #require(PoolID(hub, quote, .v2))
        let state = try #require(FakePools.pair(1_000 * unit, 2_000 * unit))
        let market = FakePools([first: state, second: state])
        var session = market.session()
        session.venues = [PoolVenue(market.source())]
        let price = try await load(session, FakePools.pairText)
        #expect(price.bid == nil && price.mid == nil && price.pools == nil)
        #expect(price.block == 100)
        #expect(price.offers.map(\.venue) == [.pools] && price.offers[0].total != nil)
    }

    @Test("no pool at all: the quote's refusal, which speaks of the size")
    func none() async throws {
        let market = FakePools([:])
        var session = market.session()
        session.venues = [PoolVenue(market.source())]
        let sized = await refusal { try await load(session, FakePools.pairText) }
        #expect(sized?.code == "no-pool" && sized?.message.contains("in this size") == true)
        let book = await refusal {
            try await PoolBookModel(session: session).price(pairText: FakePools.pairText)
        }
        #expect(book?.code == "no-pool" && book?.message.contains("size") == false)
        #expect(book?.message == "No Uniswap pool of this pair on this chain has liquidity.")
    }
}
