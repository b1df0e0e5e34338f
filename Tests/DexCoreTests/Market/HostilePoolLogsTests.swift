import DexStore
import Ethereum
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A node that lies about the events of pools: nothing false is kept, and what cannot be is said.
@Suite("Events of pools from a hostile node")
struct HostilePoolLogsTests {
    private func scene() throws -> PoolMarketScene {
        let scene = try PoolMarketScene([.v3(fee: 500), .v2])
        for block: UInt64 in [300, 950] {
            scene.mine(
                [try PoolMarketScene.swap(zrx: 10, weth: 1), try swap(20)],
                block: block
            )
        }
        return scene
    }

    private func swap(_ zrx: UInt256, in market: Address? = nil) throws -> Log {
        try PoolMarketScene.swap(zrx: zrx, weth: 1, in: market)
    }

    private func fails(
        _ scene: PoolMarketScene,
        _ code: String,
        _ words: String = ""
    ) async throws {
        await #expect {
            _ = try await scene.trades()
        } throws: { error in
            let error = error as? DexError
            return error?.code == code && error?.message.contains(words) == true
        }
        #expect(try scene.kept().isEmpty)
    }

    @Test("other contracts with the same event are no pools: forks, an ERC-721, a wrong address")
    func foreign() async throws {
        let scene = try scene()
        let fork = try swap(7, in: PoolMarketScene.address(0xf0))
        scene.lie { logs, filter in
            logs + logs.map { fork.placed(like: $0) }
        }
        let rows = try await scene.trades()
        #expect(rows.map(\.base) == [10, 20, 10, 20])
        // The factory names another address than the tokens and the fee give.
        let liar = try self.scene()
        liar.market.chain.set { $0.onCall = { _, _ in .success(fork.address.word.bytes) } }
        #expect(try await liar.trades().isEmpty)
    }

    @Test("repeated and disordered events are read once, in their order")
    func repeated() async throws {
        let scene = try scene()
        scene.lie { logs, _ in (logs + logs).reversed() }
        let rows = try await scene.trades()
        #expect(rows.map(\.base) == [10, 20, 10, 20])
        #expect(rows.map(\.fill.block) == [300, 300, 950, 950])
    }

    @Test("two events at one place are none of a chain")
    func contradiction() async throws {
        let scene = try scene()
        scene.lie { logs, _ in
            logs + logs.map { $0.replacing(data: Array($0.data.dropLast()) + [1]) }
        }
        try await fails(scene, "node-nonsense", "two events at one place")
    }

    @Test("events beyond the asked blocks, or without a place, are refused")
    func beyond() async throws {
        let late = try scene()
        late.lie { logs, _ in logs.map { $0.replacing(block: 2_000) } }
        try await fails(late, "node-nonsense", "blocks that were not asked for")
        let pending = try scene()
        pending.lie { logs, _ in logs.map { $0.replacing(block: .some(nil)) } }
        try await fails(pending, "node-nonsense", "without its place")
    }

    @Test("what no pool emits is refused: garbage, and another kind of pool's event")
    func garbage() async throws {
        let short = try scene()
        short.lie { logs, _ in logs.map { $0.replacing(data: Array($0.data.dropLast())) } }
        try await fails(short, "node-nonsense", "that no pool emits")
        let tick = try scene()
        let beyond = UInt256(900_000).bigEndianBytes
        tick.lie { logs, _ in
            logs.map { $0.replacing(data: Array($0.data.dropLast(32)) + beyond) }
        }
        try await fails(tick, "node-nonsense", "that no pool emits")
        let other = try scene()
        let pair = PoolMarketScene.deployment.address(of: other.pools[1])
        other.lie { logs, _ in logs.map { $0.replacing(address: pair) } }
        try await fails(other, "node-nonsense", "that no pool emits")
    }

    @Test("a block that changed while its events were read, and two blocks of one number")
    func changed() async throws {
        let old = TestMarket.blockHash(950, fork: 9)
        let tail = try scene()
        tail.lie { logs, _ in
            logs.map { $0.blockNumber == 950 ? $0.replacing(hash: old) : $0 }
        }
        await #expect {
            _ = try await tail.trades()
        } throws: {
            ($0 as? DexError)?.code == "reorganized"
        }
        let deep = try scene()
        deep.lie { logs, _ in logs.map { $0.replacing(hash: old) } }
        try await fails(deep, "reorganized")
        let split = try scene()
        split.lie { logs, _ in
            logs.map { $0.logIndex == 1 ? $0.replacing(hash: old) : $0 }
        }
        try await fails(split, "reorganized")
    }

    @Test("a swap of nothing, or of both tokens one way, is no trade and no error")
    func noTrade() async throws {
        let scene = try PoolMarketScene()
        scene.mine(
            [
                try PoolMarketScene.swap(zrx: 0, weth: 1),
                try PoolMarketScene.swap(zrx: 1, weth: 0),
                try PoolMarketScene.swap(zrx: 0, weth: 0), try swap(5),
            ],
            block: 500
        )
        #expect(try await scene.trades().map(\.base) == [5])
    }

    @Test("absurd amounts are summed up to the most that there is")
    func absurd() async throws {
        let scene = try PoolMarketScene()
        let maximum = UInt256.max >> 1
        scene.mine(
            [
                try PoolMarketScene.swap(zrx: maximum, weth: maximum), try swap(maximum),
                try swap(maximum),
            ],
            block: 500
        )
        let state = try await TradesModel(
            session: try scene.session(),
            journal: scene.store.journal
        ).load(pairText: "ZRX/WETH")
        #expect(state.summary.base == .max && state.rows.count == 3)
        let candle = try #require(Candles.make(state.rows.reversed(), interval: 60).first)
        #expect(candle.base == .max && candle.weighted == nil && candle.prices != nil)
    }

    @Test("a node that refuses long answers is asked for less")
    func tooMany() async throws {
        let scene = try scene()
        scene.market.chain.set { state in
            let logs = state.logs
            state.logs = { filter in
                guard case .number(let first) = filter.fromBlock,
                    case .number(let last) = filter.toBlock, last - first < 200
                else { return .failure(.rpc(code: -32_005, message: "too many results")) }
                return logs?(filter) ?? .success([])
            }
        }
        #expect(try await scene.trades().count == 4)
    }
}

extension Log {
    /// At the place after another one.
    fileprivate func placed(like other: Log) -> Log {
        Log(
            address: address,
            topics: topics,
            data: data,
            blockNumber: other.blockNumber,
            blockHash: other.blockHash,
            transactionHash: other.transactionHash,
            logIndex: other.logIndex.map { $0 + 100 }
        )
    }
}
