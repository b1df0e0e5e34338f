import DexSandbox
import Ethereum
import EthereumWallet
import Testing

@Suite("What accounts of a fork are given")
struct ForkFundingTests {
    private let account = TestChain.address(0x99)

    @Test(
        "a token's balance, whose word is found by its own code",
        arguments: [
            TestChain.dai, TestChain.zrx, TestChain.usdt, TestChain.heavy, TestChain.upgradeable,
            TestChain.weth,
        ]
    )
    func token(_ token: Address) async throws {
        let forked = try await ForkedChain()
        let amount = 5_000_123 * ether
        let others = try await forked.balance(token, forked.live.bob.address)
        try await forked.chain.fund(
            [ForkFunding(account: account, token: token, amount: amount)],
            wrapped: TestChain.weth
        )
        #expect(try await forked.balance(token, account) == amount)
        #expect(try await forked.balance(token, forked.live.bob.address) == others)
        #expect(await forked.chain.latestBlock.number == 1)
        let coins = try await forked.client.read(.balance(token, .latest)).rawValue
        let before = try await forked.live.etherBalance(token)
        #expect(coins == (token == TestChain.weth ? before + amount : before))
        // Again the same: no block.
        try await forked.chain.fund(
            [ForkFunding(account: account, token: token, amount: amount)],
            wrapped: TestChain.weth
        )
        #expect(await forked.chain.latestBlock.number == 1)
    }

    @Test("coins, and no code at accounts whose keys are public")
    func coins() async throws {
        let delegated: [UInt8] = [0xEF, 0x01, 0x00] + TestChain.dai.bytes
        let contract = GenesisContract(address: TestChain.address(0x99), code: delegated)
        let live = try TestChain { genesis in genesis.contracts = [contract] }
        let forked = try await ForkedChain(of: live)
        #expect(try await forked.client.read(.code(account, .latest)) == delegated)
        try await forked.chain.fund(
            [ForkFunding(account: account, token: nil, amount: 7 * ether)],
            wrapped: nil,
            plain: [account]
        )
        #expect(try await forked.client.read(.balance(account, .latest)) == Wei(7 * ether))
        #expect(try await forked.client.read(.code(account, .latest)).isEmpty)
    }

    /// A token whose balanceOf is twice a word, and one that has no balanceOf.
    @Test("a balance that is computed, and what is no token, are refused with a sentence")
    func refused() async throws {
        let (shares, silent) = (TestChain.address(0x51), TestChain.address(0x52))
        let live = try TestChain { genesis in
            // SLOAD(calldata word at 4) * 2
            let doubling: [UInt8] = [
                0x60, 4, 0x35, 0x54, 0x60, 2, 0x02, 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xF3,
            ]
            genesis.contracts = [
                GenesisContract(address: shares, code: doubling),
                GenesisContract(address: silent, code: [0x00]),
            ]
        }
        let forked = try await ForkedChain(of: live)
        func reason(_ token: Address) async -> String {
            do throws(SandboxError) {
                try await forked.chain.fund(
                    [ForkFunding(account: account, token: token, amount: 1_001)],
                    wrapped: nil
                )
                return ""
            } catch {
                return error.description
            }
        }
        #expect(await reason(shares).contains("no single word is one"))
        #expect(await reason(silent).contains("is no token"))
        #expect(await reason(TestChain.address(0x53)).contains("it has no code"))
        #expect(await forked.chain.latestBlock.number == 0)
    }
}
