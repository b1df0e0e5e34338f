import DexSandbox
import Ethereum

/// The stand-in pools of the sandbox's swap venue, one for each pair of the market.
///
/// All are deep and at the middle of the market, and keep 0.3 % of an input: a first, small trade is
/// better at the book with its narrow spread, a large one at the pool.
///
/// The border depends on the seed, since the books do; without gas it is here on v4:
///
/// | trade | better at the pool from |
/// |---|---|
/// | ZRX bought for WETH | 10,000 to 18,000 ZRX on |
/// | DAI bought for WETH | 10,000 to 28,000 DAI on |
/// | WETH bought for USDC | 15 to 20 WETH on |
/// | WETH bought for MKR | 2 to 12 WETH on |
/// | LINK bought for WETH | 560 to 1,270 LINK on |
enum SandboxPools {
    static let all: [GenesisPool] = [
        pool(1, (SandboxTokens.zrx, 50_000_000), (SandboxTokens.weth, 37_500)),
        pool(2, (SandboxTokens.weth, 8_000), (SandboxTokens.dai, 20_000_000)),
        pool(3, (SandboxTokens.weth, 20_000), (SandboxTokens.usdc, 50_000_000)),
        pool(4, (SandboxTokens.mkr, 50_000), (SandboxTokens.weth, 31_000)),
        pool(5, (SandboxTokens.link, 1_500_000), (SandboxTokens.weth, 8_250)),
    ]

    /// - Parameters: reserves in whole tokens.
    private static func pool(
        _ number: UInt64,
        _ first: (token: TokenDefinition, reserve: UInt64),
        _ second: (token: TokenDefinition, reserve: UInt64)
    ) -> GenesisPool {
        let sides = [first, second].map { side in
            GenesisPool.Side(token: side.token.address, reserve: side.token.units(side.reserve))
        }
        return GenesisPool(address: GenesisSwap.pool(number), first: sides[0], second: sides[1])
    }
}
