import Ethereum
import EthereumWallet
import Testing
import Uniswap

@testable import DexSandbox

@Suite("What the operator does to pools, quotes and tokens")
struct UniswapFaultTests {
    private let dai = TestChain.dai
    private let weth = TestChain.weth
    private let router = TestChain.uniswap.router

    private func quote(_ signature: StaticString, _ amount: UInt256) -> [UInt8] {
        ERC20.call(
            signature,
            dai.word,
            weth.word,
            amount.word,
            UInt256(3_000).word,
            UInt256(0).word
        )
    }

    @Test("quotes that lie promise 2 % more and ask for 2 % less; a swap gives what it gives")
    func quotes() async throws {
        let test = try TestChain.withUniswap()
        let quoter = TestChain.uniswap.quoter
        let exactIn = quote(
            "quoteExactInputSingle((address,address,uint256,uint24,uint160))",
            ether
        )
        let exactOut = quote(
            "quoteExactOutputSingle((address,address,uint256,uint24,uint160))",
            ether
        )
        let (out, cost) = (
            try await test.words(quoter, exactIn), try await test.words(quoter, exactOut)
        )
        await test.chain.lieInQuotes(true)
        let (more, less) = (
            try await test.words(quoter, exactIn), try await test.words(quoter, exactOut)
        )
        #expect(more[0] == out[0] * 102 / 100 && less[0] == cost[0] * 98 / 100)
        #expect(more[1] == out[1] && less[1] == cost[1])
        // Neither other functions nor other contracts lie.
        let factory = try await test.words(quoter, ERC20.call("factory()"))
        #expect(factory == [UInt256(TestChain.uniswap.v3Factory.word)])
        #expect(try await test.words(TestChain.pool, ERC20.call("fee()")) == [3_000])
        let sale = UniswapCalls.exactInputSingle(dai, weth, ether, minimum: more[0])
        let receipt = try await test.send(from: test.alice, to: router, data: sale)
        #expect(!receipt.succeeded)
        await test.chain.lieInQuotes(false)
        #expect(try await test.words(quoter, exactIn) == out)
    }

    @Test("a token's fee begins and ends with a block: 1 % of a transfer does not arrive")
    func transferFee() async throws {
        let test = try TestChain.withUniswap()
        let transfer = ERC20.transfer(to: test.bob.address, amount: 2 * ether)
        func received() async throws -> UInt256 {
            let before = try await test.balance(dai, test.bob.address)
            let receipt = try await test.send(from: test.alice, to: dai, data: transfer)
            #expect(receipt.succeeded)
            return try await test.balance(dai, test.bob.address) - before
        }
        #expect(try await received() == 2 * ether)
        try await test.chain.setTransferFee(true, of: dai)
        let block = await test.chain.latestBlock.number
        try await test.chain.setTransferFee(true, of: dai)
        #expect(await test.chain.latestBlock.number == block)
        #expect(try await received() == 2 * ether - ether / 50)
        let sale = UniswapCalls.exactInputSingle(dai, weth, ether)
        #expect(
            await test.refusal(of: router, sale, from: test.alice)
                == UniswapCalls.error("IIA")
        )
        // Of the other token nothing is missing.
        try await test.chain.setTransferFee(false, of: dai)
        #expect(try await received() == 2 * ether)
        #expect(await test.refusal(of: router, sale, from: test.alice) == nil)
        for token in [weth, test.bob.address, .zero] {
            await #expect(throws: SandboxError.self) {
                try await test.chain.setTransferFee(true, of: token)
            }
        }
        let error = SandboxError.badTokenSetting("it is none")
        #expect(error.description == "The token cannot be set like this: it is none.")
    }

    @Test("transactions of one block, or of the next one, whenever blocks are made otherwise")
    func together() async throws {
        for mining in [ChainConfiguration.Mining.instant, .manual] {
            let test = try TestChain.withUniswap(mining: mining)
            func sale(_ nonce: UInt64) async throws -> [UInt8] {
                try await test.transaction(
                    from: test.alice,
                    to: router,
                    data: UniswapCalls.exactInputSingle(dai, weth, ether),
                    nonce: nonce
                )
                .raw
            }
            try await test.chain.mine(raw: [try await sale(0), try await sale(1)])
            #expect(await test.chain.latestBlock.number == 1)
            #expect(await test.chain.batch(after: 0).blocks.first?.transactions.count == 2)
            try await test.chain.keep(raw: try await sale(2))
            #expect(await test.chain.latestBlock.number == 1)
            #expect(await test.chain.waiting.count == 1)
            // One with a higher tip comes after it.
            let other = try await test.transaction(
                from: test.bob,
                to: dai,
                data: ERC20.transfer(to: test.alice.address, amount: 1),
                tip: 10 * gwei
            )
            _ = try await test.chain.send(raw: other.raw)
            if mining == .manual { try await test.chain.mine() }
            let newest = await test.chain.latestBlock.number
            #expect(newest == (mining == .manual ? 2 : 3))
            let blocks = await test.chain.batch(after: 1).blocks
            #expect(blocks.last?.transactions.last == other.raw)
            #expect(blocks.flatMap(\.transactions).count == 2)
            // One that is refused takes the others along.
            let (next, used) = (try await sale(3), try await sale(0))
            await #expect(throws: ChainError.self) {
                try await test.chain.mine(raw: [next, used])
            }
            #expect(await test.chain.waiting.isEmpty)
            #expect(await test.chain.latestBlock.number == newest)
        }
    }
}
