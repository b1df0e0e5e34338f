import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import Uniswap

@Suite("The sandbox's SwapRouter02")
struct UniswapRouterTests {
    private let router = TestChain.uniswap.router
    private let dai = TestChain.dai
    private let weth = TestChain.weth

    private func refusal(
        _ test: TestChain,
        _ data: [UInt8],
        value: UInt256 = 0
    ) async -> [UInt8]? {
        await test.refusal(of: router, data, value: value)
    }

    /// What a chain's sender has before and after a transaction.
    private func changes(
        _ data: [UInt8],
        value: UInt256 = 0
    ) async throws -> (ether: UInt256, dai: UInt256, weth: UInt256, receipt: TransactionReceipt) {
        let test = try TestChain.withUniswap()
        let owner = test.alice.address
        let before = try await test.etherBalance(owner)
        let held = (try await test.balance(dai, owner), try await test.balance(weth, owner))
        let receipt = try await test.send(from: test.alice, to: router, data: data, value: value)
        let price = try #require(receipt.effectiveGasPrice)
        let gas = UInt256(receipt.gasUsed) * price.rawValue
        #expect(try await test.etherBalance(router) == 0)
        #expect(try await test.balance(weth, router) == 0)
        return (
            try await test.etherBalance(owner) &+ gas &- before,
            try await test.balance(dai, owner) &- held.0,
            try await test.balance(weth, owner) &- held.1,
            receipt
        )
    }

    @Test("native in: the router wraps exactly what was sent, and DAI arrives")
    func nativeIn() async throws {
        let changes = try await changes(
            UniswapCalls.multicall([
                UniswapCalls.exactInputSingle(weth, dai, ether), UniswapCalls.refund,
            ]),
            value: ether
        )
        #expect(changes.receipt.succeeded)
        #expect(changes.ether == 0 &- ether)
        #expect(changes.weth == 0)
        // L = 10^21, R = 10^18, fee 3000: the facts' example of one step.
        #expect(changes.dai == 996_006_981_039_903_216)
    }

    @Test("native in for an exact amount: what is left of the most comes back")
    func refund() async throws {
        let changes = try await changes(
            UniswapCalls.multicall([
                UniswapCalls.exactOutputSingle(weth, dai, ether, maximum: 2 * ether),
                UniswapCalls.refund,
            ]),
            value: 2 * ether
        )
        #expect(changes.receipt.succeeded)
        #expect(changes.ether == 0 &- UInt256(1_001_001_001_001_001_002 + 3_012_039_120_364_096))
        #expect(changes.dai == ether)
        #expect(changes.weth == 0)
    }

    @Test("native out: the router unwraps for the account")
    func nativeOut() async throws {
        let test = try TestChain.withUniswap()
        let changes = try await changes(
            UniswapCalls.multicall([
                UniswapCalls.exactInputSingle(dai, weth, ether, to: UniswapCalls.router),
                UniswapCalls.unwrap(996_006_981_039_903_216, to: test.alice.address),
            ])
        )
        #expect(changes.receipt.succeeded)
        #expect(changes.ether == 996_006_981_039_903_216)
        #expect(changes.dai == 0 &- ether)
        #expect(changes.weth == 0)
        let short = try await self.changes(
            UniswapCalls.multicall([
                UniswapCalls.exactInputSingle(dai, weth, ether, to: UniswapCalls.router),
                UniswapCalls.unwrap(996_006_981_039_903_217, to: test.alice.address),
            ])
        )
        #expect(!short.receipt.succeeded && short.dai == 0)
    }

    @Test("the last second of a deadline is in time, the next one is not")
    func deadline() async throws {
        let test = try TestChain.withUniswap(mining: .manual)
        let call = UniswapCalls.exactInputSingle(dai, weth, ether)
        func data(_ deadline: UInt64) -> [UInt8] {
            UniswapCalls.multicall([call], deadline: UInt256(deadline))
        }
        // A call runs at the time of the clock.
        let now = TestChain.start + 100
        #expect(await refusal(test, data(now)) == nil)
        #expect(
            await refusal(test, data(now - 1)) == UniswapCalls.error("Transaction too old")
        )
        #expect(await refusal(test, data(0)) == UniswapCalls.error("Transaction too old"))
    }

    @Test("unknown selectors, and functions that it has not, revert without data")
    func unknown() async throws {
        let test = try TestChain.withUniswap()
        #expect(await refusal(test, [1, 2, 3, 4]) == [])
        #expect(await refusal(test, [1, 2]) == [])
        #expect(await refusal(test, ERC20.call("wrapETH(uint256)", UInt256(1).word)) == [])
        #expect(await refusal(test, UniswapCalls.multicall([[1, 2, 3, 4]])) == [])
        #expect(await refusal(test, []) == UniswapCalls.error("Not WETH9"))
        #expect(
            await refusal(test, UniswapCalls.multicall([[]])) == UniswapCalls.error("Not WETH9")
        )
        for contract in [
            TestChain.pool, TestChain.pair, TestChain.uniswap.quoter, TestChain.uniswap.v2Factory,
            TestChain.uniswap.v3Factory,
        ] {
            #expect(await test.refusal(of: contract, [1, 2, 3, 4]) == [])
            #expect(await test.refusal(of: contract, []) == [])
        }
    }

    @Test("any cut and any broken word of a multicall is refused without a trap")
    func hostile() async throws {
        let test = try TestChain.withUniswap()
        let data = UniswapCalls.multicall([
            UniswapCalls.exactInputSingle(dai, weth, ether),
            UniswapCalls.swapExactTokens([dai, weth], ether),
            UniswapCalls.unwrap(0, to: test.alice.address), UniswapCalls.refund,
        ])
        for count in 0..<data.count { _ = await refusal(test, Array(data.prefix(count))) }
        let words: [UInt256] = [.max, UInt256(1) << 255, UInt256(1) << 64 - 1, UInt256(1) << 63, 0]
        for start in stride(from: 4, to: data.count - 32, by: 32) {
            for word in words {
                var broken = data
                broken.replaceSubrange(start..<start + 32, with: word.word.bytes)
                _ = await refusal(test, broken)
            }
        }
        // One inside another, deeper than calls may be.
        var nested = UniswapCalls.refund
        for _ in 0..<80 { nested = UniswapCalls.multicall([nested]) }
        #expect(await refusal(test, nested) == [])
        #expect(await refusal(test, UniswapCalls.multicall([UniswapCalls.multicall([])])) == nil)
    }

    @Test("a path that comes back to a pool is locked where it is exact in what it buys")
    func locked() async throws {
        let test = try TestChain.withUniswap()
        let there = dai.bytes + [0x00, 0x0b, 0xb8] + weth.bytes
        let path = there + [0x00, 0x0b, 0xb8] + dai.bytes
        let padded = path + Array(repeating: 0, count: 96 - path.count)
        func call(_ signature: StaticString) -> [UInt8] {
            ERC20.call(
                signature,
                UInt256(32).word,
                UInt256(128).word,
                UniswapCalls.sender.word,
                ether.word,
                (signature.description.hasPrefix("exactOutput") ? UInt256.max : 1).word,
                UInt256(UInt64(path.count)).word
            ) + padded
        }
        #expect(
            await refusal(test, call("exactOutput((bytes,address,uint256,uint256))"))
                == UniswapCalls.error("LOK")
        )
        #expect(await refusal(test, call("exactInput((bytes,address,uint256,uint256))")) == nil)
    }

    @Test("the router and the quoter name their factories and the wrapped coin")
    func names() async throws {
        let test = try TestChain.withUniswap()
        for contract in [router, TestChain.uniswap.quoter] {
            #expect(
                try await test.answer(contract, ERC20.call("factory()"))
                    == TestChain.uniswap.v3Factory.word.bytes
            )
            #expect(try await test.answer(contract, ERC20.call("WETH9()")) == weth.word.bytes)
        }
        #expect(
            try await test.answer(router, ERC20.call("factoryV2()"))
                == TestChain.uniswap.v2Factory.word.bytes
        )
        #expect(await refusal(test, ERC20.call("factory()"), value: 1) == [])
    }
}
