import DexCore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Crumbs in a book: tiny orders at absurd prices")
struct CrumbTests {
    @Test(
        "half a token at a quarter of the price stops no purchase and hides no other order",
        arguments: ["10", "30", "100", "1500"]
    )
    func purchase(amount: String) async throws {
        let market = try LiveMarket()
        let crumb = try await market.ask(0, "0.5", for: "0.00125")
        let honest = try await market.ask(1, "2000", for: "20")
        market.setBook(asks: [honest, crumb])
        let trade = try await market.trade(.buy, amount) { $0.allowsUncheckedPrice = true }
        #expect(trade.exit == .done)
        #expect(trade.received == TestMarket.units(amount))
        #expect(trade.plan.legs.map(\.orderHash) == [crumb.hash, honest.hash])
        #expect(trade.plan.impactBasisPoints == 0)
    }

    @Test("half a token at four times the price stops no sale")
    func sale() async throws {
        let market = try LiveMarket()
        let crumb = try await market.bid(0, "0.5", for: "0.02")
        let honest = try await market.bid(1, "200", for: "2")
        market.setBook(bids: [honest, crumb])
        let plan = try await market.plan(.sell, "100") { $0.allowsUncheckedPrice = true }.content
        #expect(plan.legs.map(\.orderHash) == [crumb.hash, honest.hash])
        #expect(plan.impactBasisPoints == 0)
    }

    @Test("many crumbs are no more than one")
    func manyCrumbs() async throws {
        let market = try LiveMarket()
        var asks: [any SignedOrder] = []
        for index in 1...8 {
            asks.append(
                try await market.order(
                    by: market.makers[1],
                    give: (TestMarket.zrx, "0.5"),
                    get: (TestMarket.weth, "0.00125"),
                    salt: UInt256(UInt64(index))
                )
            )
        }
        asks.append(try await market.ask(2, "200", for: "2"))
        market.setBook(asks: asks)
        let plan = try await market.plan(.buy, "100") { $0.allowsUncheckedPrice = true }.content
        #expect(plan.legs.count == 9)
        #expect(plan.impactBasisPoints == 0)
    }

    @Test("a bad price cannot hide behind a few honest orders")
    func thinHonestBook() async throws {
        let market = try LiveMarket()
        // More than a twentieth of the amount at the market: measured from there.
        market.setBook(asks: [
            try await market.ask(0, "6", for: "0.06"), try await market.ask(1, "200", for: "3"),
        ])
        var error = await refusal { try await market.plan(.buy, "100") }
        #expect(error?.code == "impact-too-high")
        // No more than a twentieth, but the rest costs ten times as much.
        market.setBook(asks: [
            try await market.ask(0, "4", for: "0.04"), try await market.ask(1, "200", for: "20"),
        ])
        error = await refusal { try await market.plan(.buy, "100") }
        #expect(error?.exit == .refused)
        #expect(error?.code == "impact-too-high")
        market.setBook(bids: [
            try await market.bid(0, "4", for: "0.04"), try await market.bid(1, "200", for: "0.2"),
        ])
        error = await refusal { try await market.plan(.sell, "100") }
        #expect(error?.code == "impact-too-high")
    }

    @Test("a refusal offers the cheap part, and no way around the guard comes first")
    func hint() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [
            try await market.ask(0, "8", for: "0.02"), try await market.ask(1, "200", for: "2"),
        ])
        let error = await refusal { try await market.plan(.buy, "100") }
        #expect(error?.code == "impact-too-high")
        #expect(error?.hint?.hasPrefix("Run `dex market-buy ZRX/WETH 8` for") == true)
    }

    @Test("an order whose amounts overflow in the contract is in no book and no price")
    func overflow() async throws {
        let market = try TestMarket()
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
        let absurd = try await market.order(
            by: market.makers[0],
            give: (TestMarket.zrx, 1 << 200),
            get: (TestMarket.weth, 1 << 189)
        )
        let honest = try await market.ask(by: market.makers[1], "100", for: "1")
        market.setBook(asks: [absurd, honest])
        let price = try await PriceModel(session: market.session()).load(
            pairText: "ZRX/WETH",
            amount: "1"
        )
        #expect(price.ask == Price(quote: 1, base: 100))
        #expect(price.quote?.worst == Price(quote: 1, base: 100))
        let book = try await OrderbookModel(session: market.session()).load(pairText: "ZRX/WETH")
        #expect(book.asks.map(\.orderHash) == [honest.hash])
        #expect(book.dropped.map(\.reason.code) == ["too-large"])
        market.relay.set { $0.orders[absurd.hash] = .success(absurd) }
        let why = try await WhyModel(session: market.session(), journal: nil)
            .load(absurd.hash, account: nil)
        #expect(why.reason == .tooLarge)
    }

    @Test("best prices and the middle are not those of crumbs")
    func best() async throws {
        let market = try TestMarket()
        for maker in market.makers {
            market.fund(maker.address, TestMarket.zrx, balance: .max)
            market.fund(maker.address, TestMarket.weth, balance: .max)
        }
        market.setBook(
            bids: [
                try await market.bid(by: market.makers[0], "0.5", for: "0.02"),
                try await market.bid(by: market.makers[1], "2000", for: "18"),
            ],
            asks: [
                try await market.ask(by: market.makers[2], "0.5", for: "0.00125"),
                try await market.ask(by: market.makers[3], "2000", for: "20"),
            ]
        )
        let price = try await PriceModel(session: market.session()).load(pairText: "ZRX/WETH")
        #expect(price.bid == Price(quote: 9, base: 1000))
        #expect(price.ask == Price(quote: 1, base: 100))
        #expect(price.mid == Price(quote: 19, base: 2000))
        let book = try await OrderbookModel(session: market.session()).load(pairText: "ZRX/WETH")
        #expect(book.bid == price.bid)
        #expect(book.ask == price.ask)
        #expect(book.mid == price.mid)
        // The crumbs are shown all the same: they can be filled.
        #expect(book.asks.count == 2)
    }
}
