import DexSandbox
import Ethereum
import EthereumWallet
import Testing
import Uniswap

@Suite("What the sandbox's Uniswap contracts answer")
struct UniswapReadTests {
    private let dai = TestChain.dai
    private let weth = TestChain.weth

    @Test("the factories name the pools that there are, in any order of the tokens")
    func factories() async throws {
        let test = try TestChain.withUniswap()
        let deployment = TestChain.uniswap
        for (tokenA, tokenB) in [(dai, weth), (weth, dai)] {
            let pair = try await test.answer(
                deployment.v2Factory,
                ERC20.call("getPair(address,address)", tokenA.word, tokenB.word)
            )
            #expect(pair == TestChain.pair.word.bytes)
            for (fee, address) in [(3_000, TestChain.pool), (500, .zero)] as [(UInt64, Address)] {
                let pool = try await test.answer(
                    deployment.v3Factory,
                    ERC20.call(
                        "getPool(address,address,uint24)",
                        tokenA.word,
                        tokenB.word,
                        UInt256(fee).word
                    )
                )
                #expect(pool == address.word.bytes)
            }
        }
        let same = ERC20.call("getPair(address,address)", dai.word, dai.word)
        #expect(try await test.answer(deployment.v2Factory, same) == Address.zero.word.bytes)
        let spacings: [(UInt64, UInt256)] = [
            (100, 1), (500, 10), (3_000, 60), (10_000, 200), (400, 0),
        ]
        for (fee, spacing) in spacings {
            let data = ERC20.call("feeAmountTickSpacing(uint24)", UInt256(fee).word)
            #expect(try await test.words(deployment.v3Factory, data) == [spacing])
        }
    }

    @Test("a pool's constants, slot0, ticks and bitmap have the genuine layout")
    func pool() async throws {
        let test = try TestChain.withUniswap()
        func ask(_ data: [UInt8]) async throws -> [UInt256] {
            try await test.words(TestChain.pool, data)
        }
        let id = TestChain.poolID
        #expect(try await ask(ERC20.call("token0()")) == [UInt256(id.token0.word)])
        #expect(try await ask(ERC20.call("token1()")) == [UInt256(id.token1.word)])
        #expect(try await ask(ERC20.call("fee()")) == [3_000])
        #expect(try await ask(ERC20.call("tickSpacing()")) == [60])
        #expect(
            try await ask(ERC20.call("factory()")) == [UInt256(TestChain.uniswap.v3Factory.word)]
        )
        #expect(
            try await ask(ERC20.call("slot0()"))
                == [UInt256(UInt128(1) << 96), 0, 0, 4, 4, 0, 1]
        )
        let liquidity = UInt256(1_000) * ether
        #expect(try await ask(ERC20.call("liquidity()")) == [liquidity])
        func ticks(_ tick: UInt256) -> [UInt8] { ERC20.call("ticks(int24)", tick.word) }
        #expect(try await ask(ticks(6_000)) == [liquidity, 0 &- liquidity, 0, 0, 0, 0, 0, 1])
        #expect(try await ask(ticks(0 &- 6_000)) == [liquidity, liquidity, 0, 0, 0, 0, 0, 1])
        #expect(try await ask(ticks(60)) == Array(repeating: 0, count: 8))
        // -6000 / 60 is -100, in word -1 bit 156; 6000 / 60 is in word 0 bit 100.
        func word(_ word: UInt256) -> [UInt8] { ERC20.call("tickBitmap(int16)", word.word) }
        #expect(try await ask(word(0)) == [UInt256(1) << 100])
        #expect(try await ask(word(0 &- 1)) == [UInt256(1) << 156])
        #expect(try await ask(word(1)) == [0])
    }

    @Test("TickLens lists a word's ticks from the highest on, as the genuine one answers")
    func lens() async throws {
        let negative = UInt256.zero &- 6_000
        let liquidity = UInt256(1_000) * ether
        let word = UInt256.zero &- 1
        func call(_ pool: Address, _ word: UInt256) -> [UInt8] {
            ERC20.call("getPopulatedTicksInWord(address,int16)", pool.word, word.word)
        }
        let test = try TestChain.withUniswap()
        func ask(_ word: UInt256) async throws -> [UInt256] {
            try await test.words(GenesisUniswap.lens, call(TestChain.pool, word))
        }
        #expect(call(.zero, 0).prefix(4) == [0x35, 0x1f, 0xb4, 0x78])
        #expect(try await ask(0) == [32, 1, 6_000, 0 &- liquidity, liquidity])
        #expect(try await ask(word) == [32, 1, negative, liquidity, liquidity])
        #expect(try await ask(1) == [32, 0])
        #expect(try await ask(32_767) == [32, 0])
        // Several ticks in a word, above and below zero.
        let ticks: [GenesisRangePool.Tick] = [
            .init(index: -120, net: 7, gross: 9), .init(index: -60, net: 5, gross: 5),
            .init(index: 0, net: -1, gross: 3), .init(index: 180, net: -11, gross: 11),
        ]
        let many = try TestChain { genesis in
            genesis.uniswap = GenesisUniswap(
                deployment: TestChain.uniswap,
                pools: [
                    GenesisRangePool(
                        pool: TestChain.poolID,
                        price: UInt256(UInt128(1) << 96),
                        ticks: ticks
                    )
                ]
            )
        }
        let above = try await many.words(GenesisUniswap.lens, call(TestChain.pool, 0))
        #expect(above == [32, 2, 180, 0 &- 11, 11, 0, 0 &- 1, 3])
        let below = try await many.words(GenesisUniswap.lens, call(TestChain.pool, word))
        #expect(below == [32, 2, 0 &- 60, 5, 5, 0 &- 120, 7, 9])
        // Beyond 16 bits, no pool, an account without code, too short: no reason.
        var refused = [UInt256(32_768), 0 &- 32_769, 1 << 255].map { call(TestChain.pool, $0) }
        for other in [TestChain.pair, TestChain.uniswap.v3Factory, dai, .zero, test.bob.address] {
            refused.append(call(other, 0))
        }
        refused.append(Array(call(TestChain.pool, 0).dropLast()))
        refused.append(ERC20.call("getPopulatedTicksInWord(address,uint16)"))
        for data in refused {
            #expect(await test.refusal(of: GenesisUniswap.lens, data) == [])
        }
    }

    private func observe(_ ages: [UInt64]) -> [UInt8] {
        ERC20.call("observe(uint32[])", UInt256(32).word, UInt256(UInt64(ages.count)).word)
            + ages.flatMap { UInt256($0).word.bytes }
    }

    /// The cumulative ticks of an answer of `observe`.
    private func ticks(_ words: [UInt256]) -> [Int64] {
        let count = Int(words[2].uint64 ?? 0)
        return words[3..<3 + count].map { Int64(bitPattern: $0.w0) }
    }

    @Test("the oracle keeps the tick before each block that moved it, as far back as it has room")
    func oracle() async throws {
        let test = try TestChain.withUniswap(cardinality: 2)
        let isDaiFirst = TestChain.poolID.token0 == dai
        let sale = UniswapCalls.exactInputSingle(dai, weth, 20 * ether)
        var moved: [Int64] = []
        for _ in 0..<2 {
            try await test.chain.increaseTime(by: 100)
            let receipt = try await test.send(
                from: test.alice,
                to: TestChain.uniswap.router,
                data: sale
            )
            #expect(receipt.succeeded)
            let slot0 = try await test.words(TestChain.pool, ERC20.call("slot0()"))
            moved.append(Int64(bitPattern: slot0[1].w0))
        }
        #expect(moved.allSatisfy { ($0 < 0) == isDaiFirst })
        try await test.chain.increaseTime(by: 50)
        // A call is at the next block's time, 50 seconds after the last one.
        let words = try await test.words(TestChain.pool, observe([0, 50, 150]))
        let cumulative = ticks(words)
        #expect(cumulative[0] - cumulative[1] == 50 * moved[1])
        #expect(cumulative[1] - cumulative[2] == 100 * moved[0])
        let inside = ticks(try await test.words(TestChain.pool, observe([50, 75])))
        #expect(inside[0] - inside[1] == 25 * moved[0])
        // The ring has two places: the time before the first swap is gone.
        #expect(
            await test.refusal(of: TestChain.pool, observe([151])) == UniswapCalls.error("OLD")
        )
        #expect(
            await test.refusal(of: TestChain.pool, observe([UInt64(UInt32.max)]))
                == UniswapCalls.error("OLD")
        )
    }

    @Test("before its first swap a pool's oracle reaches back a day, at the tick of the start")
    func fresh() async throws {
        let test = try TestChain.withUniswap(cardinality: 1)
        let words = try await test.words(TestChain.pool, observe([0, 86_400]))
        #expect(ticks(words) == [0, 0])
        #expect(
            await test.refusal(of: TestChain.pool, observe([86_501])) == UniswapCalls.error("OLD")
        )
    }

    @Test("a long walk needs gas: with too little of it a quote is an unexpected error")
    func longWalk() async throws {
        let test = try TestChain.withUniswap()
        let data = ERC20.call(
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
            dai.word,
            weth.word,
            (10_000 * ether).word,
            UInt256(3_000).word,
            UInt256(0).word
        )
        func call(gas: UInt64) -> CallRequest {
            CallRequest(
                from: test.alice.address,
                to: TestChain.uniswap.quoter,
                data: data,
                gas: gas
            )
        }
        _ = try await test.client.call(call(gas: 2_000_000))
        // The pool gets 63/64 of the gas and burns it; the rest suffices for the quoter's text.
        let error = await chainError { _ = try await test.client.call(call(gas: 300_000)) }
        guard case .reverted(let data, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(data == UniswapCalls.error("Unexpected error"))
    }

    @Test("a dry pool: an exact input is quoted at the bound, an exact output is refused")
    func dry() async throws {
        let test = try TestChain.withUniswap()
        let quoter = TestChain.uniswap.quoter
        func quote(_ signature: StaticString, _ amount: UInt256) -> [UInt8] {
            ERC20.call(
                signature,
                dai.word,
                weth.word,
                amount.word,
                UInt256(3_000).word,
                UInt256(0).word
            )
        }
        let input = quote(
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
            10_000 * ether
        )
        let words = try await test.words(quoter, input)
        let isDaiFirst = TestChain.poolID.token0 == dai
        #expect(
            words[1] == (isDaiFirst ? TickMath.minimumPrice + 1 : TickMath.maximumPrice - 1)
        )
        #expect(words[2] == 1)
        let output = quote(
            "quoteExactOutputSingle((address,address,uint256,uint24,uint160))",
            10_000 * ether
        )
        #expect(
            await test.refusal(of: quoter, output) == UniswapCalls.error("Unexpected error")
        )
        // An amount above the type, and one of nothing.
        let signature: StaticString =
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))"
        #expect(await test.refusal(of: quoter, quote(signature, .max)) == [])
        #expect(await test.refusal(of: quoter, quote(signature, 0)) == UniswapCalls.error("AS"))
    }
}
