import DexSandbox
import Ethereum
import Testing

@testable import SandboxHost

/// The prices of the sandbox's Swap API beside its pools' contract.
@Suite("Prices of the sandbox's pools")
struct ConstantPoolTests {
    @Test("exact out: no smaller amount brings as much")
    func leastInput() async throws {
        let bench = try SwapBench()
        let pools = await bench.pools
        var random = MarketRandom(seed: 1, purpose: "exact out")
        for (sell, buy, limit) in [
            (SwapBench.zrx, SwapBench.weth, UInt64.max),
            (SwapBench.dai, SwapBench.zrx, UInt64.max),
            (SwapBench.zrx, SwapBench.usdc, 900_000_000),
        ] {
            let route = try #require(PoolRoute(from: sell, to: buy, pools))
            for _ in 0..<200 {
                let wanted = UInt256(random.number(in: 1...limit))
                let input = try #require(route.input(for: wanted))
                #expect(try #require(route.output(of: input)) >= wanted)
                if input > 1 { #expect(route.output(of: input - 1) ?? .zero < wanted) }
            }
        }
    }

    @Test("the pool's formula agrees with the contract's, to the last unit")
    func formula() async throws {
        let bench = try SwapBench()
        var random = MarketRandom(seed: 2, purpose: "formula")
        for (pool, own) in zip(await bench.chain.swapPools, await bench.pools) {
            for shift in 0..<256 {
                let amount = (UInt256(random.next()) << shift) + 1
                for token in [pool.first.token, pool.second.token] {
                    #expect(
                        own.output(of: amount, selling: token)
                            == pool.output(selling: token, amount)
                    )
                }
            }
        }
    }
}
