import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A chain with pools of ZRX and WETH whose node answers with the logs that a test wrote.
struct PoolMarketScene {
    let market: TestMarket
    let store = TemporaryJournal()
    let hasExchange: Bool
    /// The pools that the factories have.
    let pools: [PoolID]

    static let deployment = UniswapDeployment(
        chainID: 1337,
        v2Factory: address(0xf2),
        v2Router: address(0x72),
        v3Factory: address(0xf3),
        quoter: address(0x90),
        router: address(0x70),
        lens: address(0x1e),
        wrapped: TestMarket.weth,
        hubs: [TestMarket.usdc]
    )

    static func address(_ number: UInt64) -> Address { Address(truncating: UInt256(number).word) }

    static func pool(_ kind: PoolKind) throws -> PoolID {
        try #require(PoolID(TestMarket.zrx, TestMarket.weth, kind))
    }

    /// - Parameter kinds: of the pools of ZRX and WETH that exist.
    init(
        _ kinds: [PoolKind] = [.v3(fee: 500)],
        hasExchange: Bool = false,
        blocks: UInt64 = 1_000
    ) throws {
        market = try TestMarket()
        self.hasExchange = hasExchange
        pools = try kinds.map(Self.pool)
        let known = pools
        market.chain.set { state in
            for number: UInt64 in 0...blocks {
                state.blocks[number] = TestMarket.block(number, timestamp: TestMarket.now + number)
            }
            state.logs = { _ in .success([]) }
            state.onCall = { call, _ in
                if let spacing = UniswapDeployment.tickSpacingAnswer(call.data) {
                    return .success(spacing)
                }
                let pool = known.first { ContractRead.pool($0).data == call.data }
                let found = pool.map { Self.deployment.address(of: $0) } ?? .zero
                return .success(found.word.bytes)
            }
        }
    }

    func session() throws -> Session {
        var session = try market.session(withRelay: false)
        session.network.pools = Self.deployment
        if !hasExchange { session.network.exchange = .zero }
        return session
    }

    func sync() throws -> MarketSync {
        MarketSync(session: try session(), journal: store.journal)
    }

    /// The blocks whose logs are kept of the pools.
    func kept() throws -> [KeptRange] {
        let contracts = pools.map { (Self.deployment.address(of: $0), $0) }
        let sources = MarketSources(
            hasExchange: false,
            pools: Dictionary(contracts) { first, _ in first }
        )
        return try store.journal.eventRanges(
            covering: sources.parts(try session()),
            touching: 0...2_000
        ).map(\.range)
    }

    func trades(since: UInt64 = TestMarket.now) async throws -> [TapeTrade] {
        try await TradesModel(session: try session(), journal: store.journal)
            .load(pairText: "ZRX/WETH", since: since).rows.reversed()
    }

    // MARK: Logs

    /// ZRX per WETH at a square root of the price of token 1 in token 0 of 1.
    static let evenPrice: UInt256 = 1 << 96

    /// A swap of so much ZRX for so much WETH.
    static func swap(
        _ kind: PoolKind = .v3(fee: 500),
        sells: Bool = false,
        zrx: UInt256,
        weth: UInt256,
        sqrtPrice: UInt256 = evenPrice,
        in market: Address? = nil
    ) throws -> Log {
        let pool = try pool(kind)
        let isZRXFirst = pool.token0 == TestMarket.zrx
        let (amount0, amount1) = isZRXFirst ? (zrx, weth) : (weth, zrx)
        // Into the pool is what the taker sells.
        let isFirstIn = isZRXFirst == sells
        let topics = [address(0x70).word, address(0xa11ce).word]
        let contract = market ?? deployment.address(of: pool)
        switch kind {
        case .v2:
            return Log(
                address: contract,
                topics: [PoolEvent.Topic.swapV2] + topics,
                data: [
                    isFirstIn ? amount0 : 0, isFirstIn ? 0 : amount1, isFirstIn ? 0 : amount0,
                    isFirstIn ? amount1 : 0,
                ].flatMap(\.bigEndianBytes)
            )
        case .v3:
            return Log(
                address: contract,
                topics: [PoolEvent.Topic.swapV3] + topics,
                data: [
                    isFirstIn ? amount0 : 0 &- amount0, isFirstIn ? 0 &- amount1 : amount1,
                    sqrtPrice, 1_000, 0,
                ].flatMap(\.bigEndianBytes)
            )
        }
    }

    /// A v2 pair's reserves of ZRX and WETH.
    static func sync(zrx: UInt256, weth: UInt256) throws -> Log {
        let pool = try pool(.v2)
        let reserves = pool.token0 == TestMarket.zrx ? [zrx, weth] : [weth, zrx]
        return Log(
            address: deployment.address(of: pool),
            topics: [PoolEvent.Topic.sync],
            data: reserves.flatMap(\.bigEndianBytes)
        )
    }

    @discardableResult
    func mine(
        _ logs: [Log],
        block: UInt64,
        fork: UInt64 = 0,
        firstIndex: UInt64 = 0,
        by sender: Address = address(0xa11ce)
    ) -> TransactionHash {
        market.mine(logs, by: sender, block: block, fork: fork, firstIndex: firstIndex)
    }

    /// Changes what the node answers.
    func lie(_ change: @escaping @Sendable ([Log], LogFilter) -> [Log]) {
        market.chain.set { state in
            let before = state.logs
            state.logs = { filter in
                .success(change((try? before?(filter).get()) ?? [], filter))
            }
        }
    }

    /// The ranges of blocks whose logs were asked for since a round.
    func asked(since round: Int) -> [ClosedRange<UInt64>] {
        market.chain.rounds.dropFirst(round).flatMap { $0 }.compactMap { read in
            guard case .logs(let filter) = read, case .number(let first) = filter.fromBlock,
                case .number(let last) = filter.toBlock
            else { return nil }
            return first...last
        }
    }

    /// The headers that were asked for since a round.
    func headers(since round: Int) -> Int {
        market.chain.rounds.dropFirst(round).flatMap { $0 }.count { read in
            if case .block(.number) = read { true } else { false }
        }
    }
}

extension Log {
    /// The same with some parts in place of its own.
    func replacing(
        address: Address? = nil,
        data: [UInt8]? = nil,
        block: UInt64?? = nil,
        hash: BlockHash? = nil,
        index: UInt64? = nil,
        time: UInt64? = nil
    ) -> Log {
        Log(
            address: address ?? self.address,
            topics: topics,
            data: data ?? self.data,
            blockNumber: block ?? blockNumber,
            blockHash: hash ?? blockHash,
            transactionHash: transactionHash,
            logIndex: index ?? logIndex,
            blockTimestamp: time ?? blockTimestamp
        )
    }
}
