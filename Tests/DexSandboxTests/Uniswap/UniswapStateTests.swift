import DexSandbox
import Ethereum
import EthereumWallet
import Foundation
import Testing
import Uniswap

@Suite("Uniswap's pools as state of the chain")
final class UniswapStateTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("dex-uniswap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String {
        folder.appendingPathComponent("chain.sqlite").path
    }

    private static let slot0 = ERC20.call("slot0()")
    private static let reserves = ERC20.call("getReserves()")

    /// A multicall that sells DAI at both pools.
    private static let sale = UniswapCalls.multicall([
        UniswapCalls.exactInputSingle(TestChain.dai, TestChain.weth, 2 * ether),
        UniswapCalls.swapExactTokens([TestChain.dai, TestChain.weth], 3 * ether),
    ])

    private func sell(_ test: TestChain) async throws -> TransactionReceipt {
        try await test.send(from: test.alice, to: TestChain.uniswap.router, data: Self.sale)
    }

    /// What the pools and the oracle say.
    private func picture(_ test: TestChain, tag: BlockTag = .latest) async throws -> [[UInt256]] {
        [
            try await test.words(TestChain.pool, Self.slot0, tag: tag),
            try await test.words(TestChain.pair, Self.reserves, tag: tag),
            try await test.words(TestChain.pool, ERC20.call("liquidity()"), tag: tag),
            try await test.words(
                TestChain.pool,
                ERC20.call("observations(uint256)", UInt256(1).word),
                tag: tag
            ),
        ]
    }

    @Test("a swap moves both pools; the blocks before still say what they said")
    func history() async throws {
        let test = try TestChain.withUniswap()
        let before = try await picture(test)
        #expect(try await sell(test).succeeded)
        let after = try await picture(test)
        #expect(after != before)
        #expect(after[0] != before[0] && after[1] != before[1])
        #expect(try await picture(test, tag: .number(0)) == before)
    }

    @Test("pools survive a restart exactly")
    func restart() async throws {
        let before: [[UInt256]]
        do {
            let test = try TestChain.withUniswap(storePath: path)
            #expect(try await sell(test).succeeded)
            before = try await picture(test)
        }
        let again = try TestChain.withUniswap(storePath: path)
        #expect(try await picture(again) == before)
        #expect(try await sell(again).succeeded)
        #expect(try await picture(again) != before)
    }

    @Test("a chain of before the pools, or with other ones, is refused with the way to begin anew")
    func otherGenesis() throws {
        _ = try TestChain(storePath: path)
        #expect(throws: SandboxError.otherGenesis(ChainFile(path))) {
            try TestChain.withUniswap(storePath: path)
        }
        #expect(
            SandboxError.otherGenesis(ChainFile("")).description.contains(
                "`dex sandbox reset`"
            )
        )
        let second = folder.appendingPathComponent("second.sqlite").path
        _ = try TestChain.withUniswap(storePath: second)
        #expect(throws: SandboxError.otherGenesis(ChainFile(second))) {
            try TestChain.withUniswap(storePath: second, cardinality: 5)
        }
    }

    @Test("a replaced block takes its swaps back, and another one has them again")
    func reorganization() async throws {
        let test = try TestChain.withUniswap()
        let before = try await picture(test)
        let receipt = try await sell(test)
        let after = try await picture(test)
        _ = try await test.chain.reorganize(blocks: 1, transactions: .gone)
        #expect(try await picture(test) == before)
        #expect(try await test.client.read(.receipt(receipt.transactionHash)) == nil)
        #expect(try await sell(test).succeeded)
        let again = try await picture(test)
        // Only the times differ.
        #expect(again[0] == after[0])
        #expect(again[1].prefix(2) == after[1].prefix(2))
    }

    @Test("a copy on another machine comes to the same pools")
    func following() async throws {
        let leader = try TestChain.withUniswap()
        let copy = try TestChain.withUniswap(mining: .manual)
        #expect(try await sell(leader).succeeded)
        #expect(try await sell(leader).succeeded)
        for block in await leader.chain.batch(after: 0).blocks {
            try await copy.chain.append(block)
        }
        #expect(await copy.chain.latestBlock == leader.chain.latestBlock)
        #expect(try await picture(copy) == picture(leader))
    }

    @Test("genesis: pools need their tokens, a known fee, a price and ticks in order")
    func genesis() {
        func error(_ change: @escaping (inout GenesisUniswap) -> Void) -> Bool {
            do throws(any Error) {
                _ = try TestChain { genesis in
                    var uniswap = TestChain.genesisUniswap()
                    change(&uniswap)
                    genesis.uniswap = uniswap
                }
                return false
            } catch {
                if case SandboxError.badGenesis = error { return true }
                return false
            }
        }
        func pool(
            _ id: PoolID? = TestChain.poolID,
            price: UInt256 = UInt256(UInt128(1) << 96),
            ticks: (Int32, Int32) = (-60, 60),
            cardinality: UInt16 = 1
        ) -> [GenesisRangePool] {
            [
                GenesisRangePool(
                    pool: id ?? TestChain.pairID,
                    price: price,
                    lower: ticks.0,
                    upper: ticks.1,
                    liquidity: 1_000,
                    cardinality: cardinality
                )
            ]
        }
        #expect(!error { $0.pools = pool() })
        #expect(error { $0.deployment.wrapped = TestChain.dai })
        #expect(error { $0.deployment.wrapped = nil })
        #expect(error { $0.pools = pool(TestChain.pairID) })
        #expect(error { $0.pools = pool(PoolID(TestChain.dai, TestChain.weth, .v3(fee: 501))) })
        #expect(error { $0.pools = pool(PoolID(TestChain.dai, .zero, .v3(fee: 500))) })
        #expect(error { $0.pools = pool(price: 5) })
        #expect(error { $0.pools = pool(price: .max) })
        #expect(error { $0.pools = pool(price: 0) })
        #expect(error { $0.pools = pool(ticks: (60, -60)) })
        #expect(error { $0.pools = pool(ticks: (-61, 60)) })
        #expect(error { $0.pools = pool(ticks: (0, 887_280)) })
        #expect(error { $0.pools = pool(cardinality: 0) })
        #expect(error { $0.pools = pool() + pool() })
        #expect(
            error {
                $0.pairs = [GenesisPair(pool: TestChain.pairID, reserve0: 0, reserve1: 1)]
            }
        )
        #expect(
            error {
                $0.pairs = [
                    GenesisPair(
                        pool: TestChain.pairID,
                        reserve0: 1,
                        reserve1: UInt256(UInt128(1) << 112)
                    )
                ]
            }
        )
    }
}
