import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The bounds of a swap, and the slippage that is asked for")
struct SwapTradeTests {
    private static let zrx = Token(
        address: TestMarket.zrx,
        symbol: "ZRX",
        name: "0x",
        decimals: 18
    )
    private static let weth = Token(
        address: TestMarket.weth,
        symbol: "WETH",
        name: "Wrapped",
        decimals: 18
    )
    private static let pair = Pair(base: zrx, quote: weth)

    private func trade(
        _ side: TradeSide,
        _ amount: UInt256,
        _ limit: MarketPlanner.Limit,
        pair: Pair = pair
    ) -> SwapTrade {
        SwapTrade(side: side, pair: pair, size: .base(amount), limit: limit)
    }

    private func spending(_ amount: UInt256, _ limit: MarketPlanner.Limit) -> SwapTrade {
        SwapTrade(side: .buy, pair: Self.pair, size: .spend(amount), limit: limit)
    }

    private func price(sold: UInt256, bought: UInt256) -> SwapPrice {
        SwapPrice(sold: sold, maximumSold: sold, bought: bought, minimumBought: bought)
    }

    /// A number of a random size below 2^240.
    private func number(_ random: inout SeededGenerator) -> UInt256 {
        max(UInt256(bigEndian: random.bytes(1 + random.below(30))) ?? 1, 1)
    }

    @Test("a unit never costs more than expected x (1 + slippage), in 2,000 random trades")
    func slippageBounds() {
        let seed: UInt64 = 11
        var random = SeededGenerator(seed: seed)
        for turn in 0..<2_000 {
            let points = UInt64(random.below(10_000))
            let price = price(sold: number(&random), bought: number(&random))
            let more = UInt256(10_000 + points)
            let buy = trade(.buy, price.bought, .slippage(points)).bounds(price)
            #expect(buy.minimum == price.bought, "seed \(seed), turn \(turn)")
            #expect(
                ExactProduct([buy.maximum, 10_000]) <= ExactProduct([price.sold, more]),
                "seed \(seed), turn \(turn)"
            )
            // And the bound is not tighter than a unit.
            #expect(ExactProduct([buy.maximum + 1, 10_000]) > ExactProduct([price.sold, more]))
            let sell = trade(.sell, price.sold, .slippage(points)).bounds(price)
            #expect(sell.maximum == price.sold)
            // sold / least <= sold / bought x (1 + slippage), but for the last unit.
            #expect(
                ExactProduct([sell.minimum + 1, more]) > ExactProduct([price.bought, 10_000]),
                "seed \(seed), turn \(turn)"
            )
            #expect(ExactProduct([sell.minimum, more]) <= ExactProduct([price.bought, 10_000]))
        }
    }

    @Test("a spend is sold exactly, and what arrives keeps slippage or limit, in 2,000 trades")
    func spendBounds() throws {
        let seed: UInt64 = 13
        var random = SeededGenerator(seed: seed)
        for turn in 0..<2_000 {
            let points = UInt64(random.below(10_000))
            let price = price(sold: number(&random) >> 120, bought: number(&random) >> 120)
            guard price.sold > .zero, price.bought > .zero else { continue }
            let spend = spending(price.sold, .slippage(points))
            #expect(spend.slippingSide == .sell)
            let bounds = spend.bounds(price)
            #expect(bounds.maximum == price.sold, "seed \(seed), turn \(turn)")
            let more = UInt256(10_000 + points)
            #expect(ExactProduct([bounds.minimum, more]) <= ExactProduct([price.bought, 10_000]))
            #expect(
                ExactProduct([bounds.minimum + 1, more]) > ExactProduct([price.bought, 10_000])
            )
            // At most the limit for each unit: sold / least <= limit.
            let limit = try #require(Price(quote: number(&random) >> 120, base: 1_000_003))
            guard limit.quote > .zero else { continue }
            let limited = spending(price.sold, .price(limit)).bounds(price)
            #expect(limited.maximum == price.sold)
            #expect(
                ExactProduct([price.sold, limit.base])
                    <= ExactProduct([limit.quote, limited.minimum]),
                "seed \(seed), turn \(turn)"
            )
            let request = spend.request(chainID: 1, taker: nil, slippage: 0)
            #expect(request.amount == .exactIn(price.sold))
        }
    }

    @Test("a price limit is never passed, whatever the venue expects, in 2,000 random trades")
    func limitBounds() throws {
        let seed: UInt64 = 12
        var random = SeededGenerator(seed: seed)
        for turn in 0..<2_000 {
            let amount = number(&random) >> 120
            guard amount > .zero else { continue }
            let limit = try #require(Price(quote: number(&random) >> 120, base: 1_000_003))
            let expected = price(sold: number(&random), bought: number(&random))
            let buy = trade(.buy, amount, .price(limit)).bounds(expected)
            #expect(buy.minimum == amount)
            #expect(
                ExactProduct([buy.maximum, limit.base]) <= ExactProduct([amount, limit.quote]),
                "seed \(seed), turn \(turn)"
            )
            let sell = trade(.sell, amount, .price(limit)).bounds(expected)
            #expect(sell.maximum == amount)
            #expect(
                ExactProduct([sell.minimum, limit.base]) >= ExactProduct([amount, limit.quote]),
                "seed \(seed), turn \(turn)"
            )
        }
    }

    @Test("a venue that rounds stays within bounds with the slippage asked, 2,000 random trades")
    func slippageAsked() {
        let seed: UInt64 = 13
        var random = SeededGenerator(seed: seed)
        var inside = 0
        for turn in 0..<2_000 {
            let points = UInt64(random.below(600))
            let price = price(
                sold: number(&random) + 1_000_000,
                bought: number(&random) + 1_000_000
            )
            for side in [TradeSide.buy, .sell] {
                let amount = side == .buy ? price.bought : price.sold
                let (maximum, minimum) = trade(side, amount, .slippage(points)).bounds(price)
                guard
                    let parts = SwapTrade.slippage(
                        price,
                        side: side,
                        maximum: maximum,
                        minimum: minimum
                    )
                else {
                    Issue.record("seed \(seed), turn \(turn): the price is outside its own bounds")
                    continue
                }
                inside += 1
                // Any way of rounding: to whole parts per million, a unit up or down.
                let million: UInt256 = 1_000_000
                if side == .buy {
                    let reported = UInt256.mulDiv(price.sold, million + UInt256(parts), million)
                    #expect((reported?.quotient ?? .max) + 1 <= max(maximum, price.sold + 1))
                } else {
                    let reported = UInt256.mulDiv(price.bought, million - UInt256(parts), million)
                    #expect((reported?.quotient ?? 0) + 1 >= minimum, "seed \(seed), turn \(turn)")
                    if points > 0 { #expect((reported?.quotient ?? 0) >= minimum) }
                }
                #expect(parts <= points * 100)
            }
        }
        #expect(inside == 4_000)
    }

    @Test("a price outside its bounds has no slippage to ask for")
    func outside() {
        let price = price(sold: 1_000, bought: 1_000)
        #expect(SwapTrade.slippage(price, side: .buy, maximum: 999, minimum: 1_000) == nil)
        #expect(SwapTrade.slippage(price, side: .buy, maximum: 1_000, minimum: 1_000) == 0)
        #expect(SwapTrade.slippage(price, side: .sell, maximum: 1_000, minimum: 1_001) == nil)
        #expect(SwapTrade.slippage(price, side: .sell, maximum: 1_000, minimum: 1_000) == 0)
        let nothing = self.price(sold: 0, bought: 0)
        #expect(SwapTrade.slippage(nothing, side: .buy, maximum: .max, minimum: 0) == nil)
        #expect(SwapTrade.slippage(nothing, side: .sell, maximum: .max, minimum: 0) == nil)
    }

    @Test("1 % asks for 10 parts per million less, and never for more than the whole")
    func parts() {
        let price = price(sold: 1_000_000_000, bought: 1_000_000_000)
        let maximum: UInt256 = 1_010_000_000
        #expect(SwapTrade.slippage(price, side: .buy, maximum: maximum, minimum: 1) == 9_990)
        #expect(SwapTrade.slippage(price, side: .sell, maximum: 1, minimum: 990_000_000) == 9_990)
        #expect(SwapTrade.slippage(price, side: .buy, maximum: .max, minimum: 1) == 999_990)
        #expect(SwapTrade.slippage(price, side: .sell, maximum: 1, minimum: 0) == 999_990)
        let few = self.price(sold: 1, bought: 1)
        #expect(SwapTrade.slippage(few, side: .buy, maximum: .max, minimum: 1) == 999_990)
    }

    @Test("amounts beyond 256 bits bound nothing wrongly: a sale asks for what cannot be had")
    func overflow() throws {
        let huge = price(sold: .max, bought: .max)
        #expect(trade(.buy, .max, .slippage(100)).bounds(huge).maximum == .max)
        let limit = try #require(Price(quote: .max, base: 1))
        #expect(trade(.buy, 2, .price(limit)).bounds(huge).maximum == .max)
        let sale = trade(.sell, 2, .price(limit)).bounds(huge)
        #expect(sale.minimum == .max)
        let poor = price(sold: 2, bought: UInt256.max - 1)
        #expect(
            SwapTrade.slippage(poor, side: .sell, maximum: sale.maximum, minimum: sale.minimum)
                == nil
        )
    }

    @Test("a purchase fixes what arrives, a sale what is paid; the native coin is no token")
    func request() {
        let account = TestMarket.exchange
        let buy = trade(.buy, 5, .slippage(100))
            .request(chainID: 1337, taker: account, slippage: 9_990)
        #expect(
            buy
                == SwapRequest(
                    chainID: 1337,
                    sell: .token(TestMarket.weth),
                    buy: .token(TestMarket.zrx),
                    amount: .exactOut(5),
                    payment: .allowance,
                    taker: account,
                    slippage: 9_990
                )
        )
        let native = Pair(base: .nativeCoin(.ether), quote: Self.zrx)
        let sell = trade(.sell, 7, .slippage(100), pair: native)
            .request(chainID: 1, taker: nil, slippage: 0)
        #expect(sell.sell == .native)
        #expect(sell.buy == .token(TestMarket.zrx))
        #expect(sell.amount == .exactIn(7))
        let back = trade(.buy, 7, .slippage(100), pair: native)
            .request(chainID: 1, taker: nil, slippage: 0)
        #expect(back.sell == .token(TestMarket.zrx))
        #expect(back.buy == .native)
        #expect(back.amount == .exactOut(7))
    }

    @Test("ETH names the coin on one side of a pair only")
    func nativePair() async throws {
        let session = try TestMarket().session()
        let sale = try await MarketPair(session: session).pair("eth/ZRX")
        #expect(sale.base.isNativeCoin)
        #expect(sale.quote.address == TestMarket.zrx)
        let purchase = try await MarketPair(session: session).pair("ZRX/ETH")
        #expect(purchase.quote.isNativeCoin)
        let wrap = try await MarketPair(session: session).pair("ETH/WETH")
        #expect(wrap.base.isNativeCoin && wrap.quote.address == TestMarket.weth)
        let tokens = try await MarketPair(session: session).pair("ZRX/WETH")
        #expect(!tokens.base.isNativeCoin && !tokens.quote.isNativeCoin)
        for text in ["ETH/ETH", "ETH", "ETH/", "/ETH", "ETH/ZRX/ETH"] {
            _ = await refusal { try await MarketPair(session: session).pair(text) }
        }
    }
}
