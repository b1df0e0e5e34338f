import DexSandbox
package import Ethereum
package import Uniswap

/// Uniswap's contracts and pools in the sandbox: of each pair of the market a v2 pair, and v3 pools
/// of one range of liquidity.
///
/// Pairs and pools of 0.3 % are mostly at the middle of the book, whose spread is narrower: they are
/// for large trades. Others are beside the middle by less than their fee, so one side of a small
/// trade is better there than at the book, and the other one at the book:
///
/// | trade | better at the pool, while it is small |
/// |---|---|
/// | ZRX sold for WETH | 0.05 % |
/// | DAI bought for WETH | 0.05 % |
/// | WETH sold for USDC | 0.05 % |
/// | MKR bought for WETH | 0.3 % |
/// | LINK sold for WETH | 0.3 % |
package enum SandboxUniswap {
    /// The contracts of a sandbox's chain: factories, quoter and router at mainnet's addresses.
    package static func deployment(
        chainID: UInt64 = SandboxTokens.chainID
    ) -> UniswapDeployment {
        GenesisUniswap.deployment(
            chainID: chainID,
            hubs: [SandboxTokens.usdc.address, SandboxTokens.dai.address]
        )
    }

    /// The contracts with their pools at the start.
    static func genesis(chainID: UInt64 = SandboxTokens.chainID) -> GenesisUniswap {
        GenesisUniswap(deployment: deployment(chainID: chainID), pairs: pairs, pools: pools)
    }

    /// A pool in the order of the market's pairs, the v2 pair first.
    package struct Listing: Sendable {
        /// `ZRX/WETH`.
        package let pair: String
        package let id: PoolID
        package let address: Address
    }

    /// Every pool, with its pair.
    package static let listed: [Listing] = MarketPair.all.flatMap { pair in
        let tokens = Set([pair.base.address, pair.quote.address])
        return (pairs.map(\.pool) + pools.map(\.pool))
            .filter { Set([$0.token0, $0.token1]) == tokens }
            .map { pool in
                Listing(
                    pair: "\(pair.base.symbol)/\(pair.quote.symbol)",
                    id: pool,
                    address: deployment().address(of: pool)
                )
            }
    }

    /// In whole tokens of 18 decimals, and dollars of 6.
    private static let pairs: [GenesisPair] = [
        pair((SandboxTokens.weth, 3_750), (SandboxTokens.zrx, 5_000_000)),
        pair((SandboxTokens.dai, 2_000_000), (SandboxTokens.weth, 800)),
        pair((SandboxTokens.usdc, 5_000_000), (SandboxTokens.weth, 2_000)),
        pair((SandboxTokens.mkr, 5_000), (SandboxTokens.weth, 3_100)),
        pair((SandboxTokens.link, 150_000), (SandboxTokens.weth, 825)),
    ].compactMap { $0 }

    /// Each with some 10 % of the price on both sides of its own; liquidity in thousandths.
    private static let pools: [GenesisRangePool] = [
        pool(SandboxTokens.zrx, 500, 71_951, 70_950...72_960, 556_000_000, kept: 128),
        pool(SandboxTokens.zrx, 3_000, 71_958, 70_920...72_960, 1_500_000_000, kept: 128),
        pool(SandboxTokens.dai, 500, -78_248, (-79_250)...(-77_240), 1_535_000_000),
        pool(SandboxTokens.usdc, 500, 198_077, 197_070...199_080, 2_037, kept: 128),
        pool(SandboxTokens.usdc, 3_000, 198_080, 197_040...199_080, 3_947),
        pool(SandboxTokens.mkr, 3_000, -4_801, (-5_820)...(-3_780), 12_800_000),
        pool(SandboxTokens.link, 3_000, -52_007, (-53_040)...(-51_000), 133_800_000),
    ].compactMap { $0 }

    private static func pair(
        _ first: (token: TokenDefinition, amount: UInt64),
        _ second: (token: TokenDefinition, amount: UInt64)
    ) -> GenesisPair? {
        // nil: a token with itself
        PoolID(first.token.address, second.token.address, .v2).map { pool in
            func reserve(_ address: Address) -> UInt256 {
                let side = first.token.address == address ? first : second
                return side.token.units(side.amount)
            }
            return GenesisPair(
                pool: pool,
                reserve0: reserve(pool.token0),
                reserve1: reserve(pool.token1)
            )
        }
    }

    private static func pool(
        _ token: TokenDefinition,
        _ fee: UInt32,
        _ tick: Int32,
        _ range: ClosedRange<Int32>,
        _ liquidity: UInt128,
        kept: UInt16 = 1
    ) -> GenesisRangePool? {
        guard let id = PoolID(token.address, SandboxTokens.weth.address, .v3(fee: fee)),
            let price = TickMath.price(tick)
        else { return nil }
        return GenesisRangePool(
            pool: id,
            price: price,
            lower: range.lowerBound,
            upper: range.upperBound,
            liquidity: liquidity * 1_000_000_000_000_000,
            cardinality: kept
        )
    }
}
