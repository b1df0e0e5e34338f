import Ethereum
import EthereumWallet
import Testing
import Uniswap
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

/// Without a relay, at Uniswap's pools of the simulated chain: 0.01 WETH for a ZRX.
@Suite("Where there is no book, Uniswap's pools are the reference of every venue")
struct PoolReferenceTests {
    private func bench(
        _ scene: LiveMarket.PoolScene = LiveMarket.PoolScene(),
        zrx: String = "10000"
    ) throws -> SwapBench {
        try SwapBench(LiveMarket.Holdings(zrx: zrx, pools: scene.genesis()))
    }

    /// A pair of 50,000 ZRX alone, which keeps no mean.
    private func pair(zrx: String = "10000") throws -> SwapBench {
        try bench(LiveMarket.PoolScene(cardinality: nil, hasPair: true), zrx: zrx)
    }

    private static let noRelay = "There is no relay, so there is no book."
    private static let noMean =
        "Only v3 pools keep one, and none has a tenth of the depth of ZRX/WETH."

    private func isUnchecked(_ plan: TradePlan) -> Bool {
        plan.warnings.contains { $0.contains("NOT COMPARED") }
    }

    // MARK: At the pools

    @Test("its own price impact is shown, and with a mean nothing is left unchecked")
    func impact() async throws {
        let bench = try bench()
        // 5,000 of the 1,000,000 ZRX that the price stands on are half a percent of the average.
        for side in [TradeSide.sell, .buy] {
            let plan = try await bench.plan(side, "5000", via: .pools).content
            #expect(plan.venue == .pools && plan.mid != nil)
            #expect((45...60).contains(try #require(plan.impactBasisPoints)), "\(side)")
            #expect(!isUnchecked(plan) && !plan.isUncheckedBeyondLimit)
            let small = try await bench.plan(side, "10", via: .pools).content
            #expect(try #require(small.impactBasisPoints) <= 1)
        }
    }

    @Test("above 20 % it is refused, and allowed it is shown")
    func tooHigh() async throws {
        let bench = try pair(zrx: "20000")
        // The average of 20,000 into 50,000 is 50/70 of the price.
        let error = await refusal {
            try await bench.plan(.sell, "20000", via: .pools) { $0.allowsUncheckedPrice = true }
        }
        #expect(error?.code == "impact-too-high" && error?.exit == .refused)
        let plan = try await bench.plan(.sell, "20000", via: .pools) {
            ($0.allowsUncheckedPrice, $0.allowsHighImpact) = (true, true)
        }.content
        #expect((2_800...2_900).contains(try #require(plan.impactBasisPoints)))
        #expect(plan.warnings.contains { $0.hasPrefix("PRICE IMPACT") })
        #expect(plan.word == "sell")
        try bench.expectNothingDone()
    }

    @Test(
        "a price more than 5 % behind the mean of the last minutes counts, one of 3 % does not",
        arguments: [("15000", false), ("32000", true)]
    )
    func behindMean(sold: String, counts: Bool) async throws {
        let bench = try bench()
        try await bench.market.rivalTrades(.sell, sold)
        let plan = try await bench.plan(.sell, "100", via: .pools).content
        let points = try #require(plan.impactBasisPoints)
        #expect(counts ? (550...700).contains(points) : points <= 3, "\(points)")
        #expect(plan.warnings.contains { $0.hasPrefix("PRICE IMPACT") } == counts)
        // Whoever buys gets it cheaper than the mean.
        let purchase = try await bench.plan(.buy, "100", via: .pools).content
        #expect(try #require(purchase.impactBasisPoints) <= 3)
        try bench.expectNothingDone(sent: 1)
    }

    @Test(
        "without a mean it is not compared, for both reasons; from 0.5 of the coin it needs a flag"
    )
    func noMean() async throws {
        let bench = try pair()
        let small = try await bench.plan(.sell, "40", via: .pools).content
        let warning = try #require(small.warnings.first)
        #expect(warning.hasPrefix("THE PRICE IS NOT COMPARED"))
        #expect(warning.contains(Self.noRelay) && warning.contains(Self.noMean))
        // Its own impact is known all the same.
        #expect(small.mid != nil && small.impactBasisPoints != nil)
        let large = await refusal { try await bench.plan(.sell, "60", via: .pools) }
        #expect(large?.code == "price-unchecked" && large?.exit == .refused)
        #expect(large?.message.contains(Self.noMean) == true)
        let limited = try await bench.plan(.sell, "60", limit: "0.0098", via: .pools).content
        #expect(isUnchecked(limited))
        let flagged = try await bench.plan(.sell, "60", via: .pools) {
            $0.allowsUncheckedPrice = true
        }.content
        #expect(isUnchecked(flagged) && flagged.isUncheckedBeyondLimit)
        try bench.expectNothingDone()
    }

    @Test("the chain's coin is compared with the pools of its wrapped form")
    func coin() async throws {
        let bench = try bench()
        let plan = try await bench.plan(.sell, "100", pair: "ZRX/ETH", via: .pools).content
        #expect(plan.mid != nil && plan.impactBasisPoints != nil && !isUnchecked(plan))
    }

    // MARK: At the Swap API

    @Test("a trade at the Swap API is compared with the pools, with and without a mean")
    func swap() async throws {
        for bench in [try bench(), try pair()] {
            bench.serve(try await bench.market.bid(1, "100", for: "0.98"))
            for amount in ["10", "100"] {
                let plan = try await bench.plan(.sell, amount, via: .swap).content
                #expect(plan.venue == .swap && plan.mid != nil && !isUnchecked(plan))
                #expect((100...200).contains(try #require(plan.impactBasisPoints)))
            }
            bench.serve(try await bench.market.bid(1, "100", for: "0.75"))
            let error = await refusal { try await bench.plan(.sell, "10", via: .swap) }
            #expect(error?.code == "impact-too-high")
            try bench.expectNothingDone()
        }
    }

    @Test("a reference that cannot be read again right before the signature stops the trade")
    func unread() async throws {
        let bench = try bench()
        bench.serve(try await bench.market.bid(1, "100", for: "0.98"))
        let plan = try await bench.plan(.sell, "10", via: .swap)
        // The factories know no pool any more.
        let pools = try #require(bench.market.network.pools)
        let factories = [pools.v2Factory, pools.v3Factory]
        bench.onRead { reads, answers throws(ChainError) in
            zip(reads, answers).map { read, answer in
                guard case .call(let call, _) = read, factories.contains(call.to) else {
                    return answer
                }
                return .success(.bytes(UInt256.zero.word.bytes))
            }
        }
        let error = await refusal {
            try await bench.model().execute(plan, signer: bench.market.signer)
        }
        #expect(error?.code == "book-unread" && error?.exit == .unreachable)
        #expect(error?.message.contains(Self.noRelay) == true)
        try bench.expectNothingDone()
        bench.onRead()
        let outcome = try await bench.model().execute(plan, signer: bench.market.signer)
        #expect(outcome.ending == .done)
    }

    @Test("a price that the pools left behind by then is refused, and nothing is signed")
    func fallen() async throws {
        let bench = try pair()
        bench.serve(try await bench.market.bid(1, "100", for: "0.98"))
        let plan = try await bench.plan(.sell, "10", via: .swap)
        // 8,000 of 50,000 ZRX bought raise the price by two fifths.
        try await bench.market.rivalTrades(.buy, "8000")
        let error = await refusal {
            try await bench.model().execute(plan, signer: bench.market.signer)
        }
        #expect(error?.code == "impact-too-high")
        try bench.expectNothingDone(sent: 1)
    }
}
