import DexCore
import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCoreTestSupport

@Suite("Quotes are checked before a plan is shown, and nothing else is tried after a false one")
struct SwapQuoteTests {
    private func bench(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> SwapBench {
        let bench = try SwapBench(holdings)
        bench.market.setBook(asks: [try await bench.market.ask(0, "100", for: "1")])
        bench.serve(try await bench.market.ask(1, "100", for: "0.9"))
        return bench
    }

    @Test("a quote that is worse than its price falls back to the book")
    func worseThanPrice() async throws {
        let bench = try await bench()
        bench.serve(
            try await bench.market.ask(1, "100", for: "0.9"),
            quoted: try await bench.market.ask(2, "100", for: "1.05")
        )
        let plan = try await bench.plan(.buy, "10").content
        #expect(plan.venue == .book)
        #expect(bench.swap.quotes.count == 1)
        let other = try #require(plan.alternatives.first)
        #expect(other.venue == .swap)
        #expect(other.average == Price(quote: 105, base: 10_000))
        #expect(other.reason.hasPrefix("It costs "))
        // Alone it is what there is, within its own bounds.
        #expect(try await bench.plan(.buy, "10", via: .swap).content.venue == .swap)
    }

    /// What a venue may change in a quote to take more than was agreed.
    enum Forgery: CaseIterable, CustomTestStringConvertible {
        case target, maximum, fixedAmount, minimum
        var testDescription: String { "\(self)" }

        func change(_ quote: inout SwapQuote, _ side: TradeSide) {
            switch self {
            case .target: quote.call.to = TestMarket.feeRecipient
            case .maximum: quote.price.maximumSold = UInt256.max
            case .fixedAmount where side == .buy: quote.price.bought = quote.price.bought + 1
            case .fixedAmount: quote.price.sold = quote.price.sold - 1
            case .minimum: quote.price.minimumBought = 1
            }
        }
    }

    @Test(
        "a counterfeit quote ends with exit 6, and nothing else is tried",
        arguments: Forgery.allCases
    )
    func counterfeit(forgery: Forgery) async throws {
        for side in [TradeSide.buy, .sell] {
            let bench = try await bench()
            bench.market.setBook(
                bids: [try await bench.market.bid(0, "100", for: "0.8")],
                asks: [try await bench.market.ask(0, "100", for: "1")]
            )
            let order =
                side == .buy
                ? try await bench.market.ask(1, "100", for: "0.9")
                : try await bench.market.bid(1, "100", for: "0.9")
            bench.serve(order) { _, quote in forgery.change(&quote, side) }
            for via in [VenueChoice.best, .swap] {
                let asked = bench.swap.quotes.count
                let error = await refusal { try await bench.plan(side, "10", via: via) }
                #expect(error?.code == "counterfeit-quote", "\(side) \(via)")
                #expect(error?.exit == .refused)
                #expect(bench.swap.quotes.count == asked + 1)
            }
            try bench.expectNothingDone()
        }
    }

    @Test("a paused registry ends the plan, whatever the quote says")
    func paused() async throws {
        let bench = try await bench()
        bench.registry.settler = nil
        for error in [nil] + BestOfferTests.failures.map(Optional.some) {
            if let error { bench.swap.set { $0.onQuote = { _, _ in .failure(error) } } }
            for via in [VenueChoice.best, .swap] {
                let refused = await refusal { try await bench.plan(.buy, "10", via: via) }
                #expect(refused?.code == "swap-paused")
                #expect(refused?.exit == .refused)
            }
        }
        #expect(bench.swap.terms.isEmpty)
        #expect(try await bench.plan(.buy, "10", via: .book).content.venue == .book)
        try bench.expectNothingDone()
    }

    @Test("a registry that a node does not answer for says nothing: exit 4")
    func unreadRegistry() async throws {
        let bench = try await bench()
        bench.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .call(let call, _) = read, call.to == FakeRules.registry else {
                    return answer
                }
                return .failure(.lost)
            }
        }
        let error = await refusal { try await bench.plan(.buy, "10") }
        #expect(error?.code == "node-unreachable")
    }

    @Test("the terms are the quote's own bounds, and the account's")
    func terms() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10").content
        let terms = try #require(bench.swap.terms.first)
        #expect(terms.account == bench.market.trader.address)
        #expect(terms.genuine == [TestMarket.exchange])
        #expect(terms.wrapped == TestMarket.weth)
        #expect(terms.minimum == TestMarket.units("10"))
        #expect(terms.now == TestMarket.now)
        #expect(plan.maximumPay == terms.maximum)
        #expect(plan.minimumReceive == terms.minimum)
        #expect(plan.expectedPay == TestMarket.units("0.09"))
        // 1 % by default, and a few parts per million less for what the venue rounds.
        #expect(terms.maximum > TestMarket.units("0.0908"))
        #expect(terms.maximum <= TestMarket.units("0.0909"))
        let request = try #require(bench.swap.quotes.first)
        #expect(request.taker == bench.market.trader.address)
        #expect(request.amount == .exactOut(TestMarket.units("10")))
        #expect(request.slippage == 9_990)
        #expect(request.payment == .allowance)
    }

    @Test("a price limit bounds a swap as a whole; beyond it exit 6")
    func priceLimit() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10", limit: "0.0095", via: .swap).content
        let limit = try #require(Price(quote: 95, base: 10_000))
        #expect(plan.worst <= limit)
        #expect(plan.maximumPay <= TestMarket.units("0.095"))
        let beyond = await refusal {
            try await bench.plan(.buy, "10", limit: "0.0089", via: .swap)
        }
        #expect(beyond?.code == "price-limit")
        #expect(beyond?.exit == .refused)
        #expect(beyond?.message.contains("--max-price") == true)
        #expect(beyond?.message.contains("0.009") == true)
        // Both are beyond it.
        let both = await refusal { try await bench.plan(.buy, "10", limit: "0.0089") }
        #expect(both?.code == "no-liquidity")
        // The book alone is beyond it.
        #expect(try await bench.plan(.buy, "10", limit: "0.0095").content.venue == .swap)
        try bench.expectNothingDone()
    }

    @Test("what may be paid at most has to be there")
    func funds() async throws {
        // The expected 0.09 are there, the maximum is not.
        let bench = try await bench(LiveMarket.Holdings(weth: "0.0905"))
        let error = await refusal { try await bench.plan(.buy, "10", via: .swap) }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.exit == .refused)
        try bench.expectNothingDone()
        let enough = try await self.bench(LiveMarket.Holdings(weth: "0.091"))
        #expect(try await enough.plan(.buy, "10", via: .swap).content.venue == .swap)
    }

    @Test("a venue that sees too little of the sold token ends the plan with what it sees")
    func shortBalance() async throws {
        let bench = try await bench()
        bench.serve(try await bench.market.ask(1, "100", for: "0.9")) { _, quote in
            quote.price.shortBalance = TestMarket.units("0.05")
        }
        let error = await refusal { try await bench.plan(.buy, "10") }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.message.contains("sees only 0.05 WETH") == true)
        #expect(error?.retryable == true)
        try bench.expectNothingDone()
    }

    @Test("a simulation that fails ends the plan with exit 10")
    func simulation() async throws {
        let bench = try await bench()
        try await bench.market.drain(bench.market.makers[1], TestMarket.zrx)
        let error = await refusal { try await bench.plan(.buy, "10") }
        #expect(error?.exit == .simulationFailed)
        #expect(bench.swap.quotes.count == 1)
        try bench.expectNothingDone()
    }

    @Test("a tax, and a quote that the venue did not simulate, are warned of")
    func warnings() async throws {
        let bench = try await bench()
        bench.serve(try await bench.market.ask(1, "100", for: "0.9")) { _, quote in
            quote.price.transferTax = 150
            quote.price.isSimulated = false
        }
        let warnings = try await bench.plan(.buy, "10").content.warnings
        #expect(warnings.contains { $0.contains("keeps 1.5") && $0.contains("Fake Swap says") })
        #expect(warnings.contains { $0.contains("did not simulate") })
    }

    @Test("only the approval of the venue's own spender is planned, whoever the quote names")
    func spender() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        let plan = try await bench.plan(.buy, "10", via: .swap).content
        #expect(plan.steps.map(\.purpose) == [.approve, .swap])
        let summary = plan.steps[0].summary
        #expect(summary.contains(TestMarket.proxy.checksummed))
        #expect(!summary.contains(bench.market.rival.address.checksummed))
        #expect(plan.warnings.contains { $0.contains("taken after the approval") })
        // The quote cannot be simulated before; the venue's hint counts within reason.
        #expect(plan.steps[1].gasLimit >= 300_000)
        try bench.expectNothingDone()
    }

    @Test("a slippage above 5 % is refused without the flag, before a venue is asked")
    func slippage() async throws {
        let bench = try await bench()
        let error = await refusal { try await bench.plan(.buy, "10") { $0.slippage = 501 } }
        #expect(error?.code == "slippage-too-high")
        #expect(bench.swap.prices.isEmpty)
        let plan = try await bench.plan(.buy, "10", via: .swap) {
            $0.slippage = 501
            $0.allowsHighSlippage = true
        }
        #expect(plan.content.maximumPay > TestMarket.units("0.0945"))
        #expect(bench.swap.quotes.first?.slippage == 50_090)
    }
}
