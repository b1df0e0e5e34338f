import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Testing

/// Random trades of two accounts, good ones and bad ones.
@Suite("What every sequence of swaps keeps")
struct SwapInvariantTests {
    private let settler = TestChain.settler
    private let holder = TestChain.swap.allowanceHolder

    private struct Trade {
        var pool: GenesisPool
        var isFirst: Bool
        var amount: UInt256
        var minimum: UInt256

        var sold: Address { isFirst ? pool.first.token : pool.second.token }
        var bought: Address { isFirst ? pool.second.token : pool.first.token }
    }

    /// The sums of all balances of each token, and the wrapped ether's backing.
    private func sums(_ test: TestChain) async throws -> [UInt256] {
        let swap = TestChain.swap
        let owners =
            test.genesis.accounts.map(\.address) + swap.pools.map(\.address) + swap.settlers
            + [swap.allowanceHolder, swap.permit2, swap.registry, TestChain.feeRecipient]
        var sums: [UInt256] = []
        for token in TestChain.swapTokens {
            var sum = UInt256.zero
            for owner in owners { sum += try await test.balance(token, owner) }
            if token == TestChain.weth {
                // Wrapping makes and unmakes it, and its ether follows.
                let backing = try await test.etherBalance(token)
                #expect(sum == backing)
                sum = .zero
            }
            sums.append(sum)
        }
        return sums
    }

    /// Call data, its target, and its value for one of the ways to trade.
    private func call(
        _ trade: Trade,
        by taker: PrivateKeySigner,
        _ random: inout SeededGenerator
    ) throws -> (Address, [UInt8], UInt256) {
        let isNative = trade.sold == TestChain.weth && random.chance(50)
        var permit = SwapCalls.Permit(token: trade.sold, amount: trade.amount)
        let sell = SwapCalls.sell(trade.pool.address, trade.sold, to: settler)
        var rest = [sell]
        var buyToken = trade.bought
        if trade.bought == TestChain.weth, random.chance(50) {
            rest.append(SwapCalls.unwrap)
            buyToken = SwapCalls.native
        }
        if random.chance(30), buyToken != SwapCalls.native {
            rest.append(SwapCalls.checkSlippage(exactly: true))
            rest.append(SwapCalls.sell(trade.pool.address, trade.bought, to: taker.address))
        }
        func execute(_ first: [[UInt8]]) throws -> [UInt8] {
            try SwapCalls.execute(to: taker.address, buyToken, minimum: trade.minimum, first + rest)
        }
        if isNative {
            let check = SwapCalls.nativeCheck(.max, trade.amount)
            return (settler, try execute([check, SwapCalls.wrap]), trade.amount)
        }
        if random.chance(40) {
            permit.nonce = UInt256(random.next() % 64)
            let signature = try permit.signature(by: taker, spender: settler)
            let fetch = try SwapCalls.transferFrom(to: settler, permit, signature: signature)
            return (settler, try execute([fetch]), .zero)
        }
        let fetch = try SwapCalls.transferFrom(to: settler, permit)
        // Now and then a unit is not allowed.
        let allowed = random.chance(10) ? trade.amount - 1 : trade.amount
        let data = try SwapCalls.exec(settler, trade.sold, allowed, settler, execute([fetch]))
        return (holder, data, .zero)
    }

    @Test(
        "products never fall, tokens are neither made nor lost, nobody but the taker pays",
        arguments: [1, 2, 3] as [UInt64]
    )
    func sequences(seed: UInt64) async throws {
        let test = try TestChain.withSwap()
        var random = SeededGenerator(seed: seed)
        let start = try await sums(test)
        var products: [Address: (high: UInt256, low: UInt256)] = [:]
        var outcomes = [0, 0]
        for _ in 0..<120 {
            let taker = random.pick([test.alice, test.bob])
            let other = taker.address == test.alice.address ? test.bob : test.alice
            let pools = await test.swapPools
            let pool = random.pick(pools)
            let genesis = GenesisPool(
                address: pool.address,
                first: pool.first,
                second: pool.second
            )
            let isFirst = random.chance(50)
            let reserve = (isFirst ? pool.first : pool.second).reserve
            var trade = Trade(pool: genesis, isFirst: isFirst, amount: 1, minimum: 1)
            trade.amount = reserve / UInt256(random.next() % 100_000 + 20) + 1
            let output = pool.output(selling: trade.sold, trade.amount) ?? 1
            trade.minimum = random.chance(20) ? output + 1 : output - output / 100
            let (to, data, value) = try call(trade, by: taker, &random)
            var others: [UInt256] = []
            for token in TestChain.swapTokens {
                others.append(try await test.balance(token, other.address))
            }
            let owned = try await test.balance(trade.sold, taker.address)
            let receipt = try await test.send(
                from: taker,
                to: to,
                data: data,
                value: value,
                gas: 1_000_000
            )
            outcomes[receipt.succeeded ? 1 : 0] += 1
            for (token, amount) in zip(TestChain.swapTokens, others) {
                #expect(try await test.balance(token, other.address) == amount)
            }
            let left = try await test.balance(trade.sold, taker.address)
            #expect(left + trade.amount >= owned)
            if !receipt.succeeded { #expect(left == owned) }
            for pool in await test.swapPools {
                let product = pool.first.reserve.multipliedFullWidth(by: pool.second.reserve)
                if let before = products[pool.address] {
                    #expect((product.high, product.low) >= (before.high, before.low))
                }
                products[pool.address] = product
                for side in [pool.first, pool.second] {
                    #expect(try await test.balance(side.token, pool.address) == side.reserve)
                }
            }
        }
        #expect(try await sums(test) == start)
        #expect(outcomes[1] > 40 && outcomes[0] > 15, "\(outcomes)")
    }
}
