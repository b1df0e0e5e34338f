import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Market orders from plan to outcome, on the simulated chain")
struct MarketOrderTests {
    @Test("a purchase takes the best orders and tells what the chain did")
    func buys() async throws {
        let market = try LiveMarket()
        let best = try await market.ask(0, "6", for: "0.06")
        let next = try await market.ask(1, "100", for: "1.01")
        market.setBook(asks: [next, best])
        let before = try await market.balance(TestMarket.weth, of: market.trader.address)
        let outcome = try await market.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(
            outcome.plan.legs.filter { !$0.isBackup }.map(\.orderHash) == [best.hash, next.hash]
        )
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.paid == TestMarket.units("0.1004"))
        #expect(outcome.legs.map(\.status) == [.filled, .filled])
        let after = try await market.balance(TestMarket.weth, of: market.trader.address)
        #expect(before - after == outcome.paid)
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("10010")
        )
        let journaled = try market.journaled()
        #expect(journaled.map(\.stage) == [.mined])
        #expect(journaled.map(\.raw) == market.node.sent)
    }

    @Test("a sale pays exactly the amount in base")
    func sells() async throws {
        let market = try LiveMarket()
        let best = try await market.bid(0, "6", for: "0.06")
        let next = try await market.bid(1, "100", for: "0.99")
        market.setBook(bids: [next, best])
        let outcome = try await market.trade(.sell, "10")
        #expect(outcome.exit == .done)
        #expect(outcome.paid == TestMarket.units("10"))
        #expect(outcome.received == TestMarket.units("0.0996"))
        #expect(
            try await market.balance(TestMarket.zrx, of: market.trader.address)
                == TestMarket.units("9990")
        )
    }

    @Test("planning a purchase takes at most 4 round trips, however many orders there are")
    func roundTrips() async throws {
        let market = try LiveMarket()
        var asks: [any SignedOrder] = []
        for index in 0..<120 {
            asks.append(
                try await market.order(
                    by: market.makers[index % 5],
                    give: (TestMarket.zrx, "1"),
                    get: (TestMarket.weth, "0.0\(1_000 + index)"),
                    salt: UInt256(UInt64(index))
                )
            )
        }
        market.setBook(asks: asks)
        let plan = try await market.plan(.buy, "30") { $0.slippage = 500 }
        #expect(plan.content.legs.count >= 30)
        // The relay is asked beside the node's first round.
        #expect(market.relay.requests == ["orderbook"])
        #expect(market.node.rounds.count <= 4)
        #expect(market.node.rounds.count == 3)
        #expect(market.node.sent.isEmpty)
        #expect(try market.journaled().isEmpty)
    }

    @Test("an empty book is refused with exit 6")
    func noLiquidity() async throws {
        let market = try LiveMarket()
        market.setBook()
        let error = await refusal { try await market.plan(.buy, "1") }
        #expect(error?.exit == .refused)
        #expect(error?.code == "no-liquidity")
    }

    @Test("a thin book is refused and offers what is there")
    func thinBook() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "7.5", for: "0.075")])
        let error = await refusal { try await market.plan(.buy, "10") }
        #expect(error?.exit == .refused)
        #expect(error?.code == "thin-book")
        #expect(error?.hint?.contains("dex market-buy ZRX/WETH 7.5") == true)
    }

    @Test("orders that expire within 120 s, are ours, or are for others are not taken")
    func untakeable() async throws {
        let market = try LiveMarket()
        let expiring = try await market.ask(0, "10", for: "0.01", expiresIn: 119)
        let own = try await market.order(
            by: market.trader,
            give: (TestMarket.zrx, "10"),
            get: (TestMarket.weth, "0.02")
        )
        let foreign = try await market.order(
            by: market.makers[1],
            give: (TestMarket.zrx, "10"),
            get: (TestMarket.weth, "0.03"),
            taker: market.rival.address
        )
        let good = try await market.ask(2, "10", for: "0.1")
        market.setBook(asks: [expiring, own, foreign, good])
        let plan = try await market.plan(.buy, "5")
        #expect(plan.content.legs.map(\.orderHash) == [good.hash])
    }

    @Test("a slippage above 5 % is refused without the flag")
    func slippageFlag() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [try await market.ask(0, "10", for: "0.1")])
        let error = await refusal { try await market.plan(.buy, "5") { $0.slippage = 501 } }
        #expect(error?.code == "slippage-too-high")
        #expect(error?.exit == .refused)
        let plan = try await market.plan(.buy, "5") {
            $0.slippage = 501
            $0.allowsHighSlippage = true
        }
        #expect(plan.content.legs.count == 1)
    }

    @Test(
        "the price impact is warned of from 1 % and louder from 5 %",
        arguments: [("0.1005", 0), ("0.103", 1), ("0.12", 2)]
    )
    func impact(second: String, loudness: Int) async throws {
        let market = try LiveMarket()
        market.setBook(asks: [
            try await market.ask(0, "10", for: "0.1"), try await market.ask(1, "10", for: second),
        ])
        let warnings = try await market.plan(.buy, "20").content.warnings
        #expect(warnings.contains { $0.hasPrefix("The price impact is") } == (loudness == 1))
        #expect(warnings.contains { $0.hasPrefix("PRICE IMPACT") } == (loudness == 2))
    }

    @Test("a price impact above 20 % is refused without the flag")
    func hugeImpact() async throws {
        let market = try LiveMarket()
        market.setBook(asks: [
            try await market.ask(0, "10", for: "0.1"), try await market.ask(1, "10", for: "0.15"),
        ])
        let error = await refusal { try await market.plan(.buy, "20") }
        #expect(error?.code == "impact-too-high")
        #expect(error?.exit == .refused)
        let plan = try await market.plan(.buy, "20") { $0.allowsHighImpact = true }
        #expect(plan.content.impactBasisPoints == 2_500)
    }

    @Test("--max-price caps every single order instead of a slippage")
    func maxPrice() async throws {
        let market = try LiveMarket()
        let cheap = try await market.ask(0, "10", for: "0.1")
        let fair = try await market.ask(1, "10", for: "0.105")
        let expensive = try await market.ask(2, "10", for: "0.106")
        market.setBook(asks: [cheap, fair, expensive])
        let plan = try await market.plan(.buy, "12", limit: "0.0105").content
        #expect(plan.legs.map(\.orderHash) == [cheap.hash, fair.hash])
        let error = await refusal { try await market.plan(.buy, "25", limit: "0.0105") }
        #expect(error?.code == "price-limit")
        #expect(error?.hint?.contains("market-buy ZRX/WETH 20") == true)
        let none = await refusal { try await market.plan(.buy, "1", limit: "0.0099") }
        #expect(none?.code == "price-limit")
    }

    @Test("--min-price caps every single order of a sale")
    func minPrice() async throws {
        let market = try LiveMarket()
        let good = try await market.bid(0, "10", for: "0.1")
        let poor = try await market.bid(1, "10", for: "0.09")
        market.setBook(bids: [good, poor])
        let plan = try await market.plan(.sell, "10", limit: "0.01").content
        #expect(plan.legs.map(\.orderHash) == [good.hash])
        let error = await refusal { try await market.plan(.sell, "11", limit: "0.0095") }
        #expect(error?.code == "price-limit")
    }

    @Test("backups are worth about a fifth and never beyond the worst price")
    func backups() async throws {
        let market = try LiveMarket()
        let used = try await market.ask(0, "10", for: "0.1")
        let backup = try await market.ask(1, "2", for: "0.0201")
        let enough = try await market.ask(2, "2", for: "0.0202")
        let priceBeyondLimit = try await market.ask(3, "50", for: "0.52")
        market.setBook(asks: [used, backup, enough, priceBeyondLimit])
        let plan = try await market.plan(.buy, "10").content
        #expect(plan.legs.filter(\.isBackup).map(\.orderHash) == [backup.hash])
        #expect(plan.maximumPay == plan.expectedPay)
        #expect(plan.minimumReceive < plan.expectedReceive)
        #expect(plan.minimumReceive * 10_100 >= plan.expectedReceive * 10_000)
        #expect(plan.worst == backup.price)
    }

    @Test("a steep book is filled order by order, so that no total moves on to dearer ones")
    func steepBook() async throws {
        let market = try LiveMarket()
        let cheap = try await market.ask(0, "10", for: "0.1")
        let expensive = try await market.ask(1, "100", for: "1.1")
        market.setBook(asks: [cheap, expensive])
        market.node.onSend { _, _ in
            try await market.take(cheap)
            return .pass
        }
        let outcome = try await market.trade(.buy, "20")
        // Without the cheap order the dear one is filled by its own part only.
        #expect(outcome.exit == .filledLess)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.paid == TestMarket.units("0.11"))
        #expect(outcome.legs.map(\.status) == [.skipped, .filled])
    }
}

extension SignedOrder {
    /// WETH per ZRX of an ask.
    var price: Price? { Price(quote: takerAmount, base: makerAmount) }
}
