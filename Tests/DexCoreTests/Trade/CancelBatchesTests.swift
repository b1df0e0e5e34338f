import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Cancels of many orders")
struct CancelBatchesTests {
    private static func block(gasLimit: UInt64, time: UInt64 = TestMarket.now) -> Block {
        Block(
            number: 1,
            hash: TestMarket.blockHash(1),
            parentHash: TestMarket.blockHash(0),
            timestamp: time,
            baseFeePerGas: nil,
            gasLimit: gasLimit,
            gasUsed: 0
        )
    }

    private func batches(
        _ count: Int,
        gasLimit: UInt64,
        chain: UInt64? = nil,
        time: UInt64 = TestMarket.now
    ) async throws -> [[any SignedOrder]] {
        let market = try TestMarket()
        let order = try await market.ask(by: market.trader, "1", for: "1")
        var rules = FeeRules()
        rules.chain = chain
        return CancelBatches(exchangeProtocol: market.protocolV1, rules: rules).batches(
            Array(repeating: order, count: count),
            contracts: TestMarket.contracts,
            block: Self.block(gasLimit: gasLimit, time: time)
        )
    }

    @Test(
        "they are cut by what a block and a node take, as evenly as can be",
        arguments: [
            // One order takes 55,639 gas alone, and 34,645 more for each of several.
            (1, 30_000_000, [1]), (2, 30_000_000, [2]), (300, 30_000_000, [300]),
            // 384 bytes of call data each: 127 KiB hold 338 of them.
            (338, 30_000_000, [338]), (339, 30_000_000, [170, 169]),
            (1_000, 30_000_000, [334, 334, 332]), (10, 200_000, [4, 4, 2]),
            (3, 60_000, [1, 1, 1]), (2, 1, [1, 1]), (5, 40_000_000_000, [5]),
        ] as [(Int, UInt64, [Int])]
    )
    func cut(count: Int, gasLimit: UInt64, sizes: [Int]) async throws {
        let batches = try await batches(count, gasLimit: gasLimit)
        #expect(batches.map(\.count) == sizes)
        let warnings = CancelBatches.warnings(batches)
        #expect(warnings.count == (sizes.count > 1 ? 1 : 0))
        if sizes.count > 1 {
            #expect(
                warnings.first
                    == "\(count) orders are too many for one transaction: they are cancelled in "
                    + "\(sizes.count), one after another, and until the last is mined the rest "
                    + "can still be filled."
            )
        }
    }

    @Test("where state is dearer, fewer fit")
    func amsterdam() async throws {
        let sizes = try await batches(
            300,
            gasLimit: 60_000_000,
            chain: 11_155_111,
            time: 1_791_294_816
        ).map(\.count)
        // Each cancel writes a word that was zero: 87,920 gas more than before.
        #expect(sizes == [100, 100, 100])
    }

    @Test("no batch is above 16,777,216 gas, however much a block holds")
    func maximumGas() async throws {
        let market = try TestMarket()
        for batch in try await batches(2_000, gasLimit: 1_000_000_000) {
            let call = market.protocolV1.cancelCall(batch, contracts: TestMarket.contracts)
            #expect(call.gasFloor.measured * 11 / 10 <= 16_777_216)
            #expect(call.data.count <= 127 * 1_024)
        }
    }
}
