import Ethereum
import Testing
import Uniswap

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Pools as deep as their ticks around the price")
struct PoolDepthsTests {
    private func pool(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(FakePools.base, FakePools.quote, kind))
    }

    private func market() throws -> FakePools {
        FakePools([
            try pool(.v2): try #require(FakePools.pair(1_000_000, 2_000_000)),
            try pool(.v3(fee: 500)): try FakePools.pool(fee: 500, tick: 6_931, liquidity: 1 << 80),
            try pool(.v3(fee: 3_000)): try FakePools.pool(
                fee: 3_000,
                tick: -599_999,
                liquidity: 1 << 80
            ),
        ])
    }

    private func read(
        _ market: FakePools,
        lens: Address? = FakePools.address(0x1e),
        checked: Set<PoolID> = []
    ) async throws -> (depths: PoolDepths, calls: Int) {
        var deployment = market.deployment
        deployment.lens = lens
        let states = try await PoolMarket.read(
            PoolCandidates(FakePools.base, FakePools.quote),
            deployment,
            market.chain
        )
        var batch = ReadBatch()
        let asked = PoolDepths.ask(
            states.spots,
            deployment,
            checked: checked,
            at: .number(100),
            in: &batch
        )
        let before = market.chain.rounds.count
        let depths = try asked.read(try await market.chain.read(batch))
        #expect(market.chain.rounds.count == before + 1)
        return (depths, market.chain.rounds.last?.count ?? 0)
    }

    @Test("pairs by their reserves, v3 pools with the ticks of the words around their price")
    func reads() async throws {
        let market = try market()
        let (depths, calls) = try await read(market)
        #expect(Set(depths.pools.keys) == Set(market.depths.keys))
        #expect(depths.checked == Set(market.depths.keys))
        #expect(depths.pools[try pool(.v2)] == market.depths[try pool(.v2)])
        guard case .v3(let near) = depths.pools[try pool(.v3(fee: 500))],
            case .v3(let edge) = depths.pools[try pool(.v3(fee: 3_000))]
        else {
            Issue.record("no v3 pools: \(depths)")
            return
        }
        // 5,931...7,931 in words of 2,560 ticks, -600,999...-598,999 in words of 15,360.
        #expect(near.words == 2...3 && near.ticks.isEmpty)
        #expect(edge.words == -40 ... -39)
        #expect(edge.ticks.map(\.tick) == [-600_000])
        #expect(edge.ticks.map(\.liquidityNet) == [1 << 80])
        // Three at the factories, two fees, four words.
        #expect(calls == 9)
        #expect(try await read(market, checked: Set(market.depths.keys)).calls == 4)
    }

    @Test("without a lens there are pairs alone, and a pool that no factory confirms is none")
    func leftOut() async throws {
        let market = try market()
        #expect(Set(try await read(market, lens: nil).depths.pools.keys) == [try pool(.v2)])
        let strange = try pool(.v3(fee: 500))
        market.chain.answer(
            market.deployment.v3Factory,
            ContractRead.pool(strange).data,
            with: 0xbad
        )
        let (depths, _) = try await read(market)
        #expect(depths.pools[strange] == nil && !depths.checked.contains(strange))
        #expect(depths.pools.count == 2)
    }

    @Test("a pool of which one word is no lens's answer is left out, the others stay")
    func hostile() async throws {
        let answers: [Result<[UInt8], ChainError>] = [
            .success([]), .success([1]), .success([UInt8](repeating: 0xff, count: 64)),
            .failure(.rpc(code: 3, message: "execution reverted")),
            // A tick of another word.
            .success(
                [UInt256(32), 1, 0, 1, 1].flatMap { (word: UInt256) in word.word.bytes }
            ),
        ]
        for answer in answers {
            let market = try market()
            let read = ContractRead.populatedTicks(
                of: market.deployment.address(of: try pool(.v3(fee: 500))),
                word: 3,
                spacing: 10
            )
            let lens = try #require(market.deployment.lens)
            market.chain.answer(lens, read.data, with: answer)
            let (depths, _) = try await self.read(market)
            #expect(Set(depths.pools.keys) == [try pool(.v2), try pool(.v3(fee: 3_000))])
        }
    }

    @Test("a node that gives no answer is its failure")
    func nodeFails() async throws {
        let market = try market()
        let lost = ChainError.unreachable(url: "http://node", reason: "no route")
        market.chain.set { state in
            state.onRound = { number, _ in number == 1 ? .failure(lost) : nil }
        }
        await #expect(throws: lost) { try await read(market) }
    }
}
