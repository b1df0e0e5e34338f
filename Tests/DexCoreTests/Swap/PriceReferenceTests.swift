import Ethereum
import EthereumWallet
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("One reference price for every venue: the verified book, whatever its depth")
struct PriceReferenceTests {
    /// A venue that trades 100 ZRX for so much, beside a book.
    private func bench(
        _ swapTotal: String,
        _ side: TradeSide = .buy,
        bid: (zrx: String, weth: String)? = nil,
        ask: (zrx: String, weth: String)? = nil
    ) async throws -> SwapBench {
        let bench = try SwapBench()
        var bids: [any SignedOrder] = []
        var asks: [any SignedOrder] = []
        if let bid { bids.append(try await bench.market.bid(0, bid.zrx, for: bid.weth)) }
        if let ask { asks.append(try await bench.market.ask(0, ask.zrx, for: ask.weth)) }
        bench.market.setBook(bids: bids, asks: asks)
        bench.serve(
            side == .buy
                ? try await bench.market.ask(1, "100", for: swapTotal)
                : try await bench.market.bid(1, "100", for: swapTotal)
        )
        return bench
    }

    /// About 0.01 WETH for a ZRX, for 3 ZRX a side.
    private static let thin = (bid: (zrx: "3", weth: "0.0299"), ask: (zrx: "3", weth: "0.03"))

    @Test(
        "a book too thin for the amount refuses a swap more than 20 % behind its best price",
        arguments: [TradeSide.buy, .sell]
    )
    func thinBook(side: TradeSide) async throws {
        let bench = try await bench(
            side == .buy ? "1.35" : "0.65",
            side,
            bid: Self.thin.bid,
            ask: Self.thin.ask
        )
        for via in [VenueChoice.best, .swap] {
            let error = await refusal { try await bench.plan(side, "10", via: via) }
            #expect(error?.code == "impact-too-high", "\(via)")
            #expect(error?.exit == .refused)
            let plan = try await bench.plan(side, "10", via: via) { $0.allowsHighImpact = true }
                .content
            #expect(plan.venue == .swap)
            #expect(plan.mid != nil)
            #expect((3_400...3_600).contains(plan.impactBasisPoints ?? 0))
            #expect(plan.warnings.contains { $0.hasPrefix("PRICE IMPACT") })
            #expect(plan.word == side.rawValue)
        }
        try bench.expectNothingDone()
        let fair = try await self.bench(
            side == .buy ? "1.02" : "0.98",
            side,
            bid: Self.thin.bid,
            ask: Self.thin.ask
        )
        let plan = try await fair.plan(side, "100").content
        #expect(plan.venue == .swap)
        #expect((150...250).contains(plan.impactBasisPoints ?? 0))
        #expect(!plan.warnings.contains { $0.contains("NOT COMPARED") })
    }

    @Test("the chain's coin is compared with the book of its wrapped form")
    func coin() async throws {
        let bench = try await bench("0.65", .sell, bid: Self.thin.bid, ask: Self.thin.ask)
        for via in [nil, VenueChoice.swap] {
            let error = await refusal {
                try await bench.plan(.sell, "10", pair: "ZRX/ETH", via: via)
            }
            #expect(error?.code == "impact-too-high")
        }
        try bench.expectNothingDone()
        let fair = try await self.bench("0.98", .sell, bid: Self.thin.bid, ask: Self.thin.ask)
        let plan = try await fair.plan(.sell, "10", pair: "ZRX/ETH").content
        #expect(plan.mid != nil)
        #expect((100...250).contains(plan.impactBasisPoints ?? 0))
        let reference = try await PriceReference.read(
            of: try await MarketPair(session: try fair.session()).pair("ETH/WETH"),
            side: .buy,
            account: fair.market.trader.address,
            context: try fair.model().context
        ).get()
        guard case .parity = reference else {
            Issue.record("\(reference)")
            return
        }
        let expensive = try #require(Price(quote: 11, base: 10))
        #expect(reference.impact(of: expensive, for: 1, side: .buy) == 1_000)
        #expect(reference.impact(of: expensive, for: 1, side: .sell) == 0)
        #expect(reference.gap(for: .buy) == nil)
    }

    @Test(
        "without anything to compare with the plan warns, and from 0.5 of the coin it needs a flag"
    )
    func nothing() async throws {
        let bench = try await bench("1")
        let gone = try await self.bench("1")
        gone.market.relay.set {
            $0.book = .failure(.unreachable(url: "http://127.0.0.1:2/v0", reason: "refused"))
        }
        let cases: [(SwapBench, Session)] = [
            (bench, try bench.session()), (bench, try bench.session(withRelay: false)),
            (gone, try gone.session()),
        ]
        for (bench, session) in cases {
            for via in [VenueChoice.best, .swap] {
                let small = try await bench.plan(.buy, "50", via: via, session: session).content
                #expect(small.mid == nil && small.impactBasisPoints == nil)
                #expect(small.warnings.first?.hasPrefix("THE PRICE IS NOT COMPARED") == true)
                let large = await refusal {
                    try await bench.plan(.buy, "51", via: via, session: session)
                }
                #expect(large?.code == "price-unchecked")
                #expect(large?.exit == .refused)
                #expect(large?.message.contains("0.51 WETH are traded, more than 0.5") == true)
                #expect(large?.hint?.contains("--max-price") == true)
                let flagged = try await bench.plan(.buy, "51", via: via, session: session) {
                    $0.allowsUncheckedPrice = true
                }
                #expect(flagged.content.warnings.first?.contains("NOT COMPARED") == true)
                let limited = try await bench.plan(
                    .buy,
                    "51",
                    limit: "0.011",
                    via: via,
                    session: session
                )
                #expect(limited.content.warnings.first?.contains("NOT COMPARED") == true)
            }
            try bench.expectNothingDone()
        }
    }

    @Test("a lone order of the own side is no reference on any venue; another venue's price is")
    func oneSided() async throws {
        let bench = try await bench("1.3", ask: (zrx: "100", weth: "1.2"))
        let alone = await refusal { try await bench.plan(.buy, "60", via: .book) }
        #expect(alone?.code == "price-unchecked")
        #expect(alone?.message.contains("has no buy orders, only sell orders") == true)
        let small = try await bench.plan(.buy, "10", via: .book).content
        #expect(small.warnings.first?.hasPrefix("THE PRICE IS NOT COMPARED") == true)
        let both = try await bench.plan(.buy, "60").content
        #expect(both.venue == .book)
        #expect(!both.warnings.contains { $0.contains("NOT COMPARED") })
    }

    @Test("a buyer without sell orders is compared with the bid, a seller with the ask")
    func otherSide() async throws {
        let buyer = try await bench("1.35", bid: (zrx: "3", weth: "0.03"))
        #expect(
            await refusal { try await buyer.plan(.buy, "10") }?.code == "impact-too-high"
        )
        let seller = try await bench("0.65", .sell, ask: (zrx: "3", weth: "0.03"))
        #expect(
            await refusal { try await seller.plan(.sell, "10") }?.code == "impact-too-high"
        )
    }

    @Test(
        "a quote that is younger than its plan is compared again; without a book it is not signed"
    )
    func comparedAgain() async throws {
        let bench = try await bench(
            "1",
            bid: (zrx: "3", weth: "0.0299"),
            ask: (zrx: "3", weth: "0.03")
        )
        let plan = try await bench.plan(.buy, "10", via: .swap)
        #expect(plan.content.impactBasisPoints == 0)
        bench.market.relay.set {
            $0.book = .failure(.unreachable(url: "http://127.0.0.1:2/v0", reason: "refused"))
        }
        // The plan's own quote, young enough to be sent.
        let young = await refusal {
            try await bench.model().execute(plan, signer: bench.market.signer)
        }
        #expect(young?.code == "book-unread")
        bench.market.clock.pass(seconds: 60)
        bench.market.relay.set {
            $0.book = .failure(.unreachable(url: "http://127.0.0.1:2/v0", reason: "refused"))
        }
        let unread = await refusal {
            try await bench.model().execute(plan, signer: bench.market.signer)
        }
        #expect(unread?.code == "book-unread")
        #expect(unread?.exit == .unreachable)
        // The market fell by half meanwhile.
        bench.market.setBook(
            bids: [try await bench.market.bid(0, "3", for: "0.0149")],
            asks: [try await bench.market.ask(0, "3", for: "0.015")]
        )
        let moved = await refusal {
            try await bench.model().execute(plan, signer: bench.market.signer)
        }
        #expect(moved?.code == "impact-too-high")
        try bench.expectNothingDone()
    }

    @Test("a lone order far away does not excuse a price: then the middle counts, and is said")
    func far() async throws {
        // Sold for ten times what is paid for it: 0.055 in the middle.
        let bench = try await bench(
            "7",
            bid: (zrx: "300", weth: "3"),
            ask: (zrx: "3", weth: "0.3")
        )
        let error = await refusal { try await bench.plan(.buy, "50", via: .swap) }
        #expect(error?.code == "impact-too-high")
        let plan = try await bench.plan(.buy, "50", via: .swap) { $0.allowsHighImpact = true }
            .content
        #expect(plan.warnings.contains { $0.contains("% apart") })
    }
}
