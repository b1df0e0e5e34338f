import DexSigning
import DexTestSupport
import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("v2 pairs by v2 Router02, where SwapRouter02 knows another v2 factory")
struct V2RouterSourceTests {
    private static let unit: UInt256 = 1_000_000_000_000_000_000
    private static let router = FakePools.address(0x72)

    private func id(_ one: Address, _ other: Address, _ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(one, other, kind))
    }

    /// A v2 pair that gives twice what the v3 pool gives.
    private func market() throws -> FakePools {
        FakePools(
            [
                try id(FakePools.base, FakePools.quote, .v2): try #require(
                    FakePools.pair(1_000_000 * Self.unit, 4_000_000 * Self.unit)
                ),
                try id(FakePools.base, FakePools.quote, .v3(fee: 500)): try FakePools.pool(
                    fee: 500,
                    tick: 6_931,
                    liquidity: 1_000_000_000_000_000_000_000_000
                ),
            ],
            v2Router: Self.router
        )
    }

    private func terms(_ quote: SwapQuote, _ request: SwapRequest) -> SwapTerms {
        SwapTerms(
            request: request,
            account: FakePools.account,
            maximum: quote.price.maximumSold,
            minimum: quote.price.minimumBought,
            genuine: [FakePools.address(0xf3), Self.router],
            wrapped: FakePools.weth,
            now: FakePools.now
        )
    }

    private func refusal(
        _ rules: any LiquidityRules,
        _ quote: SwapQuote,
        _ terms: SwapTerms
    ) -> QuoteFault? {
        do throws(QuoteFault) {
            _ = try rules.verify(quote, terms)
            return nil
        } catch {
            return error
        }
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

    @Test("the call is v2 Router02's, measures what arrives, and keeps the terms in every part")
    func call() async throws {
        let market = try market()
        let source = market.source()
        let request = FakePools.request(.exactIn(Self.unit))
        let quote = try await source.quote(request)
        #expect(quote.price.sources.map(\.name) == ["v2:0.3%"])
        #expect(quote.call.to == Self.router)
        let call = try V2RouterCall(data: quote.call.data, value: quote.call.value)
        #expect(call.measures && call.coin == .none)
        #expect(call.recipient == FakePools.account)
        #expect(call.deadline == FakePools.now + PoolRules.lifetime)
        #expect(source.rules.spender(.allowance, of: quote.call) == Self.router)
        #expect(source.rules.spenders == [market.deployment.router, Self.router])
        let good = terms(quote, request)
        #expect(refusal(source.rules, quote, good) == nil)
        let changes: [(inout SwapTerms) -> Void] = [
            { $0.minimum += 1 }, { $0.maximum -= 1 }, { $0.account = FakePools.base },
            { $0.request.sell = .native }, { $0.request.buy = .native },
            { $0.genuine = [FakePools.address(0xf3), FakePools.address(0xf2)] },
            { $0.genuine = [] }, { $0.request.spender = FakePools.address(0x70) },
            { $0.now += 301 },
        ]
        for (index, change) in changes.enumerated() {
            var terms = good
            change(&terms)
            #expect(refusal(source.rules, quote, terms) != nil, "\(index)")
        }
    }

    @Test("each changed bit of the call is refused, or is a call within the same terms")
    func mutated() async throws {
        let source = try market().source()
        let request = FakePools.request(.exactIn(Self.unit))
        let quote = try await source.quote(request)
        let terms = terms(quote, request)
        for bit in 0..<quote.call.data.count * 8 {
            var changed = quote
            changed.call.data[bit / 8] ^= 1 << UInt8(bit % 8)
            guard refusal(source.rules, changed, terms) == nil else { continue }
            let call = try V2RouterCall(data: changed.call.data, value: .zero)
            #expect(call.recipient == FakePools.account && call.bound >= terms.minimum)
            #expect(call.path.tokens == [FakePools.base, FakePools.quote])
            #expect(call.deadline <= FakePools.now + PoolRules.longestLifetime)
        }
        var paid = quote
        paid.call.value = Wei(1)
        #expect(refusal(source.rules, paid, terms) != nil)
    }

    @Test("the most that it takes is read from its bytes, whoever asks for the signature")
    func effects() async throws {
        let market = try market()
        let rules = market.source().rules
        let quote = try await market.source().quote(FakePools.request(.exactIn(Self.unit)))
        let effects = try #require(rules.effects(of: quote.call))
        #expect(effects.function == "swapExactTokensForTokensSupportingFeeOnTransferTokens")
        #expect(effects.contract == Self.router)
        #expect(effects.pays == [FakePools.base: Self.unit])
        #expect(effects.recipient == FakePools.account)
        #expect(effects.bought == .token(FakePools.quote))
        // It is no call of the other router, and the other's none of this one.
        let other = SwapCall(to: market.deployment.router, data: quote.call.data, value: .zero)
        #expect(rules.effects(of: other) == nil)
        let foreign = SwapCall(to: FakePools.base, data: quote.call.data, value: .zero)
        #expect(rules.effects(of: foreign) == nil)
    }

    @Test("a router of another factory or coin, or none, has no pairs: v3 trades")
    func registry() async throws {
        for index in [5, 6] {
            let market = try market()
            let call = market.source().rules.registryCalls[index]
            #expect(call.to == Self.router)
            market.chain.answer(call.to, call.data, with: 0xbad)
            let price = try await market.source().price(FakePools.request(.exactIn(Self.unit)))
            #expect(price.sources.map(\.name) == ["v3:0.05%"])
            #expect(price.bought > .zero)
        }
    }

    @Test("a quote for one router's allowance is never one of the other")
    func pinned() async throws {
        let market = try market()
        let source = market.source()
        for (spender, name) in [
            (market.deployment.router, "v3:0.05%"), (Self.router, "v2:0.3%"),
        ] {
            // A price that was kept for any router is not used.
            _ = try await source.price(FakePools.request(.exactIn(Self.unit)))
            let request = FakePools.request(.exactIn(Self.unit), spender: spender)
            let quote = try await source.quote(request)
            #expect(quote.call.to == spender)
            #expect(quote.price.sources.map(\.name) == [name])
        }
        let stranger = FakePools.request(.exactIn(1), spender: FakePools.base)
        let error = await fault { () async throws(LiquidityError) in
            try await source.quote(stranger)
        }
        #expect(error == .noPool)
    }

    @Test("of a fixed purchase it trades the chain's main tokens alone, and v3 the others")
    func exactOut() async throws {
        let market = try market()
        let purchase = FakePools.request(.exactOut(Self.unit))
        let price = try await market.source().price(purchase)
        #expect(price.sources.map(\.name) == ["v3:0.05%"])
        let pairs = FakePools(
            [
                try id(FakePools.base, FakePools.quote, .v2): try #require(
                    FakePools.pair(1_000 * Self.unit, 1_000 * Self.unit)
                ),
                try id(FakePools.base, FakePools.hub, .v2): try #require(
                    FakePools.pair(1_000 * Self.unit, 1_000 * Self.unit)
                ),
            ],
            v2Router: Self.router
        )
        let error = await fault { () async throws(LiquidityError) in
            try await pairs.source().price(purchase)
        }
        #expect(error == .exactInOnly)
        let hub = FakePools.request(.exactOut(Self.unit), buy: .token(FakePools.hub))
        let quote = try await pairs.source(known: [FakePools.base, FakePools.hub]).quote(hub)
        let call = try V2RouterCall(data: quote.call.data, value: quote.call.value)
        #expect(call.amount == .exactOut(Self.unit) && !call.measures)
        #expect(call.bound == quote.price.maximumSold)
    }

    @Test("the coin goes in as value, and comes out without a call of its own")
    func coin() async throws {
        let pairs = FakePools(
            [
                try id(FakePools.weth, FakePools.quote, .v2): try #require(
                    FakePools.pair(1_000 * Self.unit, 1_000 * Self.unit)
                )
            ],
            v2Router: Self.router
        )
        let sale = FakePools.request(.exactIn(Self.unit), sell: .native)
        let sold = try await pairs.source().quote(sale)
        #expect(sold.call.value == Wei(Self.unit))
        #expect(try V2RouterCall(data: sold.call.data, value: sold.call.value).coin == .sold)
        #expect(refusal(pairs.source().rules, sold, terms(sold, sale)) == nil)
        let purchase = FakePools.request(
            .exactIn(Self.unit),
            sell: .token(FakePools.quote),
            buy: .native
        )
        let bought = try await pairs.source().quote(purchase)
        #expect(try V2RouterCall(data: bought.call.data, value: .zero).coin == .bought)
        #expect(refusal(pairs.source().rules, bought, terms(bought, purchase)) == nil)
    }

    @Test("no proof is needed of a call that measures; SwapRouter02's has one, of tokens alone")
    func proofs() async throws {
        let market = try market()
        let rules = market.source().rules
        let request = FakePools.request(.exactIn(Self.unit))
        let measured = try await market.source().quote(request)
        #expect(rules.proof(of: measured.call, terms(measured, request)) == nil)
        var pinned = request
        pinned.spender = market.deployment.router
        let quote = try await market.source().quote(pinned)
        let proof = try #require(rules.proof(of: quote.call, terms(quote, pinned)))
        #expect(proof.to == market.deployment.router && proof.value == quote.call.value)
        // It is nothing that could be signed.
        #expect(rules.effects(of: proof) == nil)
        var coin = terms(quote, pinned)
        coin.request.buy = .native
        #expect(rules.proof(of: quote.call, coin) == nil)
    }
}
