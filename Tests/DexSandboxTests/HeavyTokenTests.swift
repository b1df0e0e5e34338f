import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing
import ZeroEx

@Suite("Tokens whose queries need more than 4,999 gas")
struct HeavyTokenTests {
    @Test(
        "the skipping variant fails and burns all gas, the throwing one fills",
        arguments: [TestChain.heavy, TestChain.upgradeable, TestChain.usdt]
    )
    func variants(_ token: Address) async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0], sells: token)
        let skipping = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: TestChain.fill(order, ether),
            gas: 400_000
        )
        #expect(!skipping.succeeded)
        #expect(skipping.gasUsed == 400_000)
        let throwing = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: TestChain.fill(order, ether, throwing: true),
            gas: 400_000
        )
        #expect(throwing.succeeded)
        #expect(throwing.gasUsed < 150_000)
    }

    @Test("an unknown function reads no flags, but an upgradeable token hands it on first")
    func unknownFunction() async throws {
        let test = try TestChain()
        func gas(_ token: Address) async throws -> UInt64 {
            let data: [UInt8] = [1, 2, 3, 4]
            let receipt = try await test.send(from: test.alice, to: token, data: data)
            #expect(!receipt.succeeded)
            return receipt.gasUsed
        }
        // No more than the call data's least price (EIP-7623): 40 for each byte.
        #expect(try await gas(TestChain.dai) == 21_160)
        #expect(try await gas(TestChain.heavy) < 21_260)
        // The call data, the slot of the implementation's address, and the implementation.
        let handed = try await gas(TestChain.upgradeable)
        #expect((25_764..<26_200).contains(handed), "\(handed)")
    }

    @Test("ether and missing arguments are refused before a look at the flags")
    func refusals() async throws {
        let test = try TestChain()
        let transfer = ERC20.transfer(to: test.bob.address, amount: 1)
        for (data, value) in [(transfer, UInt256(3)), (Array(transfer.dropLast()), 0)] {
            var gas: [UInt64] = []
            for token in [TestChain.dai, TestChain.heavy] {
                let receipt = try await test.send(
                    from: test.alice,
                    to: token,
                    data: data,
                    value: value
                )
                #expect(!receipt.succeeded)
                gas.append(receipt.gasUsed)
            }
            #expect(gas[1] < gas[0] + 100)
        }
    }

    @Test("what a token says of itself and its supply is told without a look at its flags")
    func descriptions() async throws {
        let test = try TestChain()
        let calls = [ERC20.name, ERC20.symbol, ERC20.decimals, ERC20.call("totalSupply()")]
        for data in calls {
            let plain = try await test.send(from: test.alice, to: TestChain.dai, data: data)
            let heavy = try await test.send(from: test.alice, to: TestChain.heavy, data: data)
            // Not the 2,100 of a slot.
            #expect(heavy.gasUsed < plain.gasUsed + 100)
        }
    }

    @Test(
        "an access list of the extra slots and the implementation lets the skipping variant fill",
        arguments: [
            (
                TestChain.heavy,
                [
                    AccessListEntry(
                        address: TestChain.heavy,
                        storageKeys: [UInt256(8).word, UInt256(9).word]
                    )
                ]
            ),
            (
                TestChain.upgradeable,
                [
                    AccessListEntry(
                        address: TestChain.upgradeable,
                        storageKeys: [UInt256(8).word]
                    ),
                    AccessListEntry(address: TestChain.implementation, storageKeys: []),
                ]
            ),
            (
                TestChain.usdt,
                [AccessListEntry(address: TestChain.usdt, storageKeys: [UInt256(8).word])]
            ),
        ]
    )
    func accessList(_ token: Address, _ list: [AccessListEntry]) async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0], sells: token)
        let data = TestChain.fill(order, ether)
        let call = CallRequest(
            from: test.alice.address,
            to: TestChain.exchange,
            data: data,
            accessList: list
        )
        #expect(UInt256(bigEndian: try await test.client.call(call)) == ether)
        let receipt = try await test.send(
            from: test.alice,
            to: TestChain.exchange,
            data: data,
            accessList: list
        )
        #expect(receipt.succeeded)
        #expect(receipt.logs.count == 3)
    }

    @Test("a list that names the slot of a balance, as Vyper computes it, warms the balance")
    func mappingSlot() async throws {
        let test = try TestChain()
        let owner = test.alice.address
        var request = CallRequest(to: TestChain.dai, data: ERC20.balanceOf(owner))
        let cold = try await test.client.read(.estimateGas(request))
        let slot = Keccak256.hash(UInt256(0).bigEndianBytes + owner.word.bytes)
        request.accessList = [AccessListEntry(address: TestChain.dai, storageKeys: [slot])]
        let warm = try await test.client.read(.estimateGas(request))
        #expect(cold + 2_400 + 1_900 - 2_000 == warm)
    }

    @Test("eth_createAccessList finds a list with which the skipping variant fills")
    func created() async throws {
        let test = try TestChain()
        let order = try test.order(by: test.makers[0], sells: TestChain.upgradeable)
        let data = Hex.encode(TestChain.fill(order, ether))
        let call: JSONValue = [
            "from": .string(test.alice.address.lowercaseHex),
            "to": .string(TestChain.exchange.lowercaseHex),
            "data": .string(data),
        ]
        let found = try await test.rpc("eth_createAccessList", [call, "latest"])
        #expect(found["error"] == nil)
        var withList = try #require(call.objectValue)
        withList["accessList"] = found["accessList"]
        let answer = try await test.rpc("eth_call", [.object(withList), "latest"])
        #expect(answer.stringValue == ether.word.hex)
    }

    @Test("a plain token passes the queries: its skipping variant fills")
    func plain() async throws {
        let test = try TestChain()
        for token in [TestChain.dai, TestChain.zrx] {
            let order = try test.order(by: test.makers[0], sells: token)
            let receipt = try await test.send(
                from: test.alice,
                to: TestChain.exchange,
                data: TestChain.fill(order, ether)
            )
            #expect(receipt.succeeded)
            #expect(receipt.logs.count == 3)
        }
    }
}
