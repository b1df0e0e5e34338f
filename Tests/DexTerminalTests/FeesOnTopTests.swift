import DexStore
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

/// `pay` has one meaning on all screens: with the fees that are in the token that is paid.
@Suite("What is paid is shown with the fees in it")
struct FeesOnTopTests {
    private let plan = Fixtures.feesOnTopPlan
    private let screen = Screen(width: 100, style: .plain, now: 0)

    @Test("in the plan: headline, amounts and each order")
    func inPlan() {
        let lines = TradePlanView(plan: plan).lines(screen)
        #expect(lines.first == "Buy ~2500 ZRX (>= 2475) for ~3.0335 WETH (<= 3.063805)")
        #expect(lines.contains("  pay          ~3.0335 WETH (max 3.063805)"))
        #expect(lines.contains("  fees         0.003 WETH to the relays, in what is paid"))
        // 1.8165 and 1.214, and 0.0015 each.
        #expect(lines.contains { $0.contains(" 1.8180 ") && $0.contains("1500.00") })
        #expect(lines.contains { $0.contains(" 1.2155 ") && $0.contains("1000.00") })
    }

    @Test("a bound that is what is expected is not said twice")
    func exact() {
        let lines = TradePlanView(plan: Fixtures.exactPlan).lines(screen)
        #expect(lines.contains("  pay          at most 3.0305 WETH"))
        #expect(lines.contains("  receive      at least 2500 ZRX"))
    }

    @Test("in the plan's JSON")
    func inJSON() {
        let data = TradeJSON.plan(plan)["plan"]
        #expect(data?["pay"]?["expected"]?["value"] == "3.0335")
        #expect(data?["pay"]?["max"]?["value"] == "3.063805")
        #expect(data?["fees"]?["value"] == "0.003")
        #expect(data?["orders"]?.arrayValue?.first?["payAmount"]?["value"] == "1.818")
    }

    @Test("in the outcome, beside what was expected")
    func inOutcome() {
        let outcome = TradeOutcome(
            plan: plan,
            transactions: [Fixtures.sent(.fill, .confirmed)],
            received: Fixtures.milli(2_500_000),
            paid: 3_030_500_000_000_000_000,
            fees: 2_000_000_000_000_000,
            effectivePrice: nil,
            legs: [],
            warnings: [],
            ending: .done
        )
        let lines = TradeOutcomeView(outcome: outcome).lines(screen)
        #expect(lines.first == "Bought 2500 ZRX for 3.0325 WETH")
        #expect(lines.contains("  paid      3.0325 WETH (expected 3.0335 WETH)"))
        #expect(lines.contains("  fees      0.002 WETH, in what was paid"))
    }

    @Test("fees in another token are beside it")
    func beside() {
        let lines = TradePlanView(plan: Fixtures.buyPlan).lines(screen)
        #expect(lines.first == "Buy ~2500 ZRX (>= 2475) for ~3.0305 WETH (<= 3.060805)")
        #expect(lines.contains("  fees         1.25 ZRX to the relays"))
    }
}
