import DexStore
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// `dex activity` at a node that has dropped old data.
@Suite("The activity of an account at a pruned node")
struct PrunedActivityTests: ActivityScene {
    let ether: EtherStage

    init() throws {
        ether = try EtherStage()
        for number: UInt64 in 0...100 { ether.mine(number) }
    }

    enum Pruning: CaseIterable {
        /// eth_getLogs fails.
        case logs
        /// The block is null.
        case blocks
        /// Logs are empty, as receipts are gone.
        case receipts
    }

    @Test(
        "a node without old blocks: the first one that it knows is named",
        arguments: Pruning.allCases
    )
    func pruned(how: Pruning) async throws {
        for number: UInt64 in 101...300 {
            mine(
                number,
                [EtherStage.Payment(number: 9_000 + number, from: other, to: other, value: 1)]
            )
        }
        mine(150, [ether.incoming(1, 6)])
        mine(250, [ether.incoming(2, 7)])
        stage.market.chain.set { chain in
            let logs = chain.logs
            chain.logs = { filter in
                guard case .number(let first) = filter.fromBlock else { return .success([]) }
                if first < 200, how == .logs {
                    return .failure(.rpc(code: 4_444, message: "pruned history unavailable"))
                }
                return logs?(filter) ?? .success([])
            }
            for number: UInt64 in 0..<200 {
                if how == .blocks, number > 0 {
                    chain.blocks[number] = nil
                    chain.fullBlocks[number] = nil
                }
                guard how == .receipts else { continue }
                for transaction in chain.fullBlocks[number]?.transactions ?? [] {
                    chain.receipts[transaction.hash] = .some(nil)
                }
            }
        }
        let state = try await load(since: TestMarket.now + 170)
        #expect(state.firstKnown == 200)
        #expect(state.warnings.contains { $0.contains("first block that the node knows is 200") })
        #expect(words(state) == ["received 7 ETH"])
        let place = ActivityPlace(chainID: 1337, account: account)
        #expect(try stage.store.journal.activityRanges(place).map(\.blocks) == [200...300])
    }

    @Test("a node without old states: ether is complete from a block on, and stays once read")
    func stateless() async throws {
        for number: UInt64 in 101...600 { ether.mine(number) }
        mine(200, [ether.incoming(1, 7)])
        mine(590, [ether.incoming(2, 9)])
        mine(
            300,
            [EtherStage.Payment(number: 3, from: other, to: TestMarket.zrx, value: 0)],
            logs: [stage.transfer(from: other, to: account, 8)]
        )
        let floor = Recorder()
        floor.append(470)
        stage.market.chain.set { chain in
            let holdings = chain.holdings
            chain.holdings = { owner, block in
                guard block > UInt64(floor.values.last ?? 0) else {
                    return .failure(.rpc(code: -32_000, message: "missing trie node"))
                }
                return holdings?(owner, block) ?? .failure(.nonsense("none"))
            }
        }
        let state = try await load()
        #expect(words(state) == ["received 9 ETH", "received 8 ZRX"])
        #expect(state.etherFrom == 472)
        #expect(state.warnings.contains { $0.contains("missing trie node") })
        // The state of what was read is gone later, and the row stays.
        floor.append(595)
        let later = try await load()
        #expect(words(later) == words(state) && later.etherFrom == 472)
        // Another node has all of it.
        floor.append(0)
        stage.market.chain.set { chain in
            let holdings = chain.holdings
            chain.holdings = { owner, block in
                block == 0
                    ? .success(.init(ether: 10, nonce: 0))
                    : holdings?(owner, block)
                        ?? .failure(.nonsense("none"))
            }
        }
        let full = try await load(since: TestMarket.now + 150)
        #expect(words(full).contains("received 7 ETH") && full.etherFrom == nil)
    }
}
