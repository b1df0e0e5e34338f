import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@Suite("The AllowanceHolder of the simulated chain")
struct SwapAllowanceTests {
    private let holder = TestChain.swap.allowanceHolder
    private let settler = TestChain.settler
    private let overflow = ERC20.call("Panic(uint256)", UInt256(0x11).word)

    /// A call in which settler fetches amounts of a token for alice.
    private func fetch(
        _ test: TestChain,
        _ amounts: [UInt256],
        allowed: UInt256,
        token: Address = TestChain.dai,
        deadline: UInt256 = .max
    ) throws -> [UInt8] {
        var permit = SwapCalls.Permit(token: token, amount: 0)
        permit.deadline = deadline
        let actions = try amounts.map { amount in
            permit.amount = amount
            return try SwapCalls.transferFrom(to: settler, permit)
        }
        return try SwapCalls.exec(
            settler,
            token,
            allowed,
            settler,
            SwapCalls.execute(to: test.alice.address, token, minimum: 0, actions)
        )
    }

    @Test("the operator moves at most the amount, in one transaction, all transfers together")
    func amount() async throws {
        let test = try TestChain.withSwap()
        #expect(await test.refusal(of: holder, try fetch(test, [100], allowed: 100)) == nil)
        #expect(await test.refusal(of: holder, try fetch(test, [60, 40], allowed: 100)) == nil)
        #expect(await test.refusal(of: holder, try fetch(test, [101], allowed: 100)) == overflow)
        #expect(
            await test.refusal(of: holder, try fetch(test, [60, 41], allowed: 100)) == overflow
        )
        // What was allowed before is gone with its transaction.
        let some = try fetch(test, [10], allowed: 1_000)
        #expect(try await test.send(from: test.alice, to: holder, data: some).succeeded)
        let direct = ERC20.call(
            "transferFrom(address,address,address,uint256)",
            TestChain.dai.word,
            test.alice.address.word,
            test.bob.address.word,
            UInt256(1).word
        )
        #expect(await test.refusal(of: holder, direct, from: test.bob) == overflow)
        #expect(await test.refusal(of: holder, direct) == overflow)
        // Nothing of zero moves nothing, and is no failure.
        let nothing = ERC20.call(
            "transferFrom(address,address,address,uint256)",
            TestChain.dai.word,
            test.alice.address.word,
            test.bob.address.word,
            .zero
        )
        #expect(try await test.answer(holder, nothing, from: test.bob) == UInt256(1).word.bytes)
        #expect(await test.refusal(of: holder, nothing, from: test.bob, value: 1) == [])
    }

    @Test("another token, another owner and another operator are not allowed")
    func scope() async throws {
        let test = try TestChain.withSwap()
        let fetchDAI = try SwapCalls.transferFrom(
            to: settler,
            SwapCalls.Permit(token: TestChain.dai, amount: 100)
        )
        let execute = try SwapCalls.execute(
            to: test.alice.address,
            TestChain.dai,
            minimum: 0,
            [fetchDAI]
        )
        for data in [
            try SwapCalls.exec(settler, TestChain.zrx, 100, settler, execute),
            try SwapCalls.exec(test.alice.address, TestChain.dai, 100, settler, execute),
            try SwapCalls.exec(
                TestChain.previousSettler,
                TestChain.dai,
                100,
                settler,
                execute
            ),
        ] {
            #expect(await test.refusal(of: holder, data) == overflow)
        }
        // Whoever calls settler directly has no AllowanceHolder, and needs a signature.
        #expect(
            await test.refusal(of: settler, execute) == ERC20.call("InvalidSignatureLength()")
        )
        // An operator that is the AllowanceHolder itself gets no further than its sender's tokens.
        for (owner, error) in [(test.alice, nil), (test.bob, overflow)]
            as [(PrivateKeySigner, [UInt8]?)]
        {
            let transfer = ERC20.call(
                "transferFrom(address,address,address,uint256)",
                TestChain.dai.word,
                owner.address.word,
                settler.word,
                UInt256(1).word
            )
            let data = try SwapCalls.exec(holder, TestChain.dai, 1, holder, transfer)
            #expect(await test.refusal(of: holder, data) == error)
        }
        // The taker is who called, whatever the data say: bob's call moves bob's tokens.
        let before = try await test.balance(TestChain.dai, test.alice.address)
        let data = try SwapCalls.exec(
            settler,
            TestChain.dai,
            100,
            settler,
            execute + test.alice.address.bytes
        )
        #expect(try await test.send(from: test.bob, to: holder, data: data).succeeded)
        #expect(try await test.balance(TestChain.dai, test.alice.address) == before + 100)
        #expect(try await test.balance(TestChain.dai, test.bob.address) == 1_000 * ether - 100)
    }

    @Test("a target that answers like a token is refused; others are called")
    func confusedDeputy() async throws {
        let test = try TestChain.withSwap()
        let theft = ERC20.call(
            "transferFrom(address,address,uint256)",
            test.bob.address.word,
            test.alice.address.word,
            UInt256(1).word
        )
        for token in TestChain.swapTokens {
            let data = try SwapCalls.exec(settler, token, 1, token, theft)
            #expect(
                await test.refusal(of: holder, data) == ERC20.call("ConfusedDeputy()"),
                "\(token)"
            )
        }
        let plain = try SwapCalls.exec(
            settler,
            TestChain.dai,
            1,
            TestChain.zrxWeth,
            ERC20.call("reserves()")
        )
        let reserves = try await test.reserves(TestChain.zrxWeth)
        #expect(
            try await test.answer(holder, plain)
                == ([32, 64] + reserves).flatMap(\.word.bytes)
        )
        // A target's error is passed on.
        let failing = try SwapCalls.exec(
            settler,
            TestChain.dai,
            1,
            TestChain.swap.registry,
            ERC20.call("ownerOf(uint256)", UInt256(3).word)
        )
        #expect(
            await test.refusal(of: holder, failing)
                == ERC20.call("ERC721NonexistentToken(uint256)", UInt256(3).word)
        )
    }

    @Test(
        "an expired call, a signature that is not needed, too little balance or approval: reverts"
    )
    func refusals() async throws {
        let test = try TestChain.withSwap()
        let now = test.clock.now
        #expect(
            await test.refusal(
                of: holder,
                try fetch(test, [1], allowed: 1, deadline: UInt256(now))
            ) == nil
        )
        #expect(
            await test.refusal(
                of: holder,
                try fetch(test, [1], allowed: 1, deadline: UInt256(now - 1))
            ) == ERC20.call("SignatureExpired(uint256)", UInt256(now - 1).word)
        )
        let signed = try SwapCalls.transferFrom(
            to: settler,
            SwapCalls.Permit(token: TestChain.dai, amount: 1),
            signature: [1]
        )
        let execute = try SwapCalls.execute(
            to: test.alice.address,
            TestChain.dai,
            minimum: 0,
            [signed]
        )
        #expect(
            await test.refusal(
                of: holder,
                try SwapCalls.exec(settler, TestChain.dai, 1, settler, execute)
            ) == ERC20.call("InvalidSignatureLen()")
        )
        // Each kind of token fails in its own way; ZRX returns false.
        for token in TestChain.swapTokens {
            let maximum = try await test.balance(token, test.alice.address)
            #expect(
                await test.refusal(
                    of: holder,
                    try fetch(test, [maximum], allowed: .max, token: token)
                )
                    == nil
            )
            let error = try await test.refusal(
                of: holder,
                fetch(test, [maximum + 1], allowed: .max, token: token)
            )
            #expect(error == (token == TestChain.zrx ? ERC20.call("TransferFromFailed()") : []))
        }
        try await test.send(
            from: test.alice,
            to: TestChain.dai,
            data: ERC20.approve(spender: holder, amount: 99)
        )
        #expect(await test.refusal(of: holder, try fetch(test, [99], allowed: 100)) == nil)
        #expect(await test.refusal(of: holder, try fetch(test, [100], allowed: 100)) == [])
    }
}
