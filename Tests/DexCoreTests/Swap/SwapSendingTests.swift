import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Sending a swap: a fresh, checked, simulated quote within what was confirmed")
struct SwapSendingTests {
    private func bench(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        mining: ChainConfiguration.Mining = .instant
    ) async throws -> SwapBench {
        let bench = try SwapBench(holdings, mining: mining)
        bench.market.setBook(asks: [try await bench.market.ask(0, "100", for: "1")])
        bench.serve(try await bench.market.ask(1, "100", for: "0.9"))
        return bench
    }

    private func execute(_ plan: Plan<TradePlan>, _ bench: SwapBench) async throws -> TradeOutcome {
        try await bench.model().execute(plan, signer: bench.market.signer)
    }

    /// Replaces the venue's order from the second quote on.
    private func serveLater(
        _ order: any SignedOrder,
        in bench: SwapBench,
        _ change: @escaping @Sendable (inout SwapQuote) -> Void = { _ in }
    ) {
        bench.swap.set { state in
            state.onQuote = { _, request in
                do {
                    var quote = try bench.quote(order, request)
                    change(&quote)
                    return .success(quote)
                } catch { return .failure(.nonsense("\(error)")) }
            }
        }
    }

    @Test("the quote of the plan is sent as it is while it is fresh, with purpose swap")
    func sends() async throws {
        let bench = try await bench()
        let before = try await bench.market.balance(
            TestMarket.weth,
            of: bench.market.trader.address
        )
        let outcome = try await bench.trade(.buy, "10")
        #expect(outcome.exit == .done)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(outcome.paid == TestMarket.units("0.09"))
        #expect(outcome.transactions.map(\.purpose) == [.swap])
        #expect(outcome.legs.isEmpty)
        let after = try await bench.market.balance(
            TestMarket.weth,
            of: bench.market.trader.address
        )
        #expect(before - after == outcome.paid)
        let journaled = try bench.market.journaled()
        #expect(journaled.map(\.purpose) == ["swap"])
        #expect(journaled.map(\.stage) == [.mined])
        #expect(bench.swap.quotes.count == 1)
        // Once for the plan, once for the signature with the registry as of then.
        #expect(bench.swap.terms.count == 2)
    }

    @Test("a sale pays what it says and tells what arrived")
    func sells() async throws {
        let bench = try await bench()
        bench.serve(try await bench.market.bid(1, "100", for: "1.2"))
        let outcome = try await bench.trade(.sell, "10")
        #expect(outcome.exit == .done)
        #expect(outcome.plan.venue == .swap)
        #expect(outcome.paid == TestMarket.units("10"))
        #expect(outcome.received == TestMarket.units("0.12"))
        #expect(outcome.effectivePrice == Price(quote: 12, base: 1_000))
    }

    @Test("approvals go to the venue's own spender only, and a new quote follows them")
    func approval() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        let plan = try await bench.plan(.buy, "10", via: .swap)
        let outcome = try await execute(plan, bench)
        #expect(outcome.exit == .done)
        #expect(outcome.transactions.map(\.purpose) == [.approve, .swap])
        #expect(bench.swap.quotes.count == 2)
        // The first quote's data is never sent: the second one asks within its bounds.
        let second = try #require(bench.swap.quotes.last)
        #expect(second.slippage < 9_990)
        let rival = bench.market.rival.address
        #expect(try await bench.allowance(TestMarket.weth, to: rival) == 0)
        #expect(try await bench.allowance(TestMarket.zrx, to: rival) == 0)
        #expect(
            try await bench.allowance(TestMarket.weth, to: TestMarket.proxy)
                == plan.content.maximumPay - (outcome.paid ?? 0)
        )
        #expect(try bench.market.journaled().map(\.purpose) == ["approve", "swap"])
    }

    @Test("a quote older than 20 s is asked again, one of 20 s is sent", arguments: [20, 21])
    func age(seconds: UInt64) async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        bench.market.clock.pass(seconds: seconds)
        #expect(try await execute(plan, bench).exit == .done)
        #expect(bench.swap.quotes.count == (seconds > 20 ? 2 : 1))
        #expect(bench.swap.prices.count == 1)
    }

    @Test("the age of a quote begins when it is asked for, so a slow answer is old at once")
    func slowAnswer() async throws {
        let bench = try await bench()
        let clock = bench.market.clock
        let order = try await bench.market.ask(1, "100", for: "0.9")
        bench.serve(order) { number, _ in
            if number == 0 { clock.pass(seconds: 21) }
        }
        let plan = try await bench.plan(.buy, "10")
        #expect(plan.content.quote?.age == 21)
        #expect(try await execute(plan, bench).exit == .done)
        #expect(bench.swap.quotes.count == 2)
    }

    @Test("three quotes that are all too old before they can be signed end with exit 6")
    func alwaysOld() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        let clock = bench.market.clock
        bench.onRead { reads, answers throws(ChainError) in
            clock.pass(seconds: 21)
            return answers
        }
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.code == "quote-too-old")
        #expect(error?.exit == .refused)
        #expect(bench.swap.quotes.count == 4)
        try bench.expectNothingDone()
    }

    @Test("a price that moved beyond the confirmed bounds ends with quote-moved")
    func moved() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        bench.market.clock.pass(seconds: 60)
        serveLater(try await bench.market.ask(2, "100", for: "0.95"), in: bench)
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.code == "quote-moved")
        #expect(error?.exit == .refused)
        #expect(error?.retryable == true)
        #expect(bench.swap.quotes.count == 2)
        try bench.expectNothingDone()
    }

    @Test("a price that moved within the bounds is traded, and never beyond them")
    func movedWithin() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        bench.market.clock.pass(seconds: 60)
        serveLater(try await bench.market.ask(2, "100", for: "0.905"), in: bench)
        let outcome = try await execute(plan, bench)
        #expect(outcome.exit == .done)
        #expect(outcome.paid == TestMarket.units("0.0905"))
        #expect((outcome.paid ?? 0) <= plan.content.maximumPay)
        // Its own slippage was too wide at first, then the rest of the room was asked for.
        #expect(bench.swap.quotes.count == 3)
        #expect(bench.swap.quotes[2].slippage < bench.swap.quotes[1].slippage)
        let terms = try #require(bench.swap.terms.last)
        #expect(terms.maximum == plan.content.maximumPay)
        #expect(terms.minimum == plan.content.minimumReceive)
    }

    @Test("quotes whose slippage stays too wide are asked for three times, then it ends")
    func alwaysTooWide() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        bench.market.clock.pass(seconds: 60)
        serveLater(try await bench.market.ask(2, "100", for: "0.9"), in: bench) { quote in
            quote.price.maximumSold = quote.price.sold * 2
        }
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.code == "quote-moved")
        #expect(bench.swap.quotes.count == 4)
        try bench.expectNothingDone()
    }

    @Test("after an approval a moved price ends the command, and says that the approval stays")
    func movedAfterApproval() async throws {
        let bench = try await bench(LiveMarket.Holdings(allowance: 0))
        let plan = try await bench.plan(.buy, "10", via: .swap)
        serveLater(try await bench.market.ask(2, "100", for: "0.95"), in: bench)
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.code == "quote-moved")
        #expect(error?.message.hasSuffix("The approval is mined and stays as it is.") == true)
        #expect(error?.sent.map(\.purpose) == [.approve])
        #expect(try bench.market.journaled().map(\.purpose) == ["approve"])
    }

    @Test("a simulation that fails once is followed by a fresh quote")
    func failsOnce() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        try await bench.market.drain(bench.market.makers[1], TestMarket.zrx)
        serveLater(try await bench.market.ask(2, "100", for: "0.9"), in: bench)
        #expect(try await execute(plan, bench).exit == .done)
        #expect(bench.swap.quotes.count == 2)
        #expect(bench.market.node.sent.count == 1)
    }

    @Test("a simulation that always fails ends with exit 10 after three fresh quotes")
    func failsAlways() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        try await bench.market.drain(bench.market.makers[1], TestMarket.zrx)
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.exit == .simulationFailed)
        #expect(bench.swap.quotes.count == 4)
        try bench.expectNothingDone()
    }

    @Test("a registry that names another contract, or is paused, before the signature ends it")
    func registryChanges() async throws {
        for settler in [TestMarket.feeRecipient, nil] {
            let bench = try await bench()
            let plan = try await bench.plan(.buy, "10")
            bench.registry.settler = settler
            let error = await refusal { try await execute(plan, bench) }
            #expect(error?.code == (settler == nil ? "swap-paused" : "counterfeit-quote"))
            #expect(error?.exit == .refused)
            #expect(bench.swap.quotes.count == 1)
            try bench.expectNothingDone()
        }
    }

    @Test("a fresh quote that is counterfeit ends it: no second one is asked for")
    func counterfeitRenewal() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        bench.market.clock.pass(seconds: 60)
        serveLater(try await bench.market.ask(2, "100", for: "0.9"), in: bench) { quote in
            quote.call.to = TestMarket.feeRecipient
        }
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.code == "counterfeit-quote")
        #expect(bench.swap.quotes.count == 2)
        try bench.expectNothingDone()
    }

    @Test("a venue that fails at the fresh quote ends it with its own error")
    func failsAtRenewal() async throws {
        for failure in BestOfferTests.failures {
            let bench = try await bench()
            let plan = try await bench.plan(.buy, "10")
            bench.market.clock.pass(seconds: 60)
            bench.fail(failure)
            let error = await refusal { try await execute(plan, bench) }
            #expect(error?.code == DexError(failure).code)
            try bench.expectNothingDone()
        }
    }

    @Test("ether that is gone by then is noticed before anything is signed")
    func etherGone() async throws {
        let bench = try await bench()
        let plan = try await bench.plan(.buy, "10")
        let account = bench.market.trader.address
        bench.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                if case .balance(account, _) = read { .success(.wei(Wei(1))) } else { answer }
            }
        }
        let error = await refusal { try await execute(plan, bench) }
        #expect(error?.exit == .refused)
        try bench.expectNothingDone()
    }
}
