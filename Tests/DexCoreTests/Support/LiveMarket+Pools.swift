import DexSandbox
import DexSigning
import Ethereum
import EthereumWallet
import Testing
import Uniswap
import ZeroEx

@testable import DexCore

/// ZRX against WETH at Uniswap's pools, without a relay: 0.01 WETH for a ZRX.
extension LiveMarket {
    /// What the pools of a test are.
    struct PoolScene: Sendable {
        /// The observations that the deep pool's oracle keeps; nil for no v3 pool.
        var cardinality: UInt16? = 128
        /// There is a v2 pair of 50,000 ZRX.
        var hasPair = false
        /// There is a pool of less than 1 ZRX at a thousandth of the price.
        var hasTinyPool = false
        /// There is a pool of one cent that seems to have more liquidity than all others.
        var hasDust = false

        /// The tick of 100 ZRX for a WETH, which is token0.
        static let tick: Int32 = 46_054
        static let pool = PoolID(TestMarket.zrx, TestMarket.weth, .v3(fee: 500))
        static let tiny = PoolID(TestMarket.zrx, TestMarket.weth, .v3(fee: 10_000))
        static let pair = PoolID(TestMarket.zrx, TestMarket.weth, .v2)

        /// Each percent of the price holds about 5,000 ZRX.
        func genesis() -> GenesisUniswap {
            var uniswap = GenesisUniswap(deployment: GenesisUniswap.deployment(chainID: 1337))
            if let cardinality {
                uniswap.pools += Self.pool(
                    Self.pool,
                    Self.tick,
                    44_000...48_000,
                    100_000_000_000_000_000_000_000,
                    cardinality
                )
            }
            if hasTinyPool {
                uniswap.pools += Self.pool(
                    Self.tiny,
                    Self.tick + 69_000,
                    114_000...116_000,
                    10_000_000_000_000_000,
                    128
                )
            }
            if hasDust {
                // At the edge of a range of one spacing next to nothing is needed.
                uniswap.pools += Self.pool(
                    Self.tiny,
                    800_000,
                    800_000...800_200,
                    1_000_000_000_000_000_000_000_000_000_000,
                    1
                )
            }
            if hasPair, let pair = Self.pair {
                uniswap.pairs.append(
                    GenesisPair(
                        pool: pair,
                        reserve0: TestMarket.units("500"),
                        reserve1: TestMarket.units("50000")
                    )
                )
            }
            return uniswap
        }

        /// The router may take what they have.
        static func allowances(
            of owners: [Address],
            _ pools: GenesisUniswap?
        ) -> [GenesisAllowance] {
            guard let router = pools?.deployment.router else { return [] }
            return owners.flatMap { owner in
                [TestMarket.weth, TestMarket.zrx].map {
                    GenesisAllowance(token: $0, owner: owner, spender: router)
                }
            }
        }

        private static func pool(
            _ id: PoolID?,
            _ tick: Int32,
            _ range: ClosedRange<Int32>,
            _ liquidity: UInt128,
            _ cardinality: UInt16
        ) -> [GenesisRangePool] {
            guard let id, let price = TickMath.price(tick) else { return [] }
            return [
                GenesisRangePool(
                    pool: id,
                    price: price,
                    lower: range.lowerBound,
                    upper: range.upperBound,
                    liquidity: liquidity,
                    cardinality: cardinality
                )
            ]
        }
    }

    /// Trades at the pools for somebody else, in a block of its own.
    func rivalTrades(_ side: TradeSide, _ amount: String) async throws {
        let model = try model {
            ($0.allowsUncheckedPrice, $0.slippage, $0.allowsHighSlippage) = (true, 5_000, true)
            $0.allowsHighImpact = true
        }
        let plan = try await model.plan(
            MarketRequest(side: side, pair: "ZRX/WETH", amount: amount, via: .pools),
            account: rival.address
        )
        let outcome = try await model.execute(plan, signer: authorized(LocalKey(rival)))
        #expect(outcome.ending == .done)
    }
}
