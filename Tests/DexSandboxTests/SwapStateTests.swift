import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import Testing

@Suite("The swap venue's registry, and its state in the chain's")
final class SwapStateTests {
    private let folder: URL
    private let registry = TestChain.swap.registry
    private let holder = TestChain.swap.allowanceHolder

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-swap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private let ownerOf = ERC20.call("ownerOf(uint256)", UInt256(2).word)
    private let prev = ERC20.call("prev(uint128)", UInt256(2).word)
    private func missing(_ feature: UInt256) -> [UInt8] {
        ERC20.call("ERC721NonexistentToken(uint256)", feature.word)
    }

    private func sale(_ test: TestChain) throws -> [UInt8] {
        try test.sale(of: TestChain.zrx, ether, for: TestChain.weth, at: TestChain.zrxWeth)
    }

    @Test("the registry names the current and the previous Settler, for takers only")
    func names() async throws {
        let test = try TestChain.withSwap()
        #expect(try await test.answer(registry, ownerOf) == TestChain.settler.word.bytes)
        #expect(try await test.answer(registry, prev) == TestChain.previousSettler.word.bytes)
        for feature in [0, 1, 3, 4, 5, .max] as [UInt256] {
            let owner = ERC20.call("ownerOf(uint256)", feature.word)
            #expect(await test.refusal(of: registry, owner) == missing(feature))
        }
        for feature in [0, 1, 3, 4, 5] as [UInt256] {
            let prev = ERC20.call("prev(uint128)", feature.word)
            #expect(try await test.answer(registry, prev) == UInt256.zero.word.bytes)
        }
        #expect(await test.refusal(of: registry, ownerOf, value: 1) == [])
        #expect(await test.refusal(of: registry, ERC20.call("symbol()")) == [])
    }

    @Test("a pause makes ownerOf revert, from its own block on and until it ends")
    func pause() async throws {
        let test = try TestChain.withSwap()
        try await test.chain.setSwapPaused(true)
        #expect(await test.chain.swapRegistry?.isPaused == true)
        #expect(try await test.client.read(.blockNumber) == 1)
        #expect(await test.refusal(of: registry, ownerOf) == missing(2))
        #expect(try await test.answer(registry, prev) == TestChain.previousSettler.word.bytes)
        let before = try await test.answer(registry, ownerOf, tag: .number(0))
        #expect(before == TestChain.settler.word.bytes)
        // The same again changes nothing, and makes no block.
        try await test.chain.setSwapPaused(true)
        #expect(try await test.client.read(.blockNumber) == 1)
        try await test.chain.setSwapPaused(false)
        #expect(try await test.answer(registry, ownerOf) == TestChain.settler.word.bytes)
        let paused = try TestChain.withSwap { $0.isPaused = true }
        #expect(await paused.refusal(of: registry, ownerOf) == missing(2))
    }

    @Test("the registry names the Settlers of the first state; without a venue there is none")
    func settlers() async throws {
        let third = TestChain.address(0x5E)
        let test = try TestChain.withSwap { $0.settlers.insert(third, at: 0) }
        #expect(try await test.answer(registry, ownerOf) == third.word.bytes)
        #expect(try await test.answer(registry, prev) == TestChain.settler.word.bytes)
        let state = try #require(await test.chain.swapRegistry)
        #expect(state.current == third && state.previous == TestChain.settler)
        let none = try TestChain()
        #expect(await none.swapPools.isEmpty)
        #expect(await none.chain.swapRegistry == nil)
        await #expect(throws: SandboxError.badSwapSetting("the chain has no swap venue")) {
            try await none.chain.setSwapPaused(true)
        }
    }

    @Test("a setting mines no waiting transaction")
    func settingAlone() async throws {
        let test = try TestChain.withSwap(mining: .manual)
        let signed = try await test.transaction(from: test.alice, to: test.bob.address)
        let hash = try await test.client.send(raw: signed.raw)
        try await test.chain.setSwapPaused(true)
        #expect(try await test.client.read(.receipt(hash)) == nil)
        try await test.chain.mine()
        #expect(try await test.client.read(.receipt(hash))?.blockNumber == 2)
    }

    @Test("a reorganization undoes trades and settings")
    func reorganization() async throws {
        let test = try TestChain.withSwap()
        let reserves = try await test.reserves(TestChain.zrxWeth)
        let owned = try await test.balance(TestChain.weth, test.alice.address)
        try await test.send(from: test.alice, to: holder, data: sale(test))
        try await test.chain.setSwapPaused(true)
        let after = try await test.reserves(TestChain.zrxWeth)
        #expect(after != reserves)
        _ = try await test.chain.reorganize(blocks: 1, transactions: .gone)
        #expect(try await test.answer(registry, ownerOf) == TestChain.settler.word.bytes)
        #expect(try await test.reserves(TestChain.zrxWeth) == after)
        _ = try await test.chain.reorganize(blocks: 3, transactions: .gone)
        #expect(try await test.reserves(TestChain.zrxWeth) == reserves)
        #expect(await test.swapPools.first?.first.reserve == reserves[0])
        #expect(try await test.balance(TestChain.weth, test.alice.address) == owned)
    }

    @Test("a restart keeps reserves, nonces and settings")
    func store() async throws {
        let path = folder.appendingPathComponent("chain.sqlite").path
        let reserves: [UInt256]
        let data: [UInt8]
        do {
            let test = try TestChain.withSwap(storePath: path)
            let permit = SwapCalls.Permit(token: TestChain.zrx, amount: ether)
            let signature = try permit.signature(by: test.alice, spender: TestChain.settler)
            data = try SwapCalls.execute(
                to: test.alice.address,
                TestChain.weth,
                minimum: 1,
                [
                    try SwapCalls.transferFrom(
                        to: TestChain.settler,
                        permit,
                        signature: signature
                    ),
                    SwapCalls.sell(TestChain.zrxWeth, TestChain.zrx, to: TestChain.settler),
                ]
            )
            let receipt = try await test.send(
                from: test.alice,
                to: TestChain.settler,
                data: data
            )
            #expect(receipt.succeeded)
            reserves = try await test.reserves(TestChain.zrxWeth)
            try await test.chain.setSwapPaused(true)
        }
        let again = try TestChain.withSwap(storePath: path)
        #expect(try await again.reserves(TestChain.zrxWeth) == reserves)
        #expect(
            await again.refusal(of: TestChain.settler, data) == ERC20.call("InvalidNonce()")
        )
        let state = try #require(await again.chain.swapRegistry)
        #expect(state.isPaused)
        #expect(state.current == TestChain.settler)
        #expect(state.previous == TestChain.previousSettler)
        _ = try await again.chain.reorganize(blocks: 1, transactions: .gone)
        #expect(try await again.answer(registry, ownerOf) == TestChain.settler.word.bytes)
        for change in [
            { $0.pools.removeLast() }, { $0.settlers.reverse() }, { $0.isPaused = true },
            { $0.permit2 = TestChain.address(9) }, { $0.settlers.append(TestChain.address(9)) },
        ] as [(inout GenesisSwap) -> Void] {
            #expect(throws: SandboxError.otherGenesis(ChainFile(path))) {
                try TestChain.withSwap(storePath: path, change: change)
            }
        }
    }

    @Test("each contract has code, and the venue's addresses are those of real chains")
    func code() async throws {
        let test = try TestChain.withSwap()
        func code(_ address: Address) async throws -> [UInt8] {
            try await test.client.read(.code(address, .latest))
        }
        for contract in TestChain.swap.pools.map(\.address) + [holder, registry] {
            #expect(try await code(contract).isEmpty == false)
        }
        #expect(
            try await code(TestChain.settler) == code(TestChain.previousSettler)
        )
        let addresses = [holder, registry, TestChain.settler, TestChain.previousSettler]
        #expect(
            addresses.map(\.lowercaseHex) == [
                "0x0000000000001ff3684f28c67538d4d072c22734",
                "0x00000000000004533fe15556b1e086bb1a72ceae",
                "0x5e77000000000000000000000000000000000002",
                "0x5e77000000000000000000000000000000000001",
            ]
        )
        #expect(
            GenesisSwap.pool(3).lowercaseHex == "0x9001000000000000000000000000000000000003"
        )
        #expect(
            GenesisSwap.wrapped.lowercaseHex == "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
        )
    }

    @Test("a venue that cannot work is refused")
    func validation() {
        func refusal(_ change: (inout GenesisSwap) -> Void) -> Bool {
            do {
                _ = try TestChain.withSwap(change: change)
                return false
            } catch SandboxError.badGenesis {
                return true
            } catch {
                return false
            }
        }
        func pool(
            _ token: Address = TestChain.dai,
            _ reserve: UInt256 = 1,
            at address: Address = TestChain.address(77)
        ) -> GenesisPool {
            GenesisPool(
                address: address,
                first: GenesisPool.Side(token: TestChain.zrx, reserve: 1),
                second: GenesisPool.Side(token: token, reserve: reserve)
            )
        }
        #expect(!refusal { $0.pools.append(pool()) })
        #expect(refusal { $0.pools.append(pool(TestChain.zrx)) })
        #expect(refusal { $0.pools.append(pool(TestChain.address(78))) })
        #expect(refusal { $0.pools.append(pool(TestChain.dai, 0)) })
        #expect(refusal { $0.pools.append(pool(TestChain.dai, .max)) })
        #expect(refusal { $0.pools.append(pool(TestChain.weth, 1 << 128)) })
        #expect(refusal { $0.pools.append(pool(at: TestChain.zrxWeth)) })
        #expect(refusal { $0.pools.append(pool(at: TestChain.dai)) })
        #expect(refusal { $0.settlers.removeLast() })
        #expect(refusal { $0.settlers.append($0.permit2) })
        #expect(refusal { $0.wrapped = TestChain.dai })
        #expect(refusal { $0.registry = .zero })
    }
}
