import DexSigning
import DexTestSupport
import Ethereum
import Foundation
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("An order over several of Uniswap's pools")
struct PoolSplitTests {
    private let unit: UInt256 = 1_000_000_000_000_000_000

    private func direct(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(FakePools.base, FakePools.quote, kind))
    }

    /// Three pools at a price of about 2, as deep as each other, and a deep one for the gas.
    private func market(_ kinds: [PoolKind] = [.v2, .v3(fee: 500), .v3(fee: 3_000)]) throws
        -> FakePools
    {
        var depths: [PoolID: PoolDepth] = [:]
        for kind in kinds {
            depths[try direct(kind)] =
                switch kind {
                case .v2: FakePools.pair(1_000 * unit, 2_000 * unit)
                case .v3(let fee):
                    try FakePools.pool(
                        fee: fee,
                        tick: 6_931,
                        liquidity: 1_414_000_000_000_000_000_000
                    )
                }
        }
        // What gas is worth; too expensive to trade over.
        for (token, reserve) in [(FakePools.base, 1_000 * unit), (FakePools.quote, unit)] {
            let gas = try #require(PoolID(FakePools.weth, token, .v2))
            let ether = 1_000 * unit
            depths[gas] = try #require(
                gas.token0 == token
                    ? FakePools.pair(reserve, ether) : FakePools.pair(ether, reserve)
            )
        }
        return FakePools(depths)
    }

    private func legs(_ quote: SwapQuote) throws -> [RouterSwap] {
        try RouterCall(data: quote.call.data, value: quote.call.value).swaps
    }

    private func amount(_ amount: PoolAmount) -> UInt256 {
        switch amount {
        case .exactIn(let amount), .exactOut(let amount): amount
        }
    }

    @Test("three pools share a large order, both ways, still in two round trips")
    func split() async throws {
        for isExactIn in [true, false] {
            let market = try market()
            let source = market.source()
            let whole = 100 * unit + 7
            let request = FakePools.request(isExactIn ? .exactIn(whole) : .exactOut(whole))
            let quote = try await source.quote(request)
            #expect(market.chain.rounds.count == 2)
            #expect(Set(quote.price.sources.map(\.name)) == ["v2:0.3%", "v3:0.05%", "v3:0.3%"])
            let shares = quote.price.sources.map(\.basisPoints)
            #expect(shares.reduce(0, +) == 10_000)
            #expect(shares == shares.sorted(by: >))
            #expect(quote.price.gas == 250_000)
            let legs = try legs(quote)
            #expect(legs.map { amount($0.amount) }.reduce(0, +) == whole)
            var sum = UInt256.zero
            for leg in legs {
                let walked = try leg.path.quote(leg.amount, market.depths)
                sum += isExactIn ? walked.amountOut : walked.amountIn
                // Half a percent of each leg's own quote.
                #expect(
                    isExactIn
                        ? leg.bound * 1_000_000 >= walked.amountOut * 995_000
                        : leg.bound * 1_000_000 <= walked.amountIn * 1_005_000
                )
            }
            #expect((isExactIn ? quote.price.bought : quote.price.sold) == sum)
            let bounds = legs.map(\.bound).reduce(0, +)
            #expect((isExactIn ? quote.price.minimumBought : quote.price.maximumSold) == bounds)
            // Better than any pool alone.
            for kind in [PoolKind.v2, .v3(fee: 500), .v3(fee: 3_000)] {
                let path = try #require(PoolPath([FakePools.base, FakePools.quote], [kind]))
                let exact: PoolAmount = isExactIn ? .exactIn(whole) : .exactOut(whole)
                let alone = try path.quote(exact, market.depths)
                #expect(isExactIn ? sum > alone.amountOut : sum < alone.amountIn)
            }
            let terms = SwapTerms(
                request: request,
                account: FakePools.account,
                maximum: quote.price.maximumSold,
                minimum: quote.price.minimumBought,
                genuine: [market.deployment.v3Factory, market.deployment.v2Factory],
                wrapped: FakePools.weth,
                now: FakePools.now
            )
            #expect(try source.rules.verify(quote, terms) == quote.call)
        }
    }

    @Test("a small order does not pay for the gas of a second pool, nor a large one for dear gas")
    func gas() async throws {
        let small = try await market().source().price(FakePools.request(.exactIn(unit / 1_000)))
        #expect(small.sources.map(\.name) == ["v3:0.05%"])
        let expensive = try market()
        expensive.chain.set { $0.gasPrice = .success(Wei(1_000_000_000_000_000)) }
        let large = try await expensive.source().price(FakePools.request(.exactOut(100 * unit)))
        #expect(large.sources.count == 1)
    }

    @Test("where nothing says what gas costs, nothing is split")
    func unknownGas() async throws {
        let silent = try market()
        silent.chain.set { $0.gasPrice = .failure(.rpc(code: -32_601, message: "no such method")) }
        let price = try await silent.source().price(FakePools.request(.exactIn(100 * unit)))
        #expect(price.sources.count == 1)
        let alone = FakePools(
            try market().depths.filter { pool, _ in
                pool.token0 != FakePools.weth && pool.token1 != FakePools.weth
            }
        )
        let other = try await alone.source().price(FakePools.request(.exactIn(100 * unit)))
        #expect(other.sources.count == 1)
    }

    @Test("where the router does not reach the pairs, or the chain has no lens, they are left out")
    func reach() async throws {
        let market = try market()
        let call = market.source().rules.registryCalls[4]
        market.chain.answer(call.to, call.data, with: 0xbad)
        let price = try await market.source().price(FakePools.request(.exactIn(100 * unit)))
        #expect(Set(price.sources.map(\.name)) == ["v3:0.05%", "v3:0.3%"])

        let blind = try self.market()
        let chain = blind.chain
        var deployment = blind.deployment
        deployment.lens = nil
        let source = PoolSource(
            deployment,
            chain: chain,
            isKnown: { _ in true },
            now: { FakePools.now }
        )
        let alone = try await source.price(FakePools.request(.exactIn(100 * unit)))
        #expect(alone.sources.count == 1)
    }

    /// What the lens says instead of the truth.
    private func lie(
        _ market: FakePools,
        _ change: @escaping @Sendable ([UInt8]) -> Result<[UInt8], ChainError>
    ) {
        let lens = market.deployment.lens
        market.chain.set { state in
            let truth = state.onCall
            state.onCall = { call, tag in
                guard let answer = truth?(call, tag) else { return .success([]) }
                guard call.to == lens else { return answer }
                return answer.flatMap(change)
            }
        }
    }

    @Test("a lens that lies, fails or is missing leaves the order with one pool or with true ones")
    func lens() async throws {
        let near =
            UInt256(6_900).word.bytes + UInt256(1 << 60).word.bytes
            + UInt256(1 << 60).word.bytes
        let far = UInt256(32).word.bytes + UInt256(1).word.bytes
        let lies: [@Sendable ([UInt8]) -> Result<[UInt8], ChainError>] = [
            { _ in .success([]) },
            { _ in .success([1]) },
            { _ in .failure(.rpc(code: 3, message: "execution reverted")) },
            // A tick with liquidity that the pool does not have, in the way of the trade.
            { $0.count == 64 ? .success(far + near) : .success($0) },
            { _ in .success(UInt256(32).word.bytes + UInt256(UInt64.max).word.bytes) },
        ]
        for (index, change) in lies.enumerated() {
            let market = try market()
            lie(market, change)
            for isExactIn in [true, false] {
                let whole = 100 * unit
                let quote = try await market.source().quote(
                    FakePools.request(isExactIn ? .exactIn(whole) : .exactOut(whole))
                )
                var sum = UInt256.zero
                for leg in try legs(quote) {
                    let walked = try leg.path.quote(leg.amount, market.depths)
                    sum += isExactIn ? walked.amountOut : walked.amountIn
                }
                #expect((isExactIn ? quote.price.bought : quote.price.sold) == sum, "\(index)")
                #expect(quote.price.sources.count == 1, "\(index)")
            }
        }
    }

    @Test("a pool of which the quoter says something else than its ticks is no part of a split")
    func disagreement() async throws {
        let market = try market()
        let path = try #require(PoolPath([FakePools.base, FakePools.quote], [.v3(fee: 3_000)]))
        for amount in [100 * unit, 25 * unit] {
            let call = try #require(QuoterCall(path, .exactIn(amount)))
            let truth = try path.quote(.exactIn(amount), market.depths).amountOut
            let price: UInt256 = 1 << 96
            let words: [UInt256] = [truth - 1, price, 0, 100_000]
            market.chain.answer(
                market.deployment.quoter,
                call.data,
                with: .success(words.flatMap(\.word.bytes))
            )
            let found = try await market.source().price(FakePools.request(.exactIn(100 * unit)))
            #expect(Set(found.sources.map(\.name)) == ["v2:0.3%", "v3:0.05%"])
            market.chain.set { $0.calls = [:] }
        }
    }

    @Test("a coin that is sold in parts goes in as the value of all of them, and out by one unwrap")
    func coin() async throws {
        var depths: [PoolID: PoolDepth] = [:]
        for fee: UInt32 in [500, 3_000] {
            let pool = try #require(PoolID(FakePools.weth, FakePools.quote, .v3(fee: fee)))
            depths[pool] = try FakePools.pool(
                fee: fee,
                tick: 0,
                liquidity: 1_000_000_000_000_000_000_000
            )
        }
        let market = FakePools(depths, tokens: (FakePools.weth, FakePools.quote))
        for amount in [SwapAmount.exactIn(90 * unit), .exactOut(90 * unit)] {
            let sale = try await market.source().quote(
                FakePools.request(amount, sell: .native, buy: .token(FakePools.quote))
            )
            var call = try RouterCall(data: sale.call.data, value: sale.call.value)
            #expect(call.swaps.count == 2 && call.refunds && call.unwrap == nil)
            #expect(sale.call.value == Wei(call.swaps.map(\.maximum).reduce(0, +)))

            let purchase = try await market.source().quote(
                FakePools.request(amount, sell: .token(FakePools.quote), buy: .native)
            )
            call = try RouterCall(data: purchase.call.data, value: purchase.call.value)
            #expect(call.swaps.count == 2 && purchase.call.value == .zero)
            #expect(call.unwrap?.minimum == call.swaps.map(\.minimum).reduce(0, +))
            #expect(call.unwrap?.recipient == FakePools.account)
        }
    }
}
