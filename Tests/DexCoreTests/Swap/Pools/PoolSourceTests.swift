import DexSigning
import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Uniswap's pools as a venue: the price, the call, and what a node may lie about")
struct PoolSourceTests {
    private static let unit: UInt256 = 1_000_000_000_000_000_000

    /// Each amount that a test trades is of this pair.
    private func direct(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(FakePools.base, FakePools.quote, kind))
    }

    private func market() throws -> FakePools {
        FakePools([
            try direct(.v2): try #require(FakePools.pair(1_000 * Self.unit, 2_000 * Self.unit)),
            try direct(.v3(fee: 500)): try FakePools.pool(
                fee: 500,
                tick: 6_931,
                liquidity: 1_000_000_000_000_000_000_000_000
            ),
        ])
    }

    private func fault<Value>(
        _ body: () async throws(LiquidityError) -> Value
    ) async -> LiquidityError? {
        do throws(LiquidityError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test("the price takes two round trips, its quote none, and the next quote two again")
    func roundTrips() async throws {
        let market = try market()
        let source = market.source()
        let request = FakePools.request(.exactIn(Self.unit))
        let price = try await source.price(request)
        #expect(market.chain.rounds.count == 2)
        #expect(price.sources.map(\.name) == ["v3:0.05%"])
        #expect(price.block == 100)
        #expect(price.sold == Self.unit && price.maximumSold == Self.unit)
        let quote = try await source.quote(request)
        #expect(market.chain.rounds.count == 2)
        #expect(quote.price == price)
        _ = try await source.quote(request)
        #expect(market.chain.rounds.count == 4)
    }

    @Test("a quote's call is one of the router that keeps the trade's terms, both ways")
    func calls() async throws {
        let source = try market().source()
        for amount in [SwapAmount.exactIn(Self.unit), .exactOut(Self.unit)] {
            for sell in [SwapAsset.token(FakePools.base)] {
                let request = FakePools.request(amount, sell: sell)
                let quote = try await source.quote(request)
                var terms = SwapTerms(
                    request: request,
                    account: FakePools.account,
                    maximum: quote.price.maximumSold,
                    minimum: quote.price.minimumBought,
                    genuine: [],
                    wrapped: FakePools.weth,
                    now: FakePools.now
                )
                #expect(try source.rules.verify(quote, terms) == quote.call)
                terms.minimum += 1
                #expect(throws: QuoteFault.self) { try source.rules.verify(quote, terms) }
                terms.minimum -= 1
                terms.maximum -= 1
                #expect(throws: QuoteFault.self) { try source.rules.verify(quote, terms) }
                terms.maximum += 1
                terms.account = FakePools.base
                #expect(throws: QuoteFault.self) { try source.rules.verify(quote, terms) }
            }
        }
    }

    @Test("the minimum is the slippage below the quote, rounded up, and never zero")
    func bounds() async throws {
        let source = try market().source()
        let sale = try await source.price(FakePools.request(.exactIn(Self.unit)))
        #expect(sale.minimumBought <= sale.bought)
        #expect(sale.minimumBought * 1_000_000 >= sale.bought * 995_000)
        #expect((sale.minimumBought - 1) * 1_000_000 < sale.bought * 995_000)
        let purchase = try await source.price(FakePools.request(.exactOut(Self.unit)))
        #expect(purchase.maximumSold * 1_000_000 <= purchase.sold * 1_005_000)
        let crumb = try await source.price(FakePools.request(.exactIn(2)))
        #expect(crumb.minimumBought >= 1)
    }

    // MARK: Lies

    @Test("a router or quoter of another factory or coin is refused before any price")
    func registry() async throws {
        for (index, place) in [
            "SwapRouter02.factory()", "SwapRouter02.WETH9()", "QuoterV2.factory()",
            "QuoterV2.WETH9()",
        ].enumerated() {
            let market = try market()
            let calls = market.source().rules.registryCalls
            market.chain.answer(calls[index].to, calls[index].data, with: 0xbad)
            let error = await fault { () async throws(LiquidityError) in
                try await market.source().price(FakePools.request(.exactIn(Self.unit)))
            }
            guard case .foreignContracts(.otherContract(let field, _, _)) = error else {
                Issue.record("\(place): \(String(describing: error))")
                continue
            }
            #expect(field == place)
            #expect(market.chain.rounds.count == 1)
        }
    }

    @Test("where the router has another v2 factory, its pairs are left out")
    func otherPairs() async throws {
        let market = try market()
        let call = market.source().rules.registryCalls[4]
        market.chain.answer(call.to, call.data, with: 0xbad)
        let price = try await market.source().price(FakePools.request(.exactIn(Self.unit)))
        #expect(price.sources.map(\.name) == ["v3:0.05%"])
        let alone = FakePools([
            try direct(.v2): try #require(FakePools.pair(Self.unit, Self.unit))
        ])
        alone.chain.answer(call.to, call.data, with: 0xbad)
        let error = await fault { () async throws(LiquidityError) in
            try await alone.source().price(FakePools.request(.exactIn(Self.unit)))
        }
        #expect(error == .noPool)
    }

    @Test("a pool that the factory does not confirm is not used")
    func strangePool() async throws {
        let market = try market()
        let pool = try direct(.v3(fee: 500))
        market.chain.answer(
            market.deployment.v3Factory,
            ContractRead.pool(pool).data,
            with: 0xbad
        )
        let price = try await market.source().price(FakePools.request(.exactIn(Self.unit)))
        #expect(price.sources.map(\.name) == ["v2:0.3%"])
    }

    @Test("no pools, a token with itself and a coin that cannot be wrapped have no price")
    func nothing() async throws {
        let empty = FakePools([:]).source()
        let asked = [
            FakePools.request(.exactIn(1)),
            FakePools.request(.exactIn(1), sell: .native, buy: .token(FakePools.weth)),
            FakePools.request(.exactIn(1), buy: .token(FakePools.base)),
        ]
        for request in asked {
            let error = await fault { () async throws(LiquidityError) in
                try await empty.price(request)
            }
            #expect(error == .noPool)
        }
    }

    @Test("an amount beyond what the pools have has no price, whatever the quoter says")
    func tooMuch() async throws {
        let market = try market()
        let error = await fault { () async throws(LiquidityError) in
            try await market.source().price(FakePools.request(.exactOut(1 << 120)))
        }
        #expect(error == .noPool)
    }

    @Test("a bought token in no list trades through a v2 pair for an exact amount sold, or not")
    func unproven() async throws {
        let market = try market()
        let source = market.source(known: [FakePools.base])
        let sale = try await source.price(FakePools.request(.exactIn(Self.unit)))
        #expect(sale.sources.map(\.name) == ["v2:0.3%"])
        let purchase = await fault { () async throws(LiquidityError) in
            try await source.price(FakePools.request(.exactOut(Self.unit)))
        }
        #expect(purchase == .unprovenToken(FakePools.quote))
    }

    @Test("a node that fails is an error of the node, in either round trip")
    func nodeFails() async throws {
        for round in 0...1 {
            let market = try market()
            let lost = ChainError.unreachable(url: "http://node", reason: "no route")
            market.chain.set { state in
                state.onRound = { number, _ in number == round ? .failure(lost) : nil }
            }
            let error = await fault { () async throws(LiquidityError) in
                try await market.source().price(FakePools.request(.exactIn(Self.unit)))
            }
            #expect(error == .chain(lost))
        }
    }

    @Test("the coin goes in as value and comes back, and out by the router's unwrapping")
    func coin() async throws {
        let pool = try #require(PoolID(FakePools.weth, FakePools.quote, .v3(fee: 500)))
        let market = FakePools([
            pool: try FakePools.pool(fee: 500, tick: 0, liquidity: 1 << 80)
        ])
        let calls = QuoterCall(
            try #require(PoolPath([FakePools.weth, FakePools.quote], [.v3(fee: 500)])),
            .exactIn(Self.unit)
        )
        let data = try #require(calls).data
        market.chain.answer(
            market.deployment.quoter,
            data,
            with: .success(
                [Self.unit, 1 << 96, 0, 100_000].flatMap { (word: UInt256) in word.word.bytes }
            )
        )
        let quote = try await market.source().quote(
            FakePools.request(.exactIn(Self.unit), sell: .native)
        )
        #expect(quote.call.value == Wei(Self.unit))
        let call = try RouterCall(data: quote.call.data, value: quote.call.value)
        #expect(call.refunds)
        #expect(call.deadline == FakePools.now + PoolRules.lifetime)
        #expect(call.swaps.map(\.recipient) == [FakePools.account])
    }
}
