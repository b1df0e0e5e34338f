import DexTestSupport
import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The choice between offers: what is left after fees and gas, exactly")
struct OfferChooserTests {
    /// - Parameters:
    ///   - cost: of the gas, base units of QUOTE; nil if unknown.
    private func offer(
        _ side: TradeSide,
        pay: UInt256,
        receive: UInt256,
        cost: UInt256?
    ) throws -> OfferPrice {
        let price =
            side == .buy
            ? Price(quote: pay, base: receive) : Price(quote: receive, base: pay)
        return OfferPrice(
            pay: pay,
            receive: receive,
            average: try #require(price),
            worst: try #require(price),
            gas: 200_000,
            gasValue: cost
        )
    }

    /// Whether the swap leaves at least 0.05 % more, by the definition.
    private func expected(_ side: TradeSide, _ swap: OfferPrice, _ book: OfferPrice) -> Bool {
        let countsGas = swap.gasValue != nil && book.gasValue != nil
        func gas(_ offer: OfferPrice) -> UInt256 {
            countsGas ? offer.gasValue ?? 0 : 0
        }
        func sum(_ a: UInt256, _ b: UInt256) -> UInt256 { b > UInt256.max - a ? .max : a + b }
        func rest(_ a: UInt256, _ b: UInt256) -> UInt256 { b > a ? 0 : a - b }
        switch side {
        case .buy:
            // cost of the swap / received <= cost of the book / received x 0.9995
            let (a, b) = (sum(swap.pay, gas(swap)), sum(book.pay, gas(book)))
            return ExactProduct([a, book.receive, 10_000])
                <= ExactProduct([b, swap.receive, 9_995])
                && ExactProduct([a, book.receive]) < ExactProduct([b, swap.receive])
        case .sell:
            let (a, b) = (rest(swap.receive, gas(swap)), rest(book.receive, gas(book)))
            return ExactProduct([a, book.pay, 10_000]) >= ExactProduct([b, swap.pay, 10_005])
                && ExactProduct([a, book.pay]) > ExactProduct([b, swap.pay])
        }
    }

    /// A number of a random size, seldom close to 2^256.
    private func number(_ random: inout SeededGenerator) -> UInt256 {
        if random.chance(10) { return UInt256.max - UInt256(random.next() % 1_000_000) }
        let bytes = random.bytes(1 + random.below(32))
        return max(UInt256(bigEndian: bytes) ?? 1, 1)
    }

    /// A number close to another one: the edge of the margin matters most.
    private func neighbour(_ number: UInt256, _ random: inout SeededGenerator) -> UInt256 {
        let parts = UInt256(UInt64(9_980 + random.below(40)))
        let scaled = UInt256.mulDiv(number, parts, 10_000)?.quotient ?? number
        return max(random.chance(50) ? scaled : number, 1)
    }

    @Test(
        "it equals a brute-force oracle in 1,000 random markets",
        arguments: [TradeSide.buy, .sell]
    )
    func oracle(side: TradeSide) throws {
        let seed: UInt64 = 20_260_824
        var random = SeededGenerator(seed: seed)
        let chooser = OfferChooser(side: side)
        var preferred = 0
        var close = 0
        for number in 0..<1_000 {
            let pay = self.number(&random)
            let receive = self.number(&random)
            let cost = random.chance(30) ? nil : Optional(self.number(&random) >> 40)
            let book = try offer(side, pay: pay, receive: receive, cost: cost)
            let isClose = random.chance(60)
            let other: UInt256? =
                if random.chance(20) { nil } else if isClose {
                    cost.map { neighbour($0, &random) } ?? 5
                } else { self.number(&random) >> 40 }
            let swap = try offer(
                side,
                pay: isClose ? neighbour(pay, &random) : self.number(&random),
                receive: isClose ? neighbour(receive, &random) : self.number(&random),
                cost: other
            )
            let isExpected = expected(side, swap, book)
            preferred += isExpected ? 1 : 0
            close += isClose ? 1 : 0
            #expect(
                chooser.prefers(swap, to: book) == isExpected,
                "seed \(seed), market \(number): \(swap) beside \(book)"
            )
            // Whoever wins by the margin is not behind.
            if isExpected { #expect(chooser.distance(of: swap, behind: book) == 0) }
            #expect(
                OfferChooser.countsGas(swap, book) == (cost != nil && other != nil),
                "seed \(seed), market \(number)"
            )
        }
        // Both answers occur, and close ones, or the test shows nothing.
        #expect(preferred > 100 && preferred < 900, "\(preferred)")
        #expect(close > 400)
    }

    @Test("0.05 % is enough, a unit less is not: a purchase")
    func edgeOfPurchase() throws {
        let chooser = OfferChooser(side: .buy)
        let book = try offer(.buy, pay: 20_000_000, receive: 7, cost: 0)
        for (pay, isBetter) in [(19_990_000, true), (19_990_001, false), (19_989_999, true)]
            as [(UInt256, Bool)]
        {
            let swap = try offer(.buy, pay: pay, receive: 7, cost: 0)
            #expect(chooser.prefers(swap, to: book) == isBetter, "\(pay)")
        }
    }

    @Test("0.05 % is enough, a unit less is not: a sale")
    func edgeOfSale() throws {
        let chooser = OfferChooser(side: .sell)
        let book = try offer(.sell, pay: 7, receive: 20_000_000, cost: 0)
        for (receive, isBetter) in [(20_010_000, true), (20_009_999, false), (20_010_001, true)]
            as [(UInt256, Bool)]
        {
            let swap = try offer(.sell, pay: 7, receive: receive, cost: 0)
            #expect(chooser.prefers(swap, to: book) == isBetter, "\(receive)")
        }
    }

    @Test("equal offers, and offers that are both worth nothing, stay on the book")
    func equal() throws {
        for side in [TradeSide.buy, .sell] {
            let chooser = OfferChooser(side: side)
            for (pay, receive, cost) in [(100, 100, 3), (100, 100, nil), (.max, .max, .max)]
                as [(UInt256, UInt256, UInt256?)]
            {
                let swap = try offer(side, pay: pay, receive: receive, cost: cost)
                let book = try offer(side, pay: pay, receive: receive, cost: cost)
                #expect(!chooser.prefers(swap, to: book))
                #expect(chooser.distance(of: swap, behind: book) == 0)
                #expect(chooser.distance(of: book, behind: swap) == 0)
            }
        }
        // Gas eats both.
        let swap = try offer(.sell, pay: 100, receive: 10, cost: 10)
        let book = try offer(.sell, pay: 100, receive: 10, cost: 11)
        #expect(!OfferChooser(side: .sell).prefers(swap, to: book))
    }

    @Test("both offers are never each better than the other one")
    func antisymmetric() throws {
        let seed: UInt64 = 77
        var random = SeededGenerator(seed: seed)
        for side in [TradeSide.buy, .sell] {
            let chooser = OfferChooser(side: side)
            for number in 0..<300 {
                let pay = self.number(&random)
                let receive = self.number(&random)
                let one = try offer(side, pay: pay, receive: receive, cost: 7)
                let other = try offer(
                    side,
                    pay: neighbour(pay, &random),
                    receive: neighbour(receive, &random),
                    cost: 5
                )
                #expect(
                    !(chooser.prefers(one, to: other) && chooser.prefers(other, to: one)),
                    "seed \(seed), market \(number)"
                )
            }
        }
    }

    @Test("gas decides where its value is known for both, and is left out otherwise")
    func gas() throws {
        let chooser = OfferChooser(side: .buy)
        let book = try offer(.buy, pay: 1_000_000, receive: 50, cost: 0)
        let expensive = try offer(.buy, pay: 990_000, receive: 50, cost: 10_000)
        #expect(!chooser.prefers(expensive, to: book))
        let cheap = try offer(.buy, pay: 990_000, receive: 50, cost: 9_000)
        #expect(chooser.prefers(cheap, to: book))
        let unknown = try offer(.buy, pay: 1_000_000, receive: 50, cost: nil)
        #expect(chooser.prefers(expensive, to: unknown))
        #expect(!OfferChooser.countsGas(expensive, unknown))
    }

    @Test("the distance is in hundredths of a percent, rounded up")
    func distance() throws {
        let buyer = OfferChooser(side: .buy)
        let best = try offer(.buy, pay: 10_000, receive: 50, cost: 0)
        for (pay, points) in [(10_000, 0), (10_001, 1), (10_123, 123), (20_000, 10_000)]
            as [(UInt256, UInt64)]
        {
            let other = try offer(.buy, pay: pay, receive: 50, cost: 0)
            #expect(buyer.distance(of: other, behind: best) == points)
        }
        let far = try offer(.buy, pay: 20_001, receive: 50, cost: 0)
        #expect(buyer.distance(of: far, behind: best) == .max)
    }

    @Test("the value of gas is in QUOTE through the chain's coin, and unknown without it")
    func gasValue() throws {
        let market = try TestMarket()
        let tokens = try market.session().tokens
        let (zrx, weth) = (try tokens.resolve("ZRX"), try tokens.resolve("WETH"))
        let usdc = try tokens.resolve("USDC")
        // 3 USDC base units for 2 wei.
        let price = try #require(Price(quote: 3, base: 2))
        func value(_ base: Token, _ quote: Token, _ gas: UInt64?, _ at: Wei?, _ beside: Wei = .zero)
            -> UInt256?
        {
            GasValue(market.network, pair: Pair(base: base, quote: quote), average: price)
                .value(of: gas, at: at, rollupFee: beside)
        }
        #expect(value(zrx, weth, 21_000, Wei(5)) == 105_000)
        #expect(value(zrx, .nativeCoin(.ether), 21_000, Wei(5)) == 105_000)
        #expect(value(weth, usdc, 21_000, Wei(5)) == 157_500)
        #expect(value(.nativeCoin(.ether), usdc, 1, Wei(5)) == 8)
        #expect(value(zrx, weth, 21_000, Wei(5), Wei(7)) == 105_007)
        #expect(value(weth, usdc, 21_000, Wei(5), Wei(2)) == 157_503)
        #expect(value(zrx, weth, 1, Wei(1), Wei(.max)) == nil)
        #expect(value(zrx, usdc, 21_000, Wei(5)) == nil)
        #expect(value(zrx, weth, nil, Wei(5)) == nil)
        #expect(value(zrx, weth, 21_000, nil) == nil)
        #expect(value(zrx, weth, 2, Wei(.max)) == nil)
        #expect(value(weth, usdc, 1, Wei(.max)) == nil)
    }
}
