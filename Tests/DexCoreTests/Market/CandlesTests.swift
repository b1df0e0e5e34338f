import DexStore
import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Candles")
struct CandlesTests {
    private static let base = TestMarket.zrx
    private static let quote = TestMarket.weth

    static func trade(
        at time: UInt64,
        base: UInt256,
        quote: UInt256,
        buys: Bool = true
    ) throws -> TapeTrade {
        let pair = try TestMarket().zrxWeth()
        let (zrx, weth) = (pair.base.address, pair.quote.address)
        let fill = MarketFill(
            block: time,
            logIndex: 0,
            time: time,
            transaction: TransactionHash(UInt256(time).word),
            orderHash: OrderHash(.zero),
            maker: zrx,
            taker: weth,
            makerToken: buys ? zrx : weth,
            takerToken: buys ? weth : zrx,
            makerAmount: buys ? base : quote,
            takerAmount: buys ? quote : base
        )
        return try #require(TapeTrade(fill, of: pair))
    }

    @Test("a trade has the taker's side, and other tokens are no trade of the pair")
    func sides() throws {
        let pair = try TestMarket().zrxWeth()
        let bought = try Self.trade(at: 1, base: 100, quote: 3)
        let sold = try Self.trade(at: 1, base: 100, quote: 3, buys: false)
        #expect(bought.side == .buy && sold.side == .sell)
        for trade in [bought, sold] { #expect(trade.base == 100 && trade.quote == 3) }
        let other = Pair(base: pair.base, quote: .unknown(TestMarket.usdc))
        #expect(TapeTrade(bought.fill, of: other) == nil)
        #expect(TapeTrade(bought.fill, of: Pair(base: pair.quote, quote: pair.base))?.side == .sell)
    }

    @Test("the bounds of an interval belong to the later candle, and gaps have none")
    func bounds() throws {
        let trades = try [7_199, 7_200, 10_799, 18_000].map {
            try Self.trade(at: $0, base: 2, quote: 1)
        }
        let candles = Candles.make(trades, interval: 3_600)
        #expect(candles.map(\.start) == [3_600, 7_200, 18_000])
        #expect(candles.map(\.trades) == [1, 2, 1])
        #expect(candles.map(\.base) == [2, 4, 2])
    }

    @Test("a trade that moved one token only counts for the volume, and sums never overflow")
    func extremes() throws {
        let none = try Self.trade(at: 5, base: 7, quote: 0)
        let only = try #require(Candles.make([none], interval: 60).first)
        #expect(only.prices == nil && only.base == 7 && only.trades == 1)
        let huge = try Self.trade(at: 6, base: .max, quote: .max)
        let both = try #require(Candles.make([none, huge, huge], interval: 0).last)
        #expect(both.base == .max && both.quote == .max && both.trades == 2)
        #expect(Candles.make([], interval: 60).isEmpty)
    }

    /// The candles by the definition, from all trades again for each interval of the whole time.
    static func oracle(_ trades: [TapeTrade], interval: UInt64) -> [Candle] {
        guard let first = trades.first, let last = trades.last else { return [] }
        var candles: [Candle] = []
        for number in (first.fill.time / interval)...(last.fill.time / interval) {
            let inside = trades.filter { $0.fill.time / interval == number }
            guard !inside.isEmpty else { continue }
            let prices = inside.compactMap(\.price)
            // A price is the highest if no other one is above it, by cross products.
            let high = prices.first { one in
                prices.allSatisfy { $0.quote * one.base <= one.quote * $0.base }
            }
            let low = prices.first { one in
                prices.allSatisfy { $0.quote * one.base >= one.quote * $0.base }
            }
            var body: Candle.Prices?
            if let open = prices.first, let close = prices.last, let high, let low {
                body = Candle.Prices(open: open, high: high, low: low, close: close)
            }
            var (base, quote) = (UInt256.zero, UInt256.zero)
            for trade in inside {
                base = base + trade.base
                quote = quote + trade.quote
            }
            candles.append(
                Candle(
                    start: number * interval,
                    prices: body,
                    base: base,
                    quote: quote,
                    trades: inside.count
                )
            )
        }
        return candles
    }

    @Test("over random fills they are those of a brute-force search", arguments: 1...60)
    func bruteForce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let interval = [1, 60, 900, 3_600, 86_400][Int(seed % 5)] as UInt64
        var time = random.next() % 1_000_000
        var trades: [TapeTrade] = []
        for _ in 0..<Int.random(in: 0...120, using: &random) {
            // Many in the same second, others far apart.
            time += [0, 0, 1, interval / 3, interval, interval * 3][Int(random.next() % 6)]
            trades.append(
                try Self.trade(
                    at: time,
                    base: UInt256(random.next() % 5),
                    quote: UInt256(random.next() >> (random.next() % 64)),
                    buys: random.next() % 2 == 0
                )
            )
        }
        let candles = Candles.make(trades, interval: interval)
        #expect(candles == Self.oracle(trades, interval: interval), "seed \(seed)")
        #expect(candles.reduce(0) { $0 + $1.trades } == trades.count)
    }

    @Test("intervals are a minute to a week, in whole minutes, hours or days")
    func intervals() throws {
        for (text, seconds) in [("1m", 60), ("90m", 5_400), ("1h", 3_600), ("7d", 604_800)]
            as [(String, UInt64)]
        {
            #expect(try CandleInterval.seconds(text) == seconds)
        }
        #expect([60, 5_400, 3_600, 172_800].map(CandleInterval.text) == ["1m", "90m", "1h", "2d"])
        for text in [
            "", "h", "0h", "1", "1s", "8d", "1w", "-1h", "1.5h", " 1h", "1h ", "+1h",
            "99999999999999999999h", "18446744073709551615d",
        ] {
            #expect {
                _ = try CandleInterval.seconds(text)
            } throws: {
                ($0 as? DexError)?.code == "bad-interval"
            }
        }
    }
}
