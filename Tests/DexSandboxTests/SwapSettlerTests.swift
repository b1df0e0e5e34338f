import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@Suite("Trades at the stand-in for 0x Settler")
struct SwapSettlerTests {
    private let holder = TestChain.swap.allowanceHolder
    private let settler = TestChain.settler

    /// The balances of alice that a trade may change.
    private func holdings(_ test: TestChain, _ tokens: [Address]) async throws -> [UInt256] {
        var values: [UInt256] = []
        for token in tokens { values.append(try await test.balance(token, test.alice.address)) }
        return values
    }

    @Test("an exact amount of one token is sold for another, and the taker gets all of it")
    func exactIn() async throws {
        let test = try TestChain.withSwap()
        let cases: [(Address, UInt256, Address, Address, Int)] = [
            (TestChain.zrx, 100 * ether, TestChain.weth, TestChain.zrxWeth, 0),
            (TestChain.weth, ether, TestChain.zrx, TestChain.zrxWeth, 1),
            (TestChain.dai, 50 * ether, TestChain.usdt, TestChain.daiUsdt, 0),
            (TestChain.usdt, 9_000_000, TestChain.dai, TestChain.daiUsdt, 1),
            (TestChain.silent, 3 * ether, TestChain.dai, TestChain.silentDai, 0),
            (TestChain.dai, 8 * ether, TestChain.silent, TestChain.silentDai, 1),
        ]
        for (sold, amount, bought, pool, side) in cases {
            let reserves = try await test.reserves(pool)
            let wanted = TestChain.output(amount, reserves[side], reserves[1 - side])
            let before = try await holdings(test, [sold, bought])
            let data = try test.sale(of: sold, amount, for: bought, at: pool, minimum: wanted)
            // exec returns the bytes of the target's answer: true.
            #expect(
                try await test.answer(holder, data)
                    == UInt256(32).word.bytes + UInt256(32).word.bytes + UInt256(1).word.bytes
            )
            let receipt = try await test.send(from: test.alice, to: holder, data: data)
            #expect(receipt.succeeded)
            #expect((80_000...250_000).contains(receipt.gasUsed), "\(receipt.gasUsed)")
            #expect(
                try await holdings(test, [sold, bought])
                    == [before[0] - amount, before[1] + wanted]
            )
            #expect(try await test.balance(bought, settler) == 0)
            #expect(try await test.balance(sold, settler) == 0)
        }
    }

    @Test("the estimate of a trade's gas is enough for it, and a unit less is not")
    func gas() async throws {
        let test = try TestChain.withSwap()
        let data = try test.sale(
            of: TestChain.zrx,
            ether,
            for: TestChain.weth,
            at: TestChain.zrxWeth
        )
        let estimate = try await test.client.read(
            .estimateGas(CallRequest(from: test.alice.address, to: holder, data: data))
        )
        let short = try await test.send(
            from: test.alice,
            to: holder,
            data: data,
            gas: estimate - 1
        )
        #expect(!short.succeeded)
        let enough = try await test.send(from: test.alice, to: holder, data: data, gas: estimate)
        #expect(enough.succeeded)
    }

    @Test("ether is sold and bought, through the AllowanceHolder and directly")
    func nativeCoin() async throws {
        let test = try TestChain.withSwap()
        let reserves = try await test.reserves(TestChain.zrxWeth)
        let value = 2 * ether
        let deadline = UInt256(TestChain.start + 1_000)
        let wanted = TestChain.output(value, reserves[1], reserves[0])
        let actions = [
            SwapCalls.nativeCheck(deadline, value), SwapCalls.wrap,
            SwapCalls.sell(TestChain.zrxWeth, TestChain.weth, to: settler),
        ]
        let execute = try SwapCalls.execute(
            to: test.alice.address,
            TestChain.zrx,
            minimum: wanted,
            actions
        )
        #expect(try await test.answer(settler, execute, value: value) == UInt256(1).word.bytes)
        let before = try await test.balance(TestChain.zrx, test.alice.address)
        let etherBefore = try await test.etherBalance(test.alice.address)
        // Nothing is allowed: the value is what is paid with.
        let bought = try await test.send(
            from: test.alice,
            to: holder,
            data: SwapCalls.exec(settler, .zero, 0, settler, execute),
            value: value
        )
        #expect(bought.succeeded)
        #expect(try await test.balance(TestChain.zrx, test.alice.address) == before + wanted)
        let cost = try #require(bought.effectiveGasPrice).rawValue * UInt256(bought.gasUsed)
        let etherBetween = try await test.etherBalance(test.alice.address)
        #expect(etherBetween == etherBefore - value - cost)
        // The other way, all that was bought.
        let now = try await test.reserves(TestChain.zrxWeth)
        let back = TestChain.output(wanted, now[0], now[1])
        let sold = try await test.send(
            from: test.alice,
            to: holder,
            data: test.sale(
                of: TestChain.zrx,
                wanted,
                for: SwapCalls.native,
                at: TestChain.zrxWeth,
                minimum: back
            )
        )
        #expect(sold.succeeded)
        let paid = try #require(sold.effectiveGasPrice).rawValue * UInt256(sold.gasUsed)
        #expect(try await test.etherBalance(test.alice.address) == etherBetween + back - paid)
        #expect(try await test.etherBalance(settler) == 0)
        // What the action says of the value and of the time holds.
        #expect(
            await test.refusal(of: settler, execute, value: value + 1)
                == ERC20.call(
                    "MsgValueMismatch(uint256,uint256)",
                    value.word,
                    (value + 1).word
                )
        )
        // With less than it says less is sold, and the minimum decides.
        let less = await test.refusal(of: settler, execute, value: value - 1)
        #expect(less?.prefix(4) == ERC20.call("TooMuchSlippage(address,uint256,uint256)")[...])
        try await test.chain.increaseTime(by: 2_000)
        #expect(
            await test.refusal(of: settler, execute, value: value)
                == ERC20.call("SignatureExpired(uint256)", deadline.word)
        )
    }

    @Test("the minimum is kept to the unit; without a token and an amount it is skipped")
    func slippage() async throws {
        let test = try TestChain.withSwap()
        let reserves = try await test.reserves(TestChain.zrxWeth)
        let wanted = TestChain.output(ether, reserves[0], reserves[1])
        func sale(_ minimum: UInt256, _ token: Address = TestChain.weth) throws -> [UInt8] {
            try test.sale(
                of: TestChain.zrx,
                ether,
                for: token,
                at: TestChain.zrxWeth,
                minimum: minimum
            )
        }
        #expect(await test.refusal(of: holder, try sale(wanted)) == nil)
        #expect(
            await test.refusal(of: holder, try sale(wanted + 1))
                == ERC20.call(
                    "TooMuchSlippage(address,uint256,uint256)",
                    TestChain.weth.word,
                    (wanted + 1).word,
                    wanted.word
                )
        )
        #expect(
            await test.refusal(of: holder, try sale(wanted + 1, SwapCalls.native))
                == ERC20.call(
                    "TooMuchSlippage(address,uint256,uint256)",
                    SwapCalls.native.word,
                    (wanted + 1).word,
                    wanted.word
                )
        )
        // A minimum without a token is not skipped, and nothing can be paid.
        #expect(await test.refusal(of: holder, try sale(1, .zero)) == [])
        // Without both nothing is paid either: what was bought stays behind.
        let receipt = try await test.send(from: test.alice, to: holder, data: sale(0, .zero))
        #expect(receipt.succeeded)
        #expect(try await test.balance(TestChain.weth, settler) == wanted)
        // Whoever comes next gets it.
        let gift = try SwapCalls.execute(to: test.bob.address, TestChain.weth, minimum: wanted, [])
        let before = try await test.balance(TestChain.weth, test.bob.address)
        #expect(try await test.send(from: test.bob, to: settler, data: gift).succeeded)
        #expect(try await test.balance(TestChain.weth, test.bob.address) == before + wanted)
    }

    @Test("an exact amount is bought, and what is too much is sold back")
    func exactOut() async throws {
        let test = try TestChain.withSwap()
        let pool = try #require(await test.swapPools.first)
        let wanted = ether / 10
        let needed = try #require(pool.input(buying: TestChain.weth, wanted))
        let maximum = needed + needed / 100
        let bought = TestChain.output(maximum, pool.first.reserve, pool.second.reserve)
        #expect(bought > wanted)
        let refund = TestChain.output(
            bought - wanted,
            pool.second.reserve - bought,
            pool.first.reserve + maximum
        )
        let actions = [
            try SwapCalls.transferFrom(
                to: settler,
                SwapCalls.Permit(token: TestChain.zrx, amount: maximum)
            ),
            SwapCalls.sell(TestChain.zrxWeth, TestChain.zrx, to: settler),
            SwapCalls.checkSlippage(exactly: true),
            SwapCalls.sell(TestChain.zrxWeth, TestChain.weth, to: test.alice.address),
        ]
        func data(minimum: UInt256) throws -> [UInt8] {
            try SwapCalls.exec(
                settler,
                TestChain.zrx,
                maximum,
                settler,
                SwapCalls.execute(to: test.alice.address, TestChain.weth, minimum: minimum, actions)
            )
        }
        #expect(
            await test.refusal(of: holder, try data(minimum: bought + 1))
                == ERC20.call(
                    "TooMuchSlippage(address,uint256,uint256)",
                    TestChain.weth.word,
                    (bought + 1).word,
                    bought.word
                )
        )
        let before = try await holdings(test, [TestChain.zrx, TestChain.weth])
        #expect(
            try await test.send(from: test.alice, to: holder, data: data(minimum: wanted)).succeeded
        )
        #expect(
            try await holdings(test, [TestChain.zrx, TestChain.weth])
                == [before[0] - maximum + refund, before[1] + wanted]
        )
        #expect(refund > 0 && refund < maximum - needed)
        #expect(try await test.balance(TestChain.weth, settler) == 0)
        // Not exactly: all of it, and the check at the end has nothing left to do.
        let all = [actions[0], actions[1], SwapCalls.checkSlippage(exactly: false)]
        let reserves = try await test.reserves(TestChain.zrxWeth)
        let more = TestChain.output(maximum, reserves[0], reserves[1])
        let everything = try SwapCalls.exec(
            settler,
            TestChain.zrx,
            maximum,
            settler,
            SwapCalls.execute(to: test.alice.address, TestChain.weth, minimum: wanted, all)
        )
        let between = try await test.balance(TestChain.weth, test.alice.address)
        #expect(try await test.send(from: test.alice, to: holder, data: everything).succeeded)
        #expect(try await test.balance(TestChain.weth, test.alice.address) == between + more)
    }

    @Test("an unknown action is named with its place, selector and arguments")
    func unknownAction() async throws {
        let test = try TestChain.withSwap()
        let bad: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF] + Array(repeating: 5, count: 40)
        let actions = [SwapCalls.nativeCheck(.max, 0), bad]
        let data = try SwapCalls.execute(to: test.alice.address, .zero, minimum: 0, actions)
        let wanted = try ABIFunction("ActionInvalid(uint256,bytes4,bytes)").encode([
            .uint(1), .fixedBytes(Array(bad.prefix(4))), .bytes(Array(bad.dropFirst(4))),
        ])
        #expect(await test.refusal(of: settler, data) == wanted)
        // So is one of the genuine contract that the stand-in does not have.
        let other = try SwapCalls.execute(
            to: test.alice.address,
            .zero,
            minimum: 0,
            [[0x30, 0x36, 0xD6, 0xA6]]
        )
        #expect(
            await test.refusal(of: settler, other)
                == (try ABIFunction("ActionInvalid(uint256,bytes4,bytes)").encode([
                    .uint(0), .fixedBytes([0x30, 0x36, 0xD6, 0xA6]), .bytes([]),
                ]))
        )
        #expect(await test.refusal(of: settler, [0x06, 0xB8, 0x52, 0x4C]) == [])
    }

    @Test("the previous Settler trades as the current one does")
    func previous() async throws {
        let test = try TestChain.withSwap()
        let data = try test.sale(
            of: TestChain.zrx,
            ether,
            for: TestChain.weth,
            at: TestChain.zrxWeth,
            settler: TestChain.previousSettler
        )
        #expect(try await test.send(from: test.alice, to: holder, data: data).succeeded)
        // The operator has to be the one that is called.
        let mixed = try SwapCalls.exec(
            TestChain.previousSettler,
            TestChain.zrx,
            ether,
            settler,
            SwapCalls.execute(
                to: test.alice.address,
                TestChain.weth,
                minimum: 1,
                [
                    try SwapCalls.transferFrom(
                        to: settler,
                        SwapCalls.Permit(token: TestChain.zrx, amount: ether)
                    )
                ]
            )
        )
        #expect(
            await test.refusal(of: holder, mixed)
                == ERC20.call("Panic(uint256)", UInt256(0x11).word)
        )
    }
}
