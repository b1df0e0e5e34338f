import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Prices relative to the book")
struct RelativePriceTests {
    private static func token(_ symbol: String, _ decimals: UInt8) -> Token {
        Token(address: .zero, symbol: symbol, name: "", decimals: decimals)
    }
    private static let pair = Pair(base: token("ZRX", 18), quote: token("WETH", 18))

    // MARK: Typing

    @Test("references take a percentage or ticks, either way")
    func accepted() throws {
        func relative(
            _ reference: PriceExpression.Reference,
            _ isPlus: Bool,
            _ size: PriceExpression.Offset.Size
        ) -> PriceExpression {
            .relative(reference, PriceExpression.Offset(isPlus: isPlus, size: size))
        }
        for (text, expected) in [
            ("mid", relative(.mid, true, .ticks(0))), ("bid", relative(.bid, true, .ticks(0))),
            ("ask", relative(.ask, true, .ticks(0))),
            ("mid-0.1%", relative(.mid, false, .percent(10))),
            ("mid+.5%", relative(.mid, true, .percent(50))),
            ("bid+1", relative(.bid, true, .ticks(1))),
            ("ask-25", relative(.ask, false, .ticks(25))),
            ("ask+100%", relative(.ask, true, .percent(10_000))),
            ("0.0025", .number("0.0025")), ("1,5", .number("1,5")), ("MID", .number("MID")),
            ("-0.1%", .number("-0.1%")), ("", .number("")),
        ] {
            #expect(try PriceExpression(text) == expected, "\(text)")
        }
    }

    @Test(
        "a reference with anything else is refused with exit 2",
        arguments: [
            "mid ", "mid 0.1%", "mid*2", "mid-", "mid+", "mid--1", "mid-0.001%", "mid-101%",
            "mid-1,5%",
            "bid+1.5", "bid+0.00001", "bid+1k", "ask-1k%", "midpoint", "bidask", "bid+1000001",
            "ask+%", "ask-0.1 %", "mid-0.1%%",
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: DexError.self) { try PriceExpression(text) }
        #expect(error?.code == "bad-price" && error?.exit == .usage)
    }

    // MARK: Numbers

    private func depth(_ side: TradeSide, _ price: Price?, base: UInt256 = 1 << 120) -> BookDepth {
        BookDepth(
            side: side,
            levels: price.map { [BookDepth.Level(price: $0, base: base, offered: base)] } ?? []
        )
    }

    private func resolve(
        _ text: String,
        _ side: TradeSide,
        bid: Price?,
        ask: Price?,
        amount: UInt256 = 1,
        bidDepth: UInt256 = 1 << 120,
        askDepth: UInt256 = 1 << 120
    ) throws -> Price {
        guard case .relative(let reference, let offset) = try PriceExpression(text) else {
            throw InputError.badRelativePrice(text)
        }
        return try RelativePricing(side: side, pair: Self.pair, amount: amount).price(
            reference,
            offset,
            bids: depth(.sell, bid, base: bidDepth),
            asks: depth(.buy, ask, base: askDepth)
        )
    }

    private func price(_ text: String) throws -> Price {
        try PriceBounds.price(text, pair: Self.pair)
    }

    @Test("examples, by hand")
    func examples() throws {
        for (text, side, expected) in [
            ("mid", .buy, "0.00075"), ("mid-0.1%", .buy, "0.00074925"), ("bid", .buy, "0.00074"),
            ("bid+1", .buy, "0.0007400001"), ("ask-1", .sell, "0.0007599999"),
            ("ask", .sell, "0.00076"), ("mid+0.01%", .sell, "0.000750075"),
            ("bid-50%", .buy, "0.00037"), ("ask+100%", .sell, "0.00152"),
        ] as [(String, TradeSide, String)] {
            let found = try resolve(
                text,
                side,
                bid: try price("0.00074"),
                ask: try price("0.00076")
            )
            #expect(found == (try price(expected)), "\(text): \(found)")
        }
        // 2/3 has no end: a buyer's is cut, a seller's rounded up.
        let thirds = try #require(Price(quote: 2, base: 3))
        #expect(try resolve("bid", .buy, bid: thirds, ask: nil) == (try price("0.66666666")))
        #expect(try resolve("bid", .sell, bid: thirds, ask: nil) == (try price("0.66666667")))
        // A tick of a price above a million is more than one.
        let high = try price("12345678.9")
        #expect(try resolve("ask+1", .sell, bid: nil, ask: high) == (try price("12345689")))
        #expect(try resolve("ask+1", .buy, bid: nil, ask: high) == (try price("12345688")))
    }

    @Test("never worse than said, and closer than eight digits, for 3,000 random books")
    func rounding() throws {
        var random = SystemRandom(seed: 17)
        var resolved = 0
        for turn in 0..<3_000 {
            func number() -> UInt256 {
                UInt256(random.next(in: 1...UInt64.max)) << Int(random.next(in: 0...50))
            }
            let bid = try #require(Price(quote: number(), base: number()))
            let up = random.next(in: 1...1_900)
            // An ask that is up to 19 % above the bid.
            let ask = try #require(
                Price(quote: bid.quote * UInt256(10_000 + up), base: bid.base * 10_000)
            )
            let points = random.next(in: 0...9_999)
            let isPlus = random.next(in: 0...1) == 0
            let (name, reference) = [("bid", bid), ("ask", ask)][turn % 2]
            let text =
                "\(name)\(isPlus ? "+" : "-")\(points / 100).\(points % 100 < 10 ? "0" : "")"
                + "\(points % 100)%"
            let share = UInt256(isPlus ? 10_000 + points : 10_000 - points)
            for side in [TradeSide.buy, .sell] {
                let found: Price
                do {
                    found = try resolve(text, side, bid: bid, ask: ask)
                } catch let error as DexError {
                    #expect(error.code == "no-reference-price")
                    continue
                }
                resolved += 1
                // found against reference x share / 10,000, by cross products.
                let ours = [found.quote, reference.base, 10_000]
                let said = [reference.quote, share, found.base]
                let digit: UInt256 = 10_000_000
                switch side {
                case .buy:
                    #expect(ExactProduct(ours) <= ExactProduct(said), "turn \(turn): \(text)")
                    #expect(ExactProduct(ours + [digit + 1]) > ExactProduct(said + [digit]))
                case .sell:
                    #expect(ExactProduct(ours) >= ExactProduct(said), "turn \(turn): \(text)")
                    #expect(ExactProduct(ours + [digit]) < ExactProduct(said + [digit + 1]))
                }
            }
        }
        #expect(resolved > 5_000)
    }

    @Test("no book traps, however large its amounts are")
    func hostile() throws {
        let values: [UInt256] = [1, 2, 1 << 64, (1 << 128) - 1, 1 << 200, .max - 1, .max]
        for quote in values {
            for base in values {
                let bid = try #require(Price(quote: quote, base: base))
                for text in ["bid", "bid+1", "bid-1000000", "bid+100%", "bid-99.99%", "mid"] {
                    for side in [TradeSide.buy, .sell] {
                        do {
                            let found = try resolve(text, side, bid: bid, ask: bid)
                            #expect(found.quote > 0)
                        } catch let error as DexError {
                            #expect(error.code == "no-reference-price")
                        }
                    }
                }
            }
        }
    }

    // MARK: Refusals

    @Test(
        "a thin, one-sided, crossed or wide book, and a price of nothing, are refused with exit 6"
    )
    func refusals() throws {
        let (bid, ask) = (try price("0.00074"), try price("0.00076"))
        func refusal(_ body: () throws -> Price) -> DexError? {
            let error = #expect(throws: DexError.self) { try body() }
            #expect(error?.code == "no-reference-price" && error?.exit == .refused)
            #expect(error?.hint?.contains("dex orderbook ZRX/WETH") == true)
            return error
        }
        let noBids = refusal { try resolve("mid", .buy, bid: nil, ask: ask) }
        #expect(noBids?.message.contains("no buy orders") == true)
        let noAsks = refusal { try resolve("ask-1", .sell, bid: bid, ask: nil) }
        #expect(noAsks?.message.contains("no sell orders") == true)
        // The other side is not needed.
        #expect(try resolve("bid", .buy, bid: bid, ask: nil) == bid)
        let crossed = refusal { try resolve("bid", .buy, bid: ask, ask: bid) }
        #expect(crossed?.message.contains("0.00076") == true)
        _ = refusal { try resolve("mid", .buy, bid: bid, ask: bid) }
        let thin = refusal {
            try resolve("mid", .buy, bid: bid, ask: ask, amount: 100, askDepth: 99)
        }
        #expect(thin?.message.contains("sell orders") == true)
        // As many as the order has do.
        #expect(
            try resolve("mid", .buy, bid: bid, ask: ask, amount: 100, askDepth: 100)
                == (try price("0.00075"))
        )
        let wide = refusal { try resolve("mid", .buy, bid: bid, ask: try price("0.00091")) }
        #expect(wide?.message.contains("20.6") == true, "\(String(describing: wide))")
        _ = refusal { try resolve("bid-100%", .buy, bid: bid, ask: ask) }
        // A million ticks of 0.2 come to a tenth.
        let fifth = try price("0.2")
        #expect(try resolve("bid-1000000", .buy, bid: fifth, ask: nil) == (try price("0.1")))
        let tenth = try price("0.1")
        _ = refusal { try resolve("bid-1000000", .buy, bid: tenth, ask: nil) }
    }
}
