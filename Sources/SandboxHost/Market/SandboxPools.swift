import DexSandbox
import Ethereum

/// The stand-in pools of the sandbox's swap venue, one for each pair of the market.
///
/// Three are deep at the middle of the market: small trades are better at the book with its narrow
/// spread, large ones at the pool. The other two are shallow, and 1 % beside the middle: small
/// trades in the good direction are better at the pool, large ones at the book.
///
/// The border depends on the seed, since the books do; without gas it is here on v4:
///
/// | trade | better at the pool |
/// |---|---|
/// | ZRX bought for WETH | up to 2,000 ZRX |
/// | DAI bought for WETH | from 10,000 to 28,000 DAI on |
/// | WETH bought for USDC | from 15 to 20 WETH on |
/// | WETH bought for MKR | up to 1.1 to 1.3 WETH |
/// | LINK bought for WETH | from 560 to 1,270 LINK on |
enum SandboxPools {
    static let all: [GenesisPool] = [
        pool(
            1,
            (SandboxTokens.zrx, 250_000_000_000_000_000_000_000),
            (SandboxTokens.weth, 185_625_000_000_000_000_000)
        ),
        pool(
            2,
            (SandboxTokens.weth, 8_000_000_000_000_000_000_000),
            (SandboxTokens.dai, 20_000_000_000_000_000_000_000_000)
        ),
        pool(
            3,
            (SandboxTokens.weth, 20_000_000_000_000_000_000_000),
            (SandboxTokens.usdc, 50_000_000_000_000)
        ),
        pool(
            4,
            (SandboxTokens.mkr, 200_000_000_000_000_000_000),
            (SandboxTokens.weth, 125_240_000_000_000_000_000)
        ),
        pool(
            5,
            (SandboxTokens.link, 1_500_000_000_000_000_000_000_000),
            (SandboxTokens.weth, 8_250_000_000_000_000_000_000)
        ),
    ]

    private static func pool(
        _ number: UInt64,
        _ first: (token: TokenDefinition, reserve: UInt256),
        _ second: (token: TokenDefinition, reserve: UInt256)
    ) -> GenesisPool {
        GenesisPool(
            address: GenesisSwap.pool(number),
            first: GenesisPool.Side(token: first.token.address, reserve: first.reserve),
            second: GenesisPool.Side(token: second.token.address, reserve: second.reserve)
        )
    }
}
