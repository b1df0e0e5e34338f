import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@Suite("Tokens")
struct TokenTests {
    @Test("wrapping and unwrapping moves ether and logs Deposit and Withdrawal")
    func wrap() async throws {
        let test = try TestChain()
        let account = test.alice.address
        let deposit = try await test.send(
            from: test.alice,
            to: TestChain.weth,
            data: ERC20.call("deposit()"),
            value: 2 * ether
        )
        #expect(deposit.succeeded)
        #expect(
            deposit.logs.first?.topics.first?.hex
                == "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c"
        )
        #expect(try await test.balance(TestChain.weth, account) == 1_002 * ether)
        // Ether without call data is a deposit too.
        let plain = try await test.send(from: test.alice, to: TestChain.weth, value: ether)
        #expect(plain.succeeded)
        #expect(try await test.balance(TestChain.weth, account) == 1_003 * ether)
        let before = try await test.etherBalance(account)
        let withdrawal = try await test.send(
            from: test.alice,
            to: TestChain.weth,
            data: ERC20.call("withdraw(uint256)", (3 * ether).word)
        )
        #expect(withdrawal.succeeded)
        #expect(
            withdrawal.logs.first?.topics.first?.hex
                == "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65"
        )
        #expect(try await test.balance(TestChain.weth, account) == 1_000 * ether)
        let price = try #require(withdrawal.effectiveGasPrice).rawValue
        let after = try await test.etherBalance(account)
        #expect(after == before + 3 * ether - price * UInt256(withdrawal.gasUsed))
        let short = try await test.send(
            from: test.alice,
            to: TestChain.weth,
            data: ERC20.call("withdraw(uint256)", (2_000 * ether).word)
        )
        #expect(!short.succeeded)
        #expect(try await test.balance(TestChain.weth, account) == 1_000 * ether)
    }

    @Test("a token that reverts fails the transaction, ZRX answers false and succeeds")
    func failure() async throws {
        let test = try TestChain()
        let data = ERC20.transfer(to: test.bob.address, amount: 5_000 * ether)
        let dai = try await test.send(from: test.alice, to: TestChain.dai, data: data)
        #expect(!dai.succeeded)
        #expect(dai.logs.isEmpty)
        #expect(dai.gasUsed < 60_000)
        let zrx = try await test.send(from: test.alice, to: TestChain.zrx, data: data)
        #expect(zrx.succeeded)
        #expect(zrx.logs.isEmpty)
        let answer = try await test.client.call(
            CallRequest(from: test.alice.address, to: TestChain.zrx, data: data)
        )
        #expect(UInt256(bigEndian: answer) == 0)
        for token in [TestChain.dai, TestChain.zrx] {
            #expect(try await test.balance(token, test.bob.address) == 1_000 * ether)
        }
    }

    @Test("approve sets an allowance and logs it; USDT refuses to go from one amount to another")
    func approve() async throws {
        let test = try TestChain()
        func approve(_ token: Address, _ amount: UInt256) async throws -> TransactionReceipt {
            try await test.send(
                from: test.alice,
                to: token,
                data: ERC20.approve(spender: test.bob.address, amount: amount)
            )
        }
        let first = try await approve(TestChain.dai, 5)
        #expect(
            first.logs.map(\.topics) == [
                [ERC20.approvalTopic, test.alice.address.word, test.bob.address.word]
            ]
        )
        #expect(try await approve(TestChain.dai, 6).succeeded)
        #expect(try await approve(TestChain.usdt, 5).succeeded)
        #expect(try await !approve(TestChain.usdt, 6).succeeded)
        #expect(try await approve(TestChain.usdt, 0).succeeded)
        #expect(try await approve(TestChain.usdt, 6).succeeded)
        let allowance = try await test.client.call(
            CallRequest(
                to: TestChain.usdt,
                data: ERC20.allowance(owner: test.alice.address, spender: test.bob.address)
            )
        )
        #expect(UInt256(bigEndian: allowance) == 6)
    }

    @Test(
        "an unlimited allowance is never reduced, a limited one is",
        arguments: [TestChain.dai, TestChain.zrx, TestChain.weth, TestChain.usdt]
    )
    func allowances(_ token: Address) async throws {
        let test = try TestChain()
        func allowance() async throws -> UInt256? {
            UInt256(
                bigEndian: try await test.client.call(
                    CallRequest(
                        to: token,
                        data: ERC20.allowance(owner: test.alice.address, spender: test.bob.address)
                    )
                )
            )
        }
        func move(_ amount: UInt256) async throws -> Bool {
            let receipt = try await test.send(
                from: test.bob,
                to: token,
                data: ERC20.call(
                    "transferFrom(address,address,uint256)",
                    test.alice.address.word,
                    test.bob.address.word,
                    amount.word
                )
            )
            return receipt.logs.contains { $0.topics.first == ERC20.transferTopic }
        }
        for limit in [10, UInt256.max] {
            let data = ERC20.approve(spender: test.bob.address, amount: 0)
            try await test.send(from: test.alice, to: token, data: data)
            let approval = ERC20.approve(spender: test.bob.address, amount: limit)
            try await test.send(from: test.alice, to: token, data: approval)
            #expect(try await move(4))
            #expect(try await allowance() == (limit == .max ? .max : 6))
            if limit == 10 { #expect(try await !move(7)) }
        }
    }

    @Test(
        "deposit and withdraw are unknown functions of other tokens: ZRX burns all gas for them",
        arguments: [TestChain.zrx, TestChain.dai, TestChain.usdt, TestChain.upgradeable]
    )
    func noWrapping(_ token: Address) async throws {
        let test = try TestChain()
        for data in [ERC20.call("deposit()"), ERC20.call("withdraw(uint256)", UInt256(1).word)] {
            let receipt = try await test.send(
                from: test.alice,
                to: token,
                data: data,
                gas: 100_000
            )
            #expect(!receipt.succeeded)
            #expect((receipt.gasUsed == 100_000) == (token == TestChain.zrx))
        }
    }

    @Test("an owner of wrapped ether moves his own without a look at an allowance")
    func ownWrappedEther() async throws {
        let test = try TestChain()
        let direct = try await test.send(
            from: test.alice,
            to: TestChain.weth,
            data: ERC20.transfer(to: test.bob.address, amount: 5)
        )
        let alice = test.alice.address
        let own = try await test.send(
            from: test.alice,
            to: TestChain.weth,
            data: ERC20.call(
                "transferFrom(address,address,uint256)",
                alice.word,
                test.bob.address.word,
                UInt256(5).word
            )
        )
        #expect(own.succeeded)
        // More call data and computing, but no cold slot (2,100).
        #expect(own.gasUsed > direct.gasUsed)
        #expect(own.gasUsed < direct.gasUsed + 2_000)
    }

    @Test("name, symbol and decimals are constants of ZRX's code; other tokens read a slot")
    func metadataGas() async throws {
        let test = try TestChain()
        for call in [ERC20.name, ERC20.symbol, ERC20.decimals] {
            let zrx = try await test.send(from: test.alice, to: TestChain.zrx, data: call)
            let dai = try await test.send(from: test.alice, to: TestChain.dai, data: call)
            #expect(dai.gasUsed > zrx.gasUsed + 2_000)
        }
    }

    @Test("name, symbol, decimals and supply are answered")
    func metadata() async throws {
        let test = try TestChain()
        func call(_ data: [UInt8]) async throws -> [UInt8] {
            try await test.client.call(CallRequest(to: TestChain.usdt, data: data))
        }
        #expect(try await call(ERC20.decimals) == UInt256(6).bigEndianBytes)
        let symbol = try ABI.decode(try await call(ERC20.symbol), as: [.string])
        #expect(symbol == [.string("USDT")])
        let name = try ABI.decode(try await call(ERC20.name), as: [.string])
        #expect(name == [.string("Tether USD")])
        let supply = UInt256(bigEndian: try await call(ERC20.call("totalSupply()")))
        #expect(supply == 12_000 * ether + 1)
    }

    @Test("ether sent to a token that takes none comes back")
    func unpayable() async throws {
        let test = try TestChain()
        for token in [TestChain.dai, TestChain.zrx, TestChain.usdt] {
            let receipt = try await test.send(from: test.alice, to: token, value: ether)
            #expect(!receipt.succeeded)
            #expect(try await test.etherBalance(token) == 0)
        }
    }
}
