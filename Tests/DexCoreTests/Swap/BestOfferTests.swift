import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Market orders choose between the book and a swap venue")
struct BestOfferTests {
    /// The book sells 100 ZRX for 1 WETH and buys 100 for 0.99; the venue takes another total for
    /// 100 ZRX.
    private func bench(
        _ swapTotal: String,
        _ side: TradeSide = .buy,
        holdings: LiveMarket.Holdings = LiveMarket.Holdings()
    ) async throws -> SwapBench {
        let bench = try SwapBench(holdings)
        bench.market.setBook(
            bids: [try await bench.market.bid(0, "100", for: "0.99")],
            asks: [try await bench.market.ask(0, "100", for: "1")]
        )
        bench.serve(
            side == .buy
                ? try await bench.market.ask(1, "100", for: swapTotal)
                : try await bench.market.bid(1, "100", for: swapTotal)
        )
        return bench
    }

    @Test("the better venue is used, and the plan says what the other one would be")
    func swapWins() async throws {
        for (side, total, verb, word) in [
            (TradeSide.buy, "0.9", "It costs ", " % more."),
            (TradeSide.sell, "1.2", "It brings ", " % less."),
        ] {
            let bench = try await bench(total, side)
            let plan = try await bench.plan(side, "10").content
            #expect(plan.venue == .swap)
            #expect(plan.legs.isEmpty)
            #expect(plan.steps.map(\.purpose) == [.swap])
            let quote = try #require(plan.quote)
            #expect(quote.venue == "Fake Swap")
            #expect(quote.sources.map(\.name) == ["Fake_Pool"])
            let other = try #require(plan.alternatives.first)
            #expect(plan.alternatives.count == 1)
            #expect(other.venue == .book)
            let average = try #require(Price(quote: side == .buy ? 100 : 99, base: 10_000))
            #expect(other.average == average)
            #expect(other.worst == average)
            #expect((other.gas ?? 0) > 21_000)
            #expect(other.reason.hasPrefix(verb) && other.reason.hasSuffix(word), "\(other.reason)")
            try bench.expectNothingDone()
        }
    }

    @Test("the book is used where it is better, and no quote is asked for")
    func bookWins() async throws {
        for (side, total, verb) in [
            (TradeSide.buy, "1.1", "It costs "), (TradeSide.sell, "0.9", "It brings "),
        ] {
            let bench = try await bench(total, side)
            let plan = try await bench.plan(side, "10").content
            #expect(plan.venue == .book)
            #expect(plan.quote == nil)
            #expect(plan.legs.count == 1)
            #expect(plan.alternatives.map(\.venue) == [.swap])
            #expect(plan.alternatives[0].reason.hasPrefix(verb))
            #expect(plan.alternatives[0].average != nil)
            #expect(bench.swap.prices.count == 1)
            #expect(bench.swap.quotes.isEmpty)
        }
    }

    @Test("a spend is paid exactly at the venue that buys more for it")
    func spends() async throws {
        for (total, venue) in [("0.9", VenueID.swap), ("1.1", .book)] {
            let bench = try await bench(total)
            let planned = try await bench.model().plan(
                MarketRequest(side: .buy, pair: "ZRX/WETH", amount: ".5", spends: true),
                account: bench.market.trader.address
            )
            let half = TestMarket.units("0.5")
            #expect(planned.content.venue == venue)
            #expect(planned.content.maximumCost <= half && planned.content.maximumCost + 10 >= half)
            #expect(planned.content.origin?.amount.raw == half)
            let owned = try await bench.market.balance(
                TestMarket.weth,
                of: bench.market.trader.address
            )
            let outcome = try await bench.model().execute(planned, signer: bench.market.signer)
            #expect(outcome.exit == .done, "\(String(describing: outcome.error))")
            #expect((outcome.received ?? 0) >= planned.content.minimumReceive)
            #expect((outcome.received ?? 0) >= TestMarket.units(venue == .swap ? "55" : "50"))
            let left = try await bench.market.balance(
                TestMarket.weth,
                of: bench.market.trader.address
            )
            #expect(owned - left <= half)
        }
    }

    @Test("of ether the network fee of a million gas is kept")
    func allEther() async throws {
        let bench = try await bench("1")
        let session = try bench.session()
        let sizing = MarketSizing(session: session, settings: TradeSettings())
        let pair = try await MarketPair(session: session).pair("ETH/ZRX")
        let owned = try await bench.market.chain
            .read(.balance(bench.market.trader.address, .latest))
        for (typed, share) in [("max", 1), ("50%", 2)] {
            let (size, origin) = try await sizing.resolve(
                MarketRequest(side: .sell, pair: "ETH/ZRX", amount: typed),
                pair: pair,
                account: bench.market.trader.address
            )
            let reserved = try #require(origin?.reserved)
            #expect(reserved > .zero && reserved < owned)
            let rest = owned.rawValue - reserved.rawValue
            #expect(origin?.available?.raw == rest)
            #expect(size == .base(rest / UInt256(UInt64(share))))
        }
    }

    @Test("less than 0.05 % counts as equal: the book is used")
    func equal() async throws {
        let bench = try await bench("0.9999")
        let order = try await bench.market.ask(1, "100", for: "0.9999")
        bench.swap.set { state in
            state.onPrice = { request in
                // Without a hint of gas it is not compared.
                guard var price = try? bench.price(order, request) else {  // nil: a test's fault
                    return .failure(.nonsense("no price"))
                }
                price.gas = nil
                return .success(price)
            }
        }
        let plan = try await bench.plan(.buy, "10").content
        #expect(plan.venue == .book)
        let reason = try #require(plan.alternatives.first?.reason)
        #expect(reason.hasPrefix("It is better by less than 0.05 %"))
        #expect(reason.contains("Gas is not compared"))
        #expect(bench.swap.quotes.isEmpty)
    }

    @Test("--via book asks no swap venue, --via swap compares with the relay's book")
    func oneVenue() async throws {
        let bench = try await bench("0.9")
        let book = try await bench.plan(.buy, "10", via: .book).content
        #expect(book.venue == .book)
        #expect(book.alternatives.isEmpty)
        #expect(bench.swap.prices.isEmpty && bench.swap.quotes.isEmpty)
        let swap = try await bench.plan(.buy, "10", via: .swap).content
        #expect(swap.venue == .swap)
        #expect(swap.alternatives.isEmpty)
        #expect(swap.impactBasisPoints == 0)
        #expect(swap.mid == book.mid)
    }

    @Test("the network's own choice counts where a command names none")
    func settings() async throws {
        let bench = try await bench("0.9")
        for (own, wanted) in [(VenueChoice.book, VenueID.book), (.swap, .swap), (.best, .swap)] {
            let session = try bench.session(
                settings: SwapSettings(api: "http://127.0.0.1:3/swap", via: own)
            )
            #expect(try await bench.plan(.buy, "10", session: session).content.venue == wanted)
            let named = try await bench.plan(.buy, "10", via: .book, session: session)
            #expect(named.content.venue == .book)
        }
    }

    @Test("what a rollup takes for the bytes of each counts: the book's and the swap's")
    func rollupFees() async throws {
        // The swap's order is of the second maker, whose address is in its bytes.
        for (total, dearMaker, venue) in [("0.9", 1, VenueID.book), ("1.2", 0, .swap)] {
            let bench = try await bench(total)
            let expensive = bench.market.makers[dearMaker].address.bytes
            bench.onRead { reads, answers throws(ChainError) in
                zip(reads, answers).map { read, answer in
                    guard case .call(let call, _) = read, call.to == RollupOracle.optimism else {
                        return answer
                    }
                    let isDear =
                        call.data.starts(with: [0x49, 0x94, 0x8e, 0x0e])
                        && Hex.encode(call.data).contains(Hex.encode(expensive).dropFirst(2))
                    let fee = isDear ? TestMarket.units("0.05") : .zero
                    return .success(.bytes(fee.word.bytes))
                }
            }
            var session = try bench.session(
                settings: SwapSettings(api: "http://127.0.0.1:3/swap", via: .best)
            )
            #expect(try await bench.plan(.buy, "10", session: session).content.venue != venue)
            session.network.fees.rollupFee = .optimism
            let plan = try await bench.plan(.buy, "10", session: session).content
            #expect(plan.venue == venue && plan.alternatives.first?.venue != venue)
        }
    }

    static let failures: [LiquidityError] = [
        .unreachable(url: "http://127.0.0.1:3/swap", reason: "reset by peer"),
        .nonsense("no amount"),
        .rateLimited(url: "http://127.0.0.1:3/swap", retryAfter: 3),
        .badKey(url: "http://127.0.0.1:3/swap"),
        .regionBlocked(url: "http://127.0.0.1:3/swap"),
        .noLiquidity,
        .exactOutUnsupported,
        .refused(status: 400, name: "INPUT\u{1B}[31m", reason: "bad", fields: []),
    ]

    @Test("a swap venue that fails leaves the book, with the reason", arguments: failures)
    func swapFails(error: LiquidityError) async throws {
        let bench = try await bench("0.9")
        bench.fail(error)
        let plan = try await bench.plan(.buy, "10").content
        #expect(plan.venue == .book)
        let other = try #require(plan.alternatives.first)
        #expect(other.venue == .swap)
        #expect(other.average == nil && other.worst == nil && other.gas == nil)
        #expect(other.reason == PlainTextWords.first(of: DexError(error).message))
        #expect(!other.reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(bench.swap.quotes.isEmpty)
        let alone = await refusal { try await bench.plan(.buy, "10", via: .swap) }
        #expect(alone?.code == DexError(error).code)
        #expect(alone?.exit == DexError(error).exit)
    }

    @Test("a quote that fails after a better price leaves the book too", arguments: failures)
    func quoteFails(error: LiquidityError) async throws {
        let bench = try await bench("0.9")
        bench.swap.set { $0.onQuote = { _, _ in .failure(error) } }
        let plan = try await bench.plan(.buy, "10").content
        #expect(plan.venue == .book)
        #expect(plan.alternatives.map(\.venue) == [.swap])
        #expect(plan.alternatives[0].average == nil)
        #expect(bench.swap.quotes.count == 1)
    }

    @Test("a relay that fails, or an empty book, leaves the swap venue, with the reason")
    func bookFails() async throws {
        let bench = try await bench("0.9")
        let failures: [RelayError] = [
            .unreachable(url: "http://127.0.0.1:2/v0", reason: "refused"), .nonsense("no list"),
            .rateLimited(url: "http://127.0.0.1:2/v0", retryAfter: nil),
        ]
        for failure in failures {
            bench.market.relay.set { $0.book = .failure(failure) }
            let plan = try await bench.plan(.buy, "10").content
            #expect(plan.venue == .swap)
            #expect(plan.alternatives.map(\.venue) == [.book])
            #expect(plan.alternatives[0].average == nil)
            #expect(plan.impactBasisPoints == nil)
        }
        bench.market.setBook()
        #expect(try await bench.plan(.buy, "10").content.venue == .swap)
        bench.market.setBook(asks: [try await bench.market.ask(0, "3", for: "0.03")])
        let thin = try await bench.plan(.buy, "10").content
        #expect(thin.venue == .swap)
        #expect(thin.alternatives.map(\.venue) == [.book])
    }

    @Test("if no venue can trade, both are named: exit 4 if one is unreachable, else 6")
    func bothFail() async throws {
        let bench = try await bench("0.9")
        bench.market.setBook()
        for error in Self.failures {
            bench.fail(error)
            let both = await refusal { try await bench.plan(.buy, "10") }
            let isUnreachable = DexError(error).exit == .unreachable
            #expect(both?.exit == (isUnreachable ? .unreachable : .refused))
            #expect(both?.code == (isUnreachable ? "no-venue" : "no-liquidity"))
            #expect(both?.hint?.contains("--via") == true)
        }
        bench.market.relay.set {
            $0.book = .failure(.unreachable(url: "http://127.0.0.1:2/v0", reason: "refused"))
        }
        bench.fail(.noLiquidity)
        let both = await refusal { try await bench.plan(.buy, "10") }
        #expect(both?.exit == .unreachable)
        #expect(both?.message.contains("127.0.0.1:2") == true)
        #expect(both?.message.contains("has no liquidity") == true)
        try bench.expectNothingDone()
    }

    @Test("without a relay the swap venue is used, and the book is not to be had")
    func noRelay() async throws {
        let bench = try await bench("0.9")
        let session = try bench.session(withRelay: false)
        #expect(try await bench.plan(.buy, "10", session: session).content.venue == .swap)
        let error = await refusal {
            try await bench.plan(.buy, "10", via: .book, session: session)
        }
        #expect(error?.code == "no-relay")
        #expect(error?.exit == .configuration)
    }

    @Test("without its key the swap venue is left out, or named with exit 3 if it is needed")
    func noKey() async throws {
        let bench = try await bench("0.9")
        let session = try bench.session(hasKey: false)
        let plan = try await bench.plan(.buy, "10", session: session).content
        #expect(plan.venue == .book)
        #expect(plan.alternatives.isEmpty)
        let alone = await refusal {
            try await bench.plan(.buy, "10", via: .swap, session: session)
        }
        #expect(alone?.code == "no-swap-key")
        #expect(alone?.exit == .configuration)
        let ether = await refusal {
            try await bench.plan(.buy, "10", pair: "ZRX/ETH", session: session)
        }
        #expect(ether?.code == "no-swap-key")
        let neither = try bench.session(withRelay: false, hasKey: false)
        let both = await refusal { try await bench.plan(.buy, "10", session: neither) }
        #expect(both?.code == "no-swap-key")
        let none = try bench.session(settings: nil)
        let unset = await refusal {
            try await bench.plan(.buy, "10", via: .swap, session: none)
        }
        #expect(unset?.code == "no-swap")
        #expect(unset?.exit == .configuration)
        #expect(bench.swap.prices.isEmpty)
    }

    @Test("the chain's own coin is not on a relay's book, and needs no Permit2 message")
    func nativeCoin() async throws {
        let bench = try await bench("0.9")
        let book = await refusal { try await bench.plan(.buy, "10", pair: "ZRX/ETH", via: .book) }
        #expect(book?.code == "native-on-book")
        #expect(book?.exit == .refused)
        let permit = await refusal {
            try await bench.model().plan(
                MarketRequest(side: .sell, pair: "ETH/ZRX", amount: "1", usesPermit: true),
                account: bench.market.trader.address
            )
        }
        #expect(permit?.code == "permit-of-native")
        #expect(permit?.exit == .usage)
        #expect(bench.swap.prices.isEmpty)
        #expect(bench.market.relay.requests.isEmpty)
    }

    @Test("a node that fails, or is on another chain, ends the command: no venue replaces it")
    func nodeFails() async throws {
        let bench = try await bench("0.9")
        bench.onRead { _, _ throws(ChainError) in throw .lost }
        for via in [VenueChoice.best, .book, .swap] {
            let error = await refusal { try await bench.plan(.buy, "10", via: via) }
            #expect(error?.code == "node-unreachable")
            #expect(error?.exit == .unreachable)
        }
        bench.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { $0 == .chainID ? .success(.number(1)) : $1 }
        }
        for via in [VenueChoice.best, .book, .swap] {
            let error = await refusal { try await bench.plan(.buy, "10", via: via) }
            #expect(error?.code == "wrong-chain")
        }
        try bench.expectNothingDone()
    }
}

/// The shown form of a failure's message.
private enum PlainTextWords {
    static func first(of message: String) -> String { PlainText.sentence(message, limit: 300) }
}
