import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Synchronization
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A market order in two parts: the book's first orders, and the rest at another venue")
struct SplitTradeTests {
    /// The book has 10 ZRX at a better price than the venue and 30 at a worse one; the venue trades
    /// at 0.01 WETH.
    private func bench(
        _ side: TradeSide = .buy,
        holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> SwapBench {
        let bench = try SwapBench(holdings)
        let market = bench.market
        market.setBook(
            bids: [
                try await market.bid(0, "10", for: "0.11"),
                try await market.bid(1, "30", for: "0.285"),
            ],
            asks: [
                try await market.ask(0, "10", for: "0.09"),
                try await market.ask(1, "30", for: "0.315"),
            ]
        )
        bench.serve(
            side == .buy
                ? try await market.ask(2, "1000", for: "10")
                : try await market.bid(2, "1000", for: "10")
        )
        return bench
    }

    private func model(
        _ bench: SwapBench,
        _ session: Session? = nil,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) throws -> SplitTradeModel {
        var settings = TradeSettings()
        change(&settings)
        return SplitTradeModel(
            session: try session ?? bench.session(),
            journal: bench.market.journal,
            settings: settings
        )
    }

    private func plan(
        _ bench: SwapBench,
        _ side: TradeSide = .buy,
        _ amount: String = "50",
        spends: Bool = false,
        _ change: (inout TradeSettings) -> Void = { _ in }
    ) async throws -> Plan<SplitPlan> {
        try await model(bench, nil, change).plan(
            MarketRequest(side: side, pair: "ZRX/WETH", amount: amount, spends: spends),
            account: bench.market.trader.address
        )
    }

    private func execute(_ plan: Plan<SplitPlan>, _ bench: SwapBench) async throws -> SplitOutcome {
        try await model(bench).execute(plan, signer: bench.market.signer)
    }

    /// The venue answers otherwise from now on.
    private func serveLater(
        _ bench: SwapBench,
        _ answer: @escaping @Sendable (SwapRequest) -> Result<SwapQuote, LiquidityError>
    ) {
        bench.swap.set { state in
            state.onPrice = { request in answer(request).map(\.price) }
            state.onQuote = { _, request in answer(request) }
        }
    }

    // MARK: The plan

    @Test("the book's better order is one part, the rest the other", arguments: TradeSide.allCases)
    func divides(side: TradeSide) async throws {
        let bench = try await bench(side)
        let planned = try await plan(bench, side)
        let plan = planned.content
        #expect(plan.parts.map(\.venue) == [.book, .swap])
        #expect(plan.parts[0].legs.filter { !$0.isBackup }.count == 1)
        let base = plan.parts.map { side == .buy ? $0.expectedReceive : $0.expectedCost }
        #expect(base == [TestMarket.units("10"), TestMarket.units("40")])
        let quote = side == .buy ? plan.expectedCost : plan.expectedReceive
        #expect(quote == TestMarket.units(side == .buy ? "0.49" : "0.51"))
        #expect(plan.warnings.first?.hasPrefix("NOT ATOMIC") == true)
        // Why not the whole at one of them.
        #expect(plan.alternatives.map(\.venue) == [.book, .swap])
        #expect(plan.alternatives[0].average == nil)
        #expect(plan.alternatives[1].reason.contains(side == .buy ? "costs" : "brings"))
        // The limits are those of both.
        let limits = planned.limits
        #expect(limits.pays?.raw == plan.parts.reduce(0) { $0 + $1.maximumCost })
        #expect(limits.receives?.raw == plan.parts.reduce(0) { $0 + $1.minimumReceive })
        #expect(planned.signatures.count == 2)
        try bench.expectNothingDone()
    }

    @Test("both parts are traded within one intent, and the balances are what the plan says")
    func trades() async throws {
        for side in TradeSide.allCases {
            let bench = try await bench(side)
            let plan = try await plan(bench, side)
            let outcome = try await execute(plan, bench)
            #expect(outcome.error == nil, "\(String(describing: outcome.error))")
            #expect(outcome.parts.count == 2)
            #expect(outcome.transactions.map(\.purpose) == [.fill, .swap])
            #expect(outcome.received == TestMarket.units(side == .buy ? "50" : "0.51"))
            #expect(outcome.cost == TestMarket.units(side == .buy ? "0.49" : "50"))
            let journaled = try bench.market.journaled()
            #expect(journaled.map(\.purpose) == ["fill", "swap"])
            #expect(Set(journaled.map(\.intent)).count == 1)
            for token in [TestMarket.zrx, TestMarket.weth] {
                let now = try await bench.market.balance(token, of: bench.market.trader.address)
                let change = plan.content.balances.first { $0.currency.token?.address == token }
                #expect(change?.after == now)
            }
        }
    }

    @Test("a spend is divided, and never exceeded")
    func spends() async throws {
        let bench = try await bench()
        let plan = try await plan(bench, .buy, "0.49", spends: true)
        let spend = TestMarket.units("0.49")
        #expect(plan.content.parts.map(\.venue) == [.book, .swap])
        #expect(plan.content.maximumCost <= spend)
        #expect(plan.content.origin?.amount.raw == spend)
        #expect(plan.content.parts.allSatisfy { $0.origin == nil })
        let outcome = try await execute(plan, bench)
        #expect(outcome.error == nil)
        #expect((outcome.cost ?? .max) <= spend)
        #expect((outcome.received ?? 0) > TestMarket.units("48"))
    }

    @Test("where one venue alone is as good, the whole goes there")
    func whole() async throws {
        let bench = try await bench()
        for (total, venue) in [("7", VenueID.swap), ("13", .book)] {
            bench.serve(try await bench.market.ask(3, "1000", for: total))
            let before = bench.market.relay.requests.count
            let planned = try await plan(bench, .buy, "10")
            // The book that says so is the plan's.
            #expect(bench.market.relay.requests.dropFirst(before) == ["orderbook"])
            #expect(planned.content.parts.map(\.venue) == [venue])
            #expect(!planned.content.isSplit)
            #expect(planned.content.warnings.allSatisfy { !$0.hasPrefix("NOT ATOMIC") })
        }
        let outcome = try await execute(try await plan(bench, .buy, "10"), bench)
        #expect(outcome.error == nil)
        #expect(outcome.transactions.map(\.purpose) == [.fill])
    }

    @Test("two venues that are too thin alone trade it together")
    func thin() async throws {
        let bench = try await bench()
        let order = try await bench.market.ask(2, "1000", for: "10")
        let maximum = TestMarket.units("25")
        serveLater(bench) { request in
            guard case .exactOut(let amount) = request.amount, amount <= maximum else {
                return .failure(.noLiquidity)
            }
            return Result { try bench.quote(order, request) }.mapError { .nonsense("\($0)") }
        }
        let plan = try await plan(bench)
        #expect(plan.content.parts.map(\.venue) == [.book, .swap])
        #expect(plan.content.alternatives.allSatisfy { $0.average == nil })
        #expect(plan.content.expectedReceive == TestMarket.units("50"))
        #expect(try await execute(plan, bench).received == TestMarket.units("50"))
        // And where both together are too thin, it says so.
        let error = await #expect(throws: DexError.self) {
            _ = try await self.plan(bench, .buy, "80")
        }
        #expect(error?.code == "no-liquidity")
    }

    // MARK: Refusals before anything is signed

    @Test("the funds must suffice for both parts")
    func funds() async throws {
        let bench = try await bench(holdings: LiveMarket.Holdings(weth: "0.47"))
        let error = await #expect(throws: DexError.self) { _ = try await plan(bench) }
        #expect(error?.code == "insufficient-balance")
        #expect(error?.message.contains("for both parts") == true)
        try bench.expectNothingDone()
    }

    @Test("the coin and missing venues are refused by name")
    func missing() async throws {
        let bench = try await bench()
        let account = bench.market.trader.address
        func code(_ pair: String, _ session: Session) async -> String? {
            let model = try? model(bench, session)  // nil fails below
            let request = MarketRequest(side: .buy, pair: pair, amount: "50")
            return await #expect(throws: DexError.self) {
                _ = try await #require(model).plan(request, account: account)
            }?.code
        }
        #expect(await code("ZRX/ETH", try bench.session()) == "native-on-book")
        #expect(await code("ZRX/WETH", try bench.session(withRelay: false)) == "no-relay")
        #expect(await code("ZRX/WETH", try bench.session(hasKey: false)) == "no-swap-key")
        #expect(await code("ZRX/WETH", try bench.session(settings: nil)) == "no-pools")
        try bench.expectNothingDone()
    }

    @Test("an order of the book that is gone before the signature stops both parts")
    func gone() async throws {
        let bench = try await bench()
        let plan = try await plan(bench)
        bench.market.setBook(asks: [try await bench.market.ask(1, "30", for: "0.315")])
        let quotes = bench.swap.quotes.count
        await #expect(throws: DexError.self) { _ = try await execute(plan, bench) }
        #expect(bench.swap.quotes.count == quotes)
        try bench.expectNothingDone()
    }

    @Test("a rule that forbids the second part, or both together, stops both")
    func rules() async throws {
        let weth = Asset.token(TestMarket.weth)
        // The parts pay 0.09 and 0.4 WETH.
        let changes: [@Sendable (inout Policy) -> Void] = [
            { $0.perTrade = [weth: TestMarket.units("0.2")] },
            { $0.perDay = [weth: TestMarket.units("0.45")] },
        ]
        for change in changes {
            let bench = try await bench()
            let plan = try await plan(bench)
            var policy = Policy(source: "policy.toml", coin: .ether)
            change(&policy)
            let signer = bench.market.authorized(LocalKey(bench.market.trader), policy: policy)
            let error = await #expect(throws: DexError.self) {
                _ = try await self.model(bench).execute(plan, signer: signer)
            }
            #expect(error?.code == "policy", "\(String(describing: error))")
            try bench.expectNothingDone()
        }
    }

    // MARK: Between the parts

    @Test("where the first part is overtaken, the second is not sent")
    func overtaken() async throws {
        let bench = try await bench()
        let order = try await bench.market.ask(0, "10", for: "0.09")
        bench.market.setBook(asks: [order])
        let plan = try await plan(bench)
        #expect(plan.content.parts.map(\.venue) == [.book, .swap])
        let quotes = bench.swap.quotes.count
        bench.market.node.onSend { _, _ in
            bench.market.node.onSend(nil)
            try await bench.market.take(order)
            return .pass
        }
        let outcome = try await execute(plan, bench)
        let error = try #require(outcome.error)
        #expect(error.message.contains("The second part was not sent."))
        #expect(outcome.parts.count == 1 && outcome.received == .zero)
        #expect(bench.swap.quotes.count == quotes)
        #expect(try bench.market.journaled().map(\.purpose) == ["fill"])
    }

    @Test("a command that dies after the first part leaves both parts' minimums in the journal")
    func dies() async throws {
        let bench = try await bench()
        let plan = try await plan(bench)
        let order = try await bench.market.ask(2, "1000", for: "10")
        // The second answer of the node to a transaction is lost, and its command with it.
        bench.market.node.onSend { number, _ in number == 0 ? .pass : .lose(.lost) }
        serveLater(bench) { request in
            Result { try bench.quote(order, request) }.mapError { .nonsense("\($0)") }
        }
        _ = try? await execute(plan, bench)  // its end is not what is tested
        let journaled = try bench.market.journaled()
        #expect(journaled.map(\.purpose) == ["fill", "swap"])
        for (transaction, part) in zip(journaled, plan.content.parts) {
            let record = try #require(try bench.market.journal.plan(of: transaction.intent))
            let purpose = try #require(transaction.knownPurpose)
            let bounds = try #require(FillBounds(record: record, of: purpose))
            #expect(bounds.minimum == part.minimumReceive)
            #expect(bounds.expected == part.expectedReceive)
        }
    }

    @Test("a second part that is worse, false or gone by then is not signed; the first is reported")
    func second() async throws {
        typealias Answer =
            @Sendable (SwapBench, SwapQuote) -> Result<SwapQuote, LiquidityError>
        let cases: [(code: String, answer: Answer)] = [
            ("no-liquidity", { _, _ in .failure(.noLiquidity) }),
            (
                "swap-unreachable",
                { _, _ in .failure(.unreachable(url: "http://127.0.0.1:3", reason: "no answer")) }
            ),
            ("swap-nonsense", { _, _ in .failure(.nonsense("no JSON")) }),
            (
                "counterfeit-quote",
                { bench, quote in
                    var quote = quote
                    quote.call.to = bench.market.rival.address
                    return .success(quote)
                }
            ),
            (
                "price-limit",
                { _, quote in
                    var quote = quote
                    quote.price.sold = quote.price.sold * 2
                    quote.price.maximumSold = quote.price.maximumSold * 2
                    return .success(quote)
                }
            ),
        ]
        for (code, answer) in cases {
            let bench = try await bench()
            let plan = try await plan(bench)
            let order = try await bench.market.ask(2, "1000", for: "10")
            serveLater(bench) { request in
                Result { try bench.quote(order, request) }
                    .mapError { LiquidityError.nonsense("\($0)") }
                    .flatMap { answer(bench, $0) }
            }
            let outcome = try await execute(plan, bench)
            let error = try #require(outcome.error)
            #expect(error.code == code, "\(error)")
            #expect(error.message.contains("The first part is traded"))
            #expect(error.hint?.contains("dex market-buy ZRX/WETH 40 --via swap") == true)
            #expect(outcome.parts.count == 1)
            #expect(outcome.received == TestMarket.units("10"))
            #expect(outcome.transactions.map(\.purpose) == [.fill])
            #expect(try bench.market.journaled().map(\.purpose) == ["fill"])
        }
    }

    @Test("a node that is gone between the parts signs no second one, and the first is reported")
    func nodeGone() async throws {
        for isHeard in [true, false] {
            let bench = try await bench()
            let plan = try await plan(bench)
            let order = try await bench.market.ask(2, "1000", for: "10")
            bench.swap.set { state in
                state.onPrice = { request in
                    bench.onRead { _, answers throws(ChainError) in
                        guard isHeard else { throw .lost }
                        // It answers, and says of everything that it has no state.
                        return answers.map { _ in
                            .failure(.rpc(code: -32_000, message: "missing trie node"))
                        }
                    }
                    return Result { try bench.price(order, request) }
                        .mapError { LiquidityError.nonsense("\($0)") }
                }
            }
            let outcome = try await execute(plan, bench)
            let error = try #require(outcome.error)
            #expect(error.exit == .unreachable, "\(error)")
            #expect(error.message.contains("The first part is traded"), "\(error)")
            #expect(error.hint?.contains("dex market-buy ZRX/WETH 40 --via swap") == true)
            #expect(outcome.received == TestMarket.units("10"))
            #expect(outcome.transactions.map(\.purpose) == [.fill])
            #expect(try bench.market.journaled().map(\.purpose) == ["fill"])
        }
    }

    @Test("Ctrl-C between the parts is reported as such, with the first part")
    func interrupted() async throws {
        let bench = try await bench()
        let plan = try await plan(bench)
        let (started, start) = AsyncStream<Void>.makeStream()
        let command = Mutex<Task<SplitOutcome, any Error>?>(nil)
        bench.swap.set { state in
            state.onPrice = { _ in
                command.withLock { $0?.cancel() }
                return .failure(.unreachable(url: "http://127.0.0.1:3", reason: "cancelled"))
            }
        }
        let task = Task {
            for await _ in started { break }
            return try await self.execute(plan, bench)
        }
        command.withLock { $0 = task }
        start.yield()
        let outcome = try await task.value
        #expect(outcome.error?.code == DexError.interrupted.code)
        #expect(outcome.received == TestMarket.units("10"))
        #expect(try bench.market.journaled().map(\.purpose) == ["fill"])
    }

    @Test("gas that costs more by then is not paid for the second part")
    func gas() async throws {
        let bench = try await bench()
        let plan = try await plan(bench)
        let maximum = plan.content.parts[1].gas.maxFeePerGas
        let order = try await bench.market.ask(2, "1000", for: "10")
        bench.swap.set { state in
            state.onPrice = { request in
                do {
                    await bench.market.chain.setNextBaseFee(UInt64(clamping: maximum.rawValue * 3))
                    try await bench.market.chain.mine()
                    return .success(try bench.price(order, request))
                } catch { return .failure(.nonsense("\(error)")) }
            }
        }
        let outcome = try await execute(plan, bench)
        #expect(outcome.error?.kind == .refused)
        #expect(outcome.transactions.map(\.purpose) == [.fill])
    }
}
