import Ethereum
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// A node whose chain has Uniswap's contracts, and pools with the states that a test gives them.
///
/// The quoter answers what the exact math of the states gives: the whole liquidity of a v3 pool is
/// one range.
final class FakePools: Sendable {
    static let weth = address(0xee)
    static let base = address(0xaa)
    static let quote = address(0xbb)
    static let hub = address(0xcc)
    static let account = address(0xa11ce)
    static let now: UInt64 = 1_790_000_000

    let deployment: UniswapDeployment
    let chain = FakeChain()
    let depths: [PoolID: PoolDepth]

    /// - Parameters:
    ///   - tokens: the two that the quoter is asked about.
    ///   - v2Router: of a chain whose SwapRouter02 knows another v2 factory; nil for one whose
    ///     SwapRouter02 reaches the pairs.
    init(
        _ depths: [PoolID: PoolDepth],
        tokens: (Address, Address) = (base, quote),
        v2Router: Address? = nil
    ) {
        self.depths = depths
        deployment = UniswapDeployment(
            chainID: 1,
            v2Factory: Self.address(0xf2),
            v2Router: v2Router,
            v3Factory: Self.address(0xf3),
            quoter: Self.address(0x90),
            router: Self.address(0x70),
            lens: Self.address(0x1e),
            wrapped: Self.weth,
            hubs: [Self.hub]
        )
        let deployment = deployment
        chain.set { state in
            state.chainID = 1
            // Readings look at the block before as well.
            state.blocks[99] = TestMarket.block(99, timestamp: Self.now - 12)
            state.blocks[100] = TestMarket.block(100, timestamp: Self.now)
            state.gasPrice = .success(Wei(1_000_000_000))
            state.onCall = { call, _ in .success(Self.answer(call, deployment, depths, tokens)) }
        }
    }

    static func address(_ number: UInt64) -> Address { Address(truncating: UInt256(number).word) }

    func source(known: Set<Address> = [base, quote]) -> PoolSource {
        PoolSource(
            deployment,
            chain: chain,
            isKnown: { known.contains($0) || $0 == Self.weth },
            now: { Self.now }
        )
    }

    static func request(
        _ amount: SwapAmount,
        sell: SwapAsset = .token(base),
        buy: SwapAsset = .token(quote),
        taker: Address? = account,
        spender: Address? = nil
    ) -> SwapRequest {
        SwapRequest(
            chainID: 1,
            sell: sell,
            buy: buy,
            amount: amount,
            taker: taker,
            slippage: 5_000,
            spender: spender
        )
    }

    // MARK: States

    static func pair(_ reserve0: UInt256, _ reserve1: UInt256) -> PoolDepth? {
        PairState(reserve0: reserve0, reserve1: reserve1).map { .v2($0) }
    }

    /// A pool of one range from tick -600,000 to 600,000.
    static func pool(fee: UInt32, tick: Int32, liquidity: UInt128) throws -> PoolDepth {
        let spacing = UniswapDeployment.spacing(fee: fee) ?? 60
        let ticks = [
            InitialisedTick(tick: -600_000, liquidityNet: Int128(liquidity)),
            InitialisedTick(tick: 600_000, liquidityNet: -Int128(liquidity)),
        ]
        return .v3(
            try PoolState(
                sqrtPrice: TickMath.price(tick) ?? .zero,
                tick: tick,
                liquidity: liquidity,
                fee: fee,
                tickSpacing: spacing,
                words: TickBitmap.words(spacing: spacing),
                ticks: ticks
            )
        )
    }

    // MARK: Contracts

    private static func words(_ values: UInt256...) -> [UInt8] { values.flatMap(\.word.bytes) }

    private static func answer(
        _ call: CallRequest,
        _ deployment: UniswapDeployment,
        _ depths: [PoolID: PoolDepth],
        _ tokens: (Address, Address)
    ) -> [UInt8] {
        let data = call.data
        switch call.to {
        case deployment.router, deployment.quoter:
            if data == ContractRead<Address>.factory.data { return deployment.v3Factory.word.bytes }
            if data == ContractRead<Address>.factoryV2.data {
                return (deployment.v2Router == nil ? deployment.v2Factory : .zero).word.bytes
            }
            if data == ContractRead<Address>.wrapped.data { return weth.word.bytes }
            return quoted(data, depths, tokens)
        case deployment.lens:
            return ticks(data, deployment, depths)
        case deployment.v2Router:
            if data == ContractRead<Address>.factory.data { return deployment.v2Factory.word.bytes }
            return data == ContractRead<Address>.wrappedByV2.data ? weth.word.bytes : []
        case deployment.v2Factory, deployment.v3Factory:
            if let spacing = UniswapDeployment.tickSpacingAnswer(data) { return spacing }
            let pool = depths.keys.first { ContractRead.pool($0).data == data }
            return (pool.map { deployment.address(of: $0) } ?? .zero).word.bytes
        case base, quote, hub, weth:
            for (pool, depth) in depths
            where data == ERC20.balanceOf(deployment.address(of: pool)) {
                return holding(call.to, pool, depth).word.bytes
            }
            return []
        default:
            guard
                let (_, depth) = depths.first(where: { deployment.address(of: $0.key) == call.to })
            else { return [] }
            return state(depth, data)
        }
    }

    /// What a pool has of one of its tokens, with all of its liquidity in its one range.
    static func holding(_ token: Address, _ pool: PoolID, _ depth: PoolDepth) -> UInt256 {
        switch depth {
        case .v2(let pair): return pool.token0 == token ? pair.reserve0 : pair.reserve1
        case .v3(let state):
            let edge = TickMath.price(pool.token0 == token ? 600_000 : -600_000) ?? .zero
            let amount = pool.token0 == token ? SqrtPriceMath.amount0 : SqrtPriceMath.amount1
            return amount(state.sqrtPrice, edge, state.liquidity, true) ?? .zero
        }
    }

    private static func state(_ depth: PoolDepth, _ data: [UInt8]) -> [UInt8] {
        switch depth {
        case .v2(let pair): words(pair.reserve0, pair.reserve1, 1)
        case .v3(let pool):
            data == ContractRead<UInt128>.liquidity.data
                ? words(UInt256(pool.liquidity))
                : words(
                    pool.sqrtPrice,
                    UInt256(truncatingIfNeeded: pool.tick),
                    0,
                    1,
                    1,
                    0,
                    1
                )
        }
    }

    /// What the lens says of a word: the highest tick first.
    private static func ticks(
        _ data: [UInt8],
        _ deployment: UniswapDeployment,
        _ depths: [PoolID: PoolDepth]
    ) -> [UInt8] {
        for (pool, depth) in depths {
            guard case .v3(let state) = depth else { continue }
            let address = deployment.address(of: pool)
            for word in state.words {
                let read = ContractRead.populatedTicks(
                    of: address,
                    word: word,
                    spacing: state.tickSpacing
                )
                guard read.data == data else { continue }
                let found = state.ticks.filter {
                    TickBitmap.word(of: $0.tick, spacing: state.tickSpacing) == word
                }
                return words(32, UInt256(UInt64(found.count)))
                    + found.reversed().flatMap { tick in
                        words(
                            UInt256(truncatingIfNeeded: tick.tick),
                            UInt256(truncatingIfNeeded: tick.liquidityNet),
                            UInt256(tick.liquidityNet.magnitude)
                        )
                    }
            }
        }
        return []
    }

    /// What the quoter says; nothing where it reverts.
    private static func quoted(
        _ data: [UInt8],
        _ depths: [PoolID: PoolDepth],
        _ tokens: (Address, Address)
    ) -> [UInt8] {
        for path in paths(depths, tokens.0, tokens.1) + paths(depths, tokens.1, tokens.0) {
            for amount in amounts(in: data) {
                for amount in [PoolAmount.exactIn(amount), .exactOut(amount)] {
                    guard let call = QuoterCall(path, amount), call.data == data else { continue }
                    guard let quote = try? path.quote(amount, depths) else { return [] }
                    return answer(quote, path, amount)
                }
            }
        }
        return []
    }

    /// The words of call data that may be the amount.
    private static func amounts(in data: [UInt8]) -> [UInt256] {
        [4 + 32, 4 + 64].compactMap { start in
            data.count >= start + 32 ? UInt256(bigEndian: data[start..<start + 32]) : nil
        }
    }

    static func paths(
        _ depths: [PoolID: PoolDepth],
        _ sold: Address = base,
        _ bought: Address = quote
    ) -> [PoolPath] {
        let kinds = PoolCandidates.kinds
        let direct = kinds.compactMap { PoolPath([sold, bought], [$0]) }
        let over = [weth, hub].flatMap { middle in
            kinds.flatMap { first in
                kinds.compactMap { PoolPath([sold, middle, bought], [first, $0]) }
            }
        }
        return (direct + over).filter { $0.pools.allSatisfy { depths[$0] != nil } }
    }

    private static func answer(
        _ quote: PathQuote,
        _ path: PoolPath,
        _ amount: PoolAmount
    ) -> [UInt8] {
        let number: UInt256
        switch amount {
        case .exactIn: number = quote.amountOut
        case .exactOut: number = quote.amountIn
        }
        let price: UInt256 = 1 << 96
        guard path.pools.count > 1 else { return words(number, price, 0, 100_000) }
        return words(number, 128, 224, 200_000, 2, price, price, 2, 0, 0)
    }
}
