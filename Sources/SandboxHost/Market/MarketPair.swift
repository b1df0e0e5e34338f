import DexRelay
import DexSandbox
import Ethereum

/// A pair of the sandbox's market and the shape of its book.
struct MarketPair: Sendable {
    let base: TokenDefinition
    let quote: TokenDefinition
    /// The middle of the book: quote base units for one whole base token.
    let mid: UInt64
    /// Prices are multiples of it.
    let tick: UInt64
    /// Amounts are multiples of it, in base units of the base token.
    let lot: UInt256
    /// The distance of the best bid and the best ask from the middle, in millionths.
    let halfSpread: UInt64
    /// The fees of its v1 orders, in ZRX.
    var fees = FeeSchedule.Rule.free
    /// The taker's fee of its v4 orders, in millionths of the taker's payment.
    var takerShare: UInt64 = 0

    /// The distance of the book's worst price from its best, in millionths.
    static let reach: UInt64 = 38_000

    var direction: PairDirection {
        PairDirection(makerToken: base.address, takerToken: quote.address)
    }

    /// Quote base units for an amount of base; exact for every multiple of the lot.
    func quoteAmount(_ baseAmount: UInt256, price: UInt64) -> UInt256 {
        var scale: UInt256 = 1
        for _ in 0..<base.decimals { scale = scale * 10 }
        return UInt256.mulDiv(baseAmount, UInt256(price), scale)?.quotient ?? .zero
    }

    /// The pairs of the sandbox, with ether at a price of 2500 dollars.
    static let all: [MarketPair] = [
        MarketPair(
            base: SandboxTokens.zrx,
            quote: SandboxTokens.weth,
            mid: 750_000_000_000_000,
            tick: 10_000_000_000,
            lot: 10_000_000_000_000_000_000,
            halfSpread: 650
        ),
        MarketPair(
            base: SandboxTokens.dai,
            quote: SandboxTokens.weth,
            mid: 400_000_000_000_000,
            tick: 10_000_000_000,
            lot: 20_000_000_000_000_000_000,
            halfSpread: 300,
            fees: FeeSchedule.Rule(makerFee: 0, takerFee: 100_000_000_000_000_000),
            takerShare: 250
        ),
        MarketPair(
            base: SandboxTokens.mkr,
            quote: SandboxTokens.weth,
            mid: 620_000_000_000_000_000,
            tick: 10_000_000_000_000,
            lot: 10_000_000_000_000_000,
            halfSpread: 1_500,
            fees: FeeSchedule.Rule(
                makerFee: 50_000_000_000_000_000,
                takerFee: 200_000_000_000_000_000
            ),
            takerShare: 500
        ),
        MarketPair(
            base: SandboxTokens.link,
            quote: SandboxTokens.weth,
            mid: 5_500_000_000_000_000,
            tick: 100_000_000_000,
            lot: 1_000_000_000_000_000_000,
            halfSpread: 900
        ),
        MarketPair(
            base: SandboxTokens.weth,
            quote: SandboxTokens.usdc,
            mid: 2_500_000_000,
            tick: 10_000,
            lot: 10_000_000_000_000_000,
            halfSpread: 250
        ),
    ]
}
