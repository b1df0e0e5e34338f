import DexSandbox
import DexSigning
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("A ladder of limit orders")
struct LadderTests {
    private static func token(_ symbol: String, _ decimals: UInt8) -> Token {
        Token(address: .zero, symbol: symbol, name: "", decimals: decimals)
    }
    private static let pair = Pair(base: token("ZRX", 18), quote: token("WETH", 18))

    // MARK: Steps

    @Test("the amounts add up to the total and differ by a unit at most")
    func amounts() {
        #expect(LadderSteps.amounts(10, count: 3) == [4, 3, 3])
        var random = SystemRandom(seed: 3)
        for _ in 0..<500 {
            let total = UInt256(random.next(in: 0...UInt64.max - 1))
            let amounts = LadderSteps.amounts(total, count: Int(random.next(in: 2...20)))
            #expect(amounts.reduce(.zero, +) == total)
            #expect((amounts.first ?? 0) - (amounts.last ?? 0) <= 1)
        }
    }

    private func prices(
        _ side: TradeSide,
        _ first: String,
        _ last: String,
        _ count: Int
    ) throws -> [String] {
        try LadderSteps(side: side, pair: Self.pair).prices(
            from: PriceBounds.price(first, pair: Self.pair),
            to: PriceBounds.price(last, pair: Self.pair),
            count: count
        )
    }

    @Test("the prices go in even steps, either way, rounded in the maker's favour")
    func steps() throws {
        #expect(
            try prices(.sell, "0.0008", "0.001", 5)
                == ["0.0008", "0.00085", "0.0009", "0.00095", "0.001"]
        )
        #expect(try prices(.buy, "3", "1", 3) == ["3", "2", "1"])
        #expect(try prices(.buy, "1", "2", 4) == ["1", "1.3333333", "1.6666666", "2"])
        #expect(try prices(.sell, "1", "2", 4) == ["1", "1.3333334", "1.6666667", "2"])
        for (first, last) in [("1", "1"), ("1", "1.00000001")] {
            let error = #expect(throws: DexError.self) { try prices(.buy, first, last, 3) }
            #expect(error?.code == "bad-ladder")
        }
    }

    @Test("what QUOTE buys in equal parts at all prices costs no more, and a unit each more would")
    func each() throws {
        func price(_ quote: UInt64, _ base: UInt64) throws -> Price {
            try #require(Price(quote: UInt256(quote), base: UInt256(base)))
        }
        #expect(LadderSteps.each(of: 10, at: [try price(2, 1), try price(3, 1)]) == 2)
        #expect(LadderSteps.each(of: 9, at: [try price(2, 1), try price(3, 1)]) == 1)
        #expect(LadderSteps.each(of: 4, at: [try price(2, 1), try price(3, 1)]) == 0)
        #expect(LadderSteps.each(of: 5, at: []) == 0)
        var random = SystemRandom(seed: 5)
        for _ in 0..<50 {
            let prices = try (0..<Int(random.next(in: 2...20))).map { _ in
                try price(random.next(in: 1...1_000_000), random.next(in: 1...1_000_000))
            }
            let offered = UInt256(random.next(in: 1_000_000_000...UInt64.max - 1))
            let each = LadderSteps.each(of: offered, at: prices)
            func cost(_ each: UInt256) -> UInt256 {
                prices.reduce(.zero) { $0 + each * $1.quote / $1.base }
            }
            #expect(cost(each) <= offered && cost(each + 1) > offered)
        }
    }

    // MARK: Orders

    private func market(
        _ holdings: LiveMarket.Holdings = LiveMarket.Holdings(),
        version: ProtocolVersion = .v1
    ) async throws -> LiveMarket {
        let market = try LiveMarket(holdings, version: version)
        market.setBook(
            bids: [try await market.bid(0, "1000", for: "0.9")],
            asks: [try await market.ask(1, "1000", for: "1.1")]
        )
        market.relay.set { state in
            state.fees = .success(.none)
            state.post = .success(())
            state.onOrders = { _ in .success(RelayOrders(orders: [])) }
        }
        return market
    }

    private func model(_ market: LiveMarket) throws -> LadderModel {
        LadderModel(
            session: try market.session(),
            journal: market.journal,
            settings: TradeSettings()
        )
    }

    private func plan(
        _ market: LiveMarket,
        _ amount: String = "100",
        from: String = "0.001",
        to: String = "0.0014",
        count: Int = 5
    ) async throws -> Plan<LadderPlan> {
        try await model(market).plan(
            LadderRequest(
                order: LimitRequest(side: .sell, pair: "ZRX/WETH", amount: amount, price: from),
                to: to,
                count: count
            ),
            account: market.trader.address
        )
    }

    @Test("a part of the QUOTE balance is spread over a ladder of purchases")
    func relativePurchase() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            var holdings = LiveMarket.Holdings()
            holdings.weth = "30"
            let market = try await market(holdings, version: version)
            func plan(_ amount: String) async throws -> LadderPlan {
                try await model(market).plan(
                    LadderRequest(
                        order: LimitRequest(
                            side: .buy,
                            pair: "ZRX/WETH",
                            amount: amount,
                            price: "0.0008"
                        ),
                        to: "0.0004",
                        count: 3
                    ),
                    account: market.trader.address
                ).content
            }
            // 15 WETH at 0.0008, 0.0006 and 0.0004 buy 8333.3 of each.
            let half = try await plan("50%")
            #expect(Set(half.rungs.map(\.get.raw)).count == 1)
            let spent = half.rungs.reduce(UInt256.zero) { $0 + $1.give.raw }
            let offered = TestMarket.units("15")
            #expect(spent <= offered && offered - spent <= 3)
            #expect(half.rungs[0].get.value.hasPrefix("8333.3"))
            let all = try await plan("max")
            let whole = all.rungs.reduce(UInt256.zero) { $0 + $1.give.raw }
            #expect(whole <= TestMarket.units("30") && TestMarket.units("30") - whole <= 3)
        }
    }

    @Test("all orders are posted, each with its part and price")
    func posts() async throws {
        for version in [ProtocolVersion.v1, .v4] {
            let market = try await market(version: version)
            let planned = try await plan(market)
            #expect(planned.content.rungs.map(\.give.value) == ["20", "20", "20", "20", "20"])
            #expect(
                planned.content.rungs.map(\.get.value) == [
                    "0.02", "0.022", "0.024", "0.026", "0.028",
                ]
            )
            #expect(planned.signatures.count == 5)
            let outcome = try await model(market).execute(planned, signer: market.signer)
            #expect(outcome.exit == .done)
            #expect(market.relay.posted.map(\.hash) == planned.content.rungs.map(\.orderHash))
            #expect(Set(market.relay.posted.map(\.hash)).count == 5)
            let recorded = try market.journal.orders(
                of: market.trader.address,
                network: market.network
            )
            #expect(recorded.count == 5 && recorded.allSatisfy { $0.relay != nil })
        }
    }

    @Test("the balance covers all of them together, and one approval is for all")
    func funds() async throws {
        var holdings = LiveMarket.Holdings()
        holdings.zrx = "100"
        holdings.allowance = 0
        let market = try await market(holdings)
        let planned = try await plan(market)
        #expect(planned.content.steps.map(\.purpose) == [.approve])
        #expect(planned.content.steps[0].summary.contains("100 ZRX"))
        // The approval is signed first, then each order.
        #expect(
            planned.signatures.map(\.isTransaction) == [true] + .init(repeating: false, count: 5)
        )
        let more = await refusal { try await plan(market, "100.1") }
        #expect(more?.code == "insufficient-balance")
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .done && outcome.transactions.map(\.purpose) == [.approve])
        #expect(try await market.allowance(TestMarket.zrx) == TestMarket.units("100"))
    }

    @Test("where one fails the rest is not signed, and the outcome says which stand")
    func stops() async throws {
        let market = try await market()
        let planned = try await plan(market)
        let third = planned.content.rungs[2].orderHash
        market.relay.refuse(third)
        let outcome = try await model(market).execute(planned, signer: market.signer)
        #expect(outcome.exit == .relayRefused)
        #expect(outcome.error?.code == "ladder-stopped")
        #expect(outcome.error?.message.hasPrefix("2 of 5 orders stand") == true)
        #expect(
            outcome.placed.map(\.order.hash) == planned.content.rungs.prefix(2).map(\.orderHash)
        )
        #expect(market.relay.posted.map(\.hash) == planned.content.rungs.prefix(3).map(\.orderHash))
        #expect(
            try market.journal.orders(of: market.trader.address, network: market.network).count == 3
        )
    }

    @Test("a day's limit that all orders together exceed stops the first of them")
    func day() async throws {
        let market = try await market()
        let planned = try await plan(market)
        let gives = planned.content.rungs.map(\.give)
        let sum = LadderTests.sum(gives)
        var policy = Policy(source: "policy.toml", coin: .ether)
        policy.perDay = [.token(gives[0].token.address): sum - 1]
        let signer = market.authorized(LocalKey(market.trader), policy: policy)
        let error = await #expect(throws: DexError.self) {
            _ = try await self.model(market).execute(planned, signer: signer)
        }
        #expect(error?.code == "policy" && error?.message.contains("max_per_day") == true)
        #expect(market.relay.posted.isEmpty)
        policy.perDay = [.token(gives[0].token.address): sum]
        let enough = market.authorized(LocalKey(market.trader), policy: policy)
        #expect(try await model(market).execute(planned, signer: enough).error == nil)
    }

    private static func sum(_ amounts: [TokenAmount]) -> UInt256 {
        amounts.reduce(.zero) { $0 + $1.raw }
    }

    @Test("an unconfirmed order of the ladder stops a repeat until it is finished")
    func unconfirmed() async throws {
        let market = try await market()
        let planned = try await plan(market)
        market.relay.set {
            $0.post = .failure(.unreachable(url: "http://relay", reason: "cut"))
            $0.orders[planned.content.rungs[0].orderHash] = .success(nil)
        }
        let lost = await refusal {
            try await model(market).execute(planned, signer: market.signer)
        }
        #expect(lost?.exit == .unreachable)
        market.relay.set { $0.post = .success(()) }
        let again = await refusal { try await plan(market) }
        #expect(again?.code == "unacknowledged-order")
        #expect(again?.hint?.contains("dex resume") == true)
    }

    @Test("a ladder that cannot be is refused with exit 2")
    func refusals() async throws {
        let market = try await market()
        for (amount, to, count, code) in [
            ("100", "0.0014", 1, "bad-ladder"), ("100", "0.0014", 21, "bad-ladder"),
            ("100", "0.001", 3, "bad-ladder"), ("100", "1,5", 3, "bad-price"),
            ("0.000000000000000001", "0.0014", 2, "bad-ladder"), ("1e3", "0.0014", 2, "bad-amount"),
        ] {
            let error = await refusal { try await plan(market, amount, to: to, count: count) }
            #expect(error?.code == code && error?.exit == .usage, "\(amount) \(to) \(count)")
        }
        // Each order is checked like a single one.
        let crossing = await refusal { try await plan(market, from: "0.0005") }
        #expect(crossing?.code == "crosses-book")
    }
}

extension FakeRelay {
    /// Refuses the posting of one order, and takes others.
    func refuse(_ hash: OrderHash) {
        set { $0.refused.insert(hash) }
    }
}
