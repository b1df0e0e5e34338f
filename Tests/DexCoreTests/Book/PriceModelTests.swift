import DexCore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Prices")
struct PriceModelTests {
    let market: TestMarket

    init() throws {
        market = try TestMarket()
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
    }

    private func load(
        _ pair: String = "ZRX/WETH",
        side: TradeSide? = nil,
        amount: String? = nil
    ) async throws -> PriceState {
        try await PriceModel(session: market.session())
            .load(pairText: pair, side: side, amount: amount)
    }

    private func setMarket() async throws {
        let maker = market.makers[0]
        market.setBook(
            bids: [
                try await market.bid(by: maker, "100", for: "0.9"),
                try await market.bid(by: maker, "100", for: "0.8"),
            ],
            asks: [
                try await market.ask(by: maker, "100", for: "1"),
                try await market.ask(by: maker, "100", for: "1.2"),
            ]
        )
    }

    @Test("best bid, best ask and the exact middle")
    func best() async throws {
        try await setMarket()

        let state = try await load()

        #expect(state.bid == Price(quote: 9, base: 1000))
        #expect(state.ask == Price(quote: 1, base: 100))
        #expect(state.mid == Price(quote: 19, base: 2000))
        #expect(state.quote == nil)
        #expect(state.block == TestMarket.head)
        #expect(market.chain.rounds.count == 2)
    }

    @Test("an empty book has no prices")
    func empty() async throws {
        market.setBook()

        let state = try await load()

        #expect(state.bid == nil)
        #expect(state.ask == nil)
        #expect(state.mid == nil)
    }

    @Test("a purchase walks the asks")
    func buy() async throws {
        try await setMarket()

        let quote = try #require(try await load(side: .buy, amount: "150").quote)

        #expect(quote.side == .buy)
        #expect(quote.amount == TestMarket.units("150"))
        #expect(quote.fillable == TestMarket.units("150"))
        #expect(quote.total == TestMarket.units("1.6"))
        #expect(quote.average == Price(quote: 160, base: 15_000))
        #expect(quote.worst == Price(quote: 12, base: 1000))
        // 0.010666… against 0.01 is 6.666… %.
        #expect(quote.impactBasisPoints == 667)
        #expect(quote.orders == 2)
    }

    @Test("a sale walks the bids")
    func sell() async throws {
        try await setMarket()

        let quote = try #require(try await load(side: .sell, amount: "200").quote)

        #expect(quote.total == TestMarket.units("1.7"))
        #expect(quote.average == Price(quote: 17, base: 2000))
        #expect(quote.worst == Price(quote: 8, base: 1000))
        #expect(quote.impactBasisPoints == 556)
        #expect(quote.orders == 2)
    }

    @Test("within the best order there is no impact, and a purchase is meant unless told")
    func noImpact() async throws {
        try await setMarket()

        let quote = try #require(try await load(amount: "0.000000000000000001").quote)

        #expect(quote.side == .buy)
        #expect(quote.orders == 1)
        #expect(quote.fillable == 1)
        // The least fill that pays out one unit.
        #expect(quote.total == 1)
    }

    @Test("a thin book tells how much it can fill")
    func thin() async throws {
        try await setMarket()

        let quote = try #require(try await load(side: .buy, amount: "1000").quote)

        #expect(quote.amount == TestMarket.units("1000"))
        #expect(quote.fillable == TestMarket.units("200"))
        #expect(quote.total == TestMarket.units("2.2"))
    }

    @Test("fees in ZRX count when ZRX is bought or sold")
    func fees() async throws {
        let maker = market.makers[0]
        market.setBook(
            bids: [
                try await market.bid(
                    by: maker,
                    "100",
                    for: "1",
                    fees: TestMarket.fees(taker: "25")
                )
            ],
            asks: [
                try await market.ask(
                    by: maker,
                    "100",
                    for: "8",
                    fees: TestMarket.fees(taker: "20")
                )
            ]
        )

        let buy = try #require(try await load(side: .buy, amount: "40").quote)
        let sell = try #require(try await load(side: .sell, amount: "62.5").quote)
        let all = try #require(try await load(side: .sell, amount: "1000").quote)

        // 40 ZRX after the fee are 50 before it; the walk may buy a unit more, never less.
        #expect(buy.fillable == TestMarket.units("40"))
        #expect(buy.total >= TestMarket.units("4"))
        #expect(buy.total - TestMarket.units("4") < 10)
        #expect(sell.fillable == TestMarket.units("62.5"))
        #expect(sell.total == TestMarket.units("0.5"))
        #expect(all.fillable == TestMarket.units("125"))
        #expect(all.total == TestMarket.units("1"))
    }

    @Test("an amount for which no order gives anything is named as that")
    func tooSmall() async throws {
        try await setMarket()

        await #expect {
            _ = try await load(side: .sell, amount: "0.000000000000000001")
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .refused && error?.code == "amount-too-small"
                && error?.message.hasPrefix("0.000000000000000001 ZRX is too little to sell")
                    == true
        }
    }

    @Test("nothing to take on the side is exit 6")
    func noLiquidity() async throws {
        market.setBook(asks: [
            try await market.ask(by: market.makers[0], "1", for: "1", expiresIn: 30)
        ])

        for side in TradeSide.allCases {
            await #expect {
                _ = try await load(side: side, amount: "1")
            } throws: { error in
                let error = error as? DexError
                return error?.exit == .refused && error?.code == "no-liquidity"
                    && error?.message
                        == "Nobody \(side == .buy ? "sells" : "buys") ZRX for WETH on this relay "
                        + "now."
            }
        }
    }

    @Test(
        "an amount that is none is exit 2, before anybody is asked",
        arguments: ["0", "0.0", "-1", "1e3", "", "abc", "1.0000000000000000001"]
    )
    func badAmount(text: String) async throws {
        await #expect {
            _ = try await load(amount: text)
        } throws: { error in
            let error = error as? DexError
            return error?.exit == .usage && error?.code == "bad-amount"
        }
        #expect(market.chain.rounds.isEmpty)
        #expect(market.relay.requests.isEmpty)
    }

    // MARK: Exact arithmetic

    @Test(
        "impact is exact, rounded up, in hundredths of a percent of the best price",
        arguments: [
            (100, 1, 100, 1, 0), (101, 1, 100, 1, 100), (99, 1, 100, 1, 100),
            (1_000_001, 1, 1_000_000, 1, 1), (3, 1, 1, 1, 20_000), (0, 1, 5, 1, 10_000),
            (.max, 1, 1, .max, .max), (.max, .max, .max - 1, .max, 1), (1, 1, 0, 1, .max),
            (0, 1, 0, 1, 0),
        ] as [(UInt256, UInt256, UInt256, UInt256, UInt64)]
    )
    func impact(
        quote: UInt256,
        base: UInt256,
        bestQuote: UInt256,
        bestBase: UInt256,
        expected: UInt64
    ) throws {
        let price = try #require(Price(quote: quote, base: base))
        let best = try #require(Price(quote: bestQuote, base: bestBase))

        #expect(price.basisPoints(from: best) == expected)
    }

    @Test("the middle of two prices is exact, and missing rather than wrong beyond 256 bits")
    func middle() throws {
        let third = try #require(Price(quote: 1, base: 3))
        let half = try #require(Price(quote: 1, base: 2))
        let large = try #require(Price(quote: (1 << 127) - 1, base: (1 << 127) - 1))
        let huge = try #require(Price(quote: .max, base: .max))

        #expect(third.midpoint(with: half) == Price(quote: 5, base: 12))
        #expect(large.midpoint(with: large) == Price(quote: 1, base: 1))
        #expect(huge.midpoint(with: half) == nil)
    }
}
