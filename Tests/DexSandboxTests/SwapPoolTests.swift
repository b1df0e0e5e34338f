import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@Suite("Stand-in pools")
struct SwapPoolTests {
    private static let sell = "sell(address,address)" as StaticString

    @Test("a pool names its tokens and reserves, and holds what it says")
    func description() async throws {
        let test = try TestChain.withSwap()
        #expect(
            try await test.answer(TestChain.zrxWeth, ERC20.call("tokens()"))
                == TestChain.zrx.word.bytes + TestChain.weth.word.bytes
        )
        #expect(try await test.reserves(TestChain.zrxWeth) == [200_000 * ether, 100 * ether])
        #expect(try await test.balance(TestChain.zrx, TestChain.zrxWeth) == 200_000 * ether)
        #expect(try await test.balance(TestChain.weth, TestChain.zrxWeth) == 100 * ether)
        let pools = await test.swapPools
        #expect(pools.map(\.address) == TestChain.swap.pools.map(\.address))
        #expect(pools.map(\.first) == TestChain.swap.pools.map(\.first))
        #expect(pools.map(\.second) == TestChain.swap.pools.map(\.second))
        // The pool's wrapped ether is backed as everybody's.
        let supply = try await test.answer(TestChain.weth, ERC20.call("totalSupply()"))
        #expect(supply == (12 * 1_000 * ether + 1 + 100 * ether).word.bytes)
    }

    @Test("what came in is sold at the constant product less 0.3 %, with an event")
    func sale() async throws {
        let test = try TestChain.withSwap()
        let before = try await test.balance(TestChain.weth, test.bob.address)
        for amount in [900 * ether, 1 * ether] {
            let reserves = try await test.reserves(TestChain.zrxWeth)
            let wanted = TestChain.output(amount, reserves[0], reserves[1])
            let pool = try #require(await test.swapPools.first)
            #expect(pool.output(selling: TestChain.zrx, amount) == wanted)
            try await test.send(
                from: test.alice,
                to: TestChain.zrx,
                data: ERC20.transfer(to: TestChain.zrxWeth, amount: amount)
            )
            let data = ERC20.call(Self.sell, TestChain.zrx.word, test.bob.address.word)
            #expect(try await test.answer(TestChain.zrxWeth, data) == wanted.word.bytes)
            let receipt = try await test.send(
                from: test.alice,
                to: TestChain.zrxWeth,
                data: data
            )
            #expect(receipt.succeeded)
            #expect(
                try await test.reserves(TestChain.zrxWeth)
                    == [reserves[0] + amount, reserves[1] - wanted]
            )
            let log = try #require(receipt.logs.last)
            #expect(log.address == TestChain.zrxWeth)
            #expect(
                log.topics == [
                    Keccak256.hash("Sold(address,address,uint256,uint256)".utf8),
                    TestChain.zrx.word, test.bob.address.word,
                ]
            )
            #expect(log.data == amount.word.bytes + wanted.word.bytes)
            #expect(receipt.logs.map(\.topics.first).first == ERC20.transferTopic)
        }
        let after = try await test.balance(TestChain.weth, test.bob.address)
        let reserve = try await test.reserves(TestChain.zrxWeth)[1]
        #expect(after - before == 100 * ether - reserve)
    }

    @Test("nothing in, nothing out, a token of another pool, ether, cut data: a revert")
    func refusals() async throws {
        let test = try TestChain.withSwap()
        let pool = TestChain.daiUsdt
        func sale(_ token: Address) -> [UInt8] {
            ERC20.call(Self.sell, token.word, test.alice.address.word)
        }
        #expect(await test.refusal(of: pool, sale(TestChain.dai)) == [])
        // A unit of DAI is worth a millionth of a millionth of the least unit of USDT.
        try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: pool, amount: 1)
        )
        #expect(await test.refusal(of: pool, sale(TestChain.dai)) == [])
        try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.transfer(to: pool, amount: ether)
        )
        let good = sale(TestChain.dai)
        #expect(await test.refusal(of: pool, good) == nil)
        #expect(await test.refusal(of: pool, good, value: 1) == [])
        // More of it than there is of either reserve.
        try await test.send(
            from: test.alice,
            to: TestChain.zrx,
            data: ERC20.transfer(to: pool, amount: ether)
        )
        #expect(await test.refusal(of: pool, sale(TestChain.zrx)) == [])
        for length in [0, 3, 4, 35, 36, 67] {
            #expect(await test.refusal(of: pool, Array(good.prefix(length))) == [], "\(length)")
        }
        var dirty = good
        dirty[4] = 1
        #expect(await test.refusal(of: pool, dirty) == [])
    }

    @Test("the least input for an output buys it, and a unit less does not")
    func inverse() async throws {
        let test = try TestChain.withSwap()
        let pools = await test.swapPools
        for pool in pools {
            for (buy, sell) in [(pool.first, pool.second), (pool.second, pool.first)] {
                for amount in [1, 7, 12_345, buy.reserve / 3, buy.reserve - 1] as [UInt256] {
                    let input = try #require(pool.input(buying: buy.token, amount))
                    let output = try #require(pool.output(selling: sell.token, input))
                    #expect(output >= amount)
                    if input > 1 {
                        #expect(pool.output(selling: sell.token, input - 1) ?? 0 < amount)
                    }
                }
                for amount in [0, buy.reserve, .max] as [UInt256] {
                    #expect(pool.input(buying: buy.token, amount) == nil)
                }
                #expect(pool.output(selling: sell.token, .max) == nil)
                #expect(pool.output(selling: sell.token, 0) == nil)
            }
            #expect(pool.output(selling: TestChain.heavy, ether) == nil)
            #expect(pool.input(buying: TestChain.heavy, ether) == nil)
        }
    }
}
