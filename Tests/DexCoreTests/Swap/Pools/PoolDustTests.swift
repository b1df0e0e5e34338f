import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Pools of one cent at any price change nothing")
struct PoolDustTests {
    private static let unit: UInt256 = 1_000_000_000_000_000_000

    private func id(_ one: Address, _ other: Address, _ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(one, other, kind))
    }

    /// Real money: a v3 pool, a v2 pair whose price is 15 % worse, and what says what gas costs.
    private func depths() throws -> [PoolID: PoolDepth] {
        [
            try id(FakePools.base, FakePools.quote, .v3(fee: 500)): try FakePools.pool(
                fee: 500,
                tick: 0,
                liquidity: 1_000_000_000_000_000_000_000_000
            ),
            try id(FakePools.base, FakePools.quote, .v2): try #require(
                FakePools.pair(1_000_000 * Self.unit, 850_000 * Self.unit)
            ),
            try id(FakePools.weth, FakePools.quote, .v2): try #require(
                FakePools.pair(1_000 * Self.unit, 1_000 * Self.unit)
            ),
            try id(FakePools.weth, FakePools.base, .v2): try #require(
                FakePools.pair(1_000 * Self.unit, 1_000 * Self.unit)
            ),
        ]
    }

    @Test(
        "a dust pool of the coin does not decide what gas is worth, and so not the route",
        arguments: [
            SwapAmount.exactIn(1_000_000_000_000_000_000), .exactOut(1_000_000_000_000_000_000),
        ],
        [Int32(400_000), -400_000]
    )
    func gas(amount: SwapAmount, tick: Int32) async throws {
        var depths = try depths()
        for token in [FakePools.base, FakePools.quote] {
            depths[try id(FakePools.weth, token, .v3(fee: 10_000))] = try FakePools.pool(
                fee: 10_000,
                tick: tick,
                liquidity: 1_000
            )
        }
        let market = FakePools(depths)
        let price = try await market.source().price(FakePools.request(amount))
        #expect(price.sources.map(\.name) == ["v3:0.05%"])
    }

    /// Pools whose states promise all, and that have nothing.
    @Test("no promise of a pool is larger than what it has, and direct pools are always quoted")
    func ranking() throws {
        let hubs = (1...5).map { FakePools.address(0x1000 + $0) }
        let deployment = UniswapDeployment(
            chainID: 1,
            v2Factory: FakePools.address(0xf2),
            v2Router: nil,
            v3Factory: FakePools.address(0xf3),
            quoter: FakePools.address(0x90),
            router: FakePools.address(0x70),
            lens: FakePools.address(0x1e),
            wrapped: FakePools.weth,
            hubs: hubs
        )
        let candidates = PoolCandidates(
            deployment,
            sold: FakePools.base,
            bought: FakePools.quote
        )
        let slot = try #require(
            try ContractRead.slot.decode(
                [1 << 96, 0, 0, 1, 1, 0, 1].flatMap { ($0 as UInt256).word.bytes }
            )
        )
        func market(held: UInt256) -> PoolMarket {
            var (spots, holdings): ([PoolID: PoolSpot], [PoolID: UInt256]) = ([:], [:])
            for pool in candidates.pools where pool.kind != .v2 {
                let isDirect = pool.other(than: FakePools.base) == FakePools.quote
                spots[pool] = .v3(
                    slot,
                    liquidity: isDirect ? UInt128(1) << 70 : UInt128.max,
                    fee: pool.kind.fee
                )
                holdings[pool] = isDirect ? .max : held
            }
            return PoolMarket(
                candidates: candidates,
                block: TestMarket.block(100, timestamp: FakePools.now),
                genuine: [],
                gasPrice: 1,
                spots: spots,
                holdings: holdings
            )
        }
        for amount in [PoolAmount.exactIn(Self.unit), .exactOut(Self.unit)] {
            // They have it: they are better, and the direct ones are quoted all the same.
            let rich = market(held: .max).paths(for: amount)
            #expect(rich.count == PoolMarket.maximumPaths)
            #expect(rich.count { $0.pools.count == 1 } == 4)
            // They have less than they promise: none of them is asked.
            let poor = market(held: Self.unit / 1_000).paths(for: amount)
            #expect(poor.allSatisfy { $0.pools.count == 1 } && poor.count == 4)
        }
    }

    @Test("a quoter is asked with a limit of gas, so that all nodes end a dry walk alike")
    func quoterGas() async throws {
        let market = FakePools(try depths())
        _ = try await market.source().price(FakePools.request(.exactIn(Self.unit)))
        let asked = market.chain.rounds.joined().compactMap { read -> CallRequest? in
            guard case .call(let call, _) = read, call.to == market.deployment.quoter else {
                return nil
            }
            return call
        }
        let quotes = asked.filter { $0.data.count > 36 }
        #expect(!quotes.isEmpty && quotes.allSatisfy { $0.gas == 10_000_000 })
    }

    @Test("a fee whose ticks the factory spaces otherwise than the list says is no pool of ours")
    func spacing() async throws {
        let market = FakePools(try depths())
        let data = ContractRead.tickSpacing(fee: 500).data
        for answer in [0, 20] as [UInt256] {
            market.chain.answer(market.deployment.v3Factory, data, with: answer)
            let price = try await market.source().price(FakePools.request(.exactIn(Self.unit)))
            #expect(price.sources.allSatisfy { !$0.name.contains("v3") })
        }
        // What is no answer of a factory says nothing.
        market.chain.answer(market.deployment.v3Factory, data, with: .success([1]))
        let price = try await market.source().price(FakePools.request(.exactIn(Self.unit)))
        #expect(price.sources.map(\.name) == ["v3:0.05%"])
    }
}
