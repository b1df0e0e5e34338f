import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@testable import SandboxHost

/// The prices of the sandbox's Swap API beside its pools' contract.
@Suite("Prices of the sandbox's pools")
struct ConstantPoolTests {
    @Test("exact out: no smaller amount brings as much")
    func minimumInput() async throws {
        let bench = try SwapBench()
        let pools = try await bench.pools
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

    /// For each of them something comes out of each pool.
    private static let amounts: ClosedRange<UInt64> = 10_000_000_000_000...1_000_000_000_000_000_000

    @Test("the pool's formula agrees with the contract's, to the last unit")
    func formula() async throws {
        let bench = try SwapBench()
        var random = MarketRandom(seed: 2, purpose: "formula")
        let alice = bench.alice.address
        for _ in 0..<8 {
            for (index, pool) in try await bench.pools.enumerated() {
                let token = random.number(in: 0...1) == 0 ? pool.first : pool.second
                let amount = UInt256(random.number(in: Self.amounts))
                let gift = ERC20.transfer(to: pool.address, amount: amount)
                try #require(try await bench.send(to: token, gift, value: .zero).succeeded)
                let sale = ERC20.call("sell(address,address)", token.word, alice.word)
                let paid = try await bench.client.call(
                    CallRequest(from: alice, to: pool.address, data: sale)
                )
                let output = try #require(pool.output(of: amount, selling: token))
                #expect(output.word.bytes == paid)
                try #require(try await bench.send(to: pool.address, sale, value: .zero).succeeded)
                let after = pool.after(selling: token, amount, for: output)
                #expect(try await bench.pools[index] == after)
            }
        }
    }
}
