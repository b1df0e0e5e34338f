import DexCore
import Ethereum
import Testing
import ZeroEx

@testable import DexTerminal

/// What stands right above the question, and the question.
@Suite struct PlanScreenTests {
    private func numbers(_ plan: TradePlan, _ screen: Screen) -> [String] {
        let lines = TradePlanView(plan: plan).lines(screen)
        return Array(lines.split(separator: "", omittingEmptySubsequences: false).last ?? [])
    }

    @Test(
        "the numbers are the last lines, at most 12, whatever the number of orders",
        arguments: [40, 80, 120],
        [3, 40, 400]
    )
    func atMost(width: Int, count: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now)
        let last = numbers(Fixtures.longPlan(count), screen)
        #expect(last.count <= 12)
        let text = last.joined(separator: "\n")
        for label in ["pay", "receive", "price", "mid", "impact", "network fee", "WETH"] {
            #expect(text.contains("  \(label)"), "\(label) at \(width)")
        }
    }

    @Test(
        "the numbers of limit orders stand there too: price against mid, fee, balances",
        arguments: [40, 80, 120]
    )
    func limitOrders(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now)
        for (name, lines) in [
            ("limit-plan", LimitPlanView(plan: ScreenTests.limitPlan).lines(screen)),
            ("ladder-plan", LadderPlanView(plan: Typed.ladderPlan).lines(screen)),
            ("replace-plan", ReplaceOrderPlanView(plan: Typed.replacePlan).lines(screen)),
        ] {
            let parts = lines.split(separator: "", omittingEmptySubsequences: false)
            let last = try #require(parts.last)
            #expect(last.count <= 12, "\(name) at \(width)")
            let text = last.joined(separator: "\n")
            var labels = ["give", "get", "price", "mid", "expires"]
            if name != "limit-plan" { labels.append("network fee") }
            // At 40 columns each balance takes two lines.
            if width > 40 { labels += ["ZRX", "WETH"] }
            for label in labels {
                #expect(text.contains("  \(label) "), "\(name) at \(width): \(label)")
            }
            #expect(lines.contains { $0.contains("once filled") })
        }
    }

    @Test("what does not fit right above the question is said further up")
    func narrow() {
        let screen = Screen(width: 40, style: .plain, now: Fixtures.now)
        let all = TradePlanView(plan: Fixtures.buyPlan).lines(screen).joined(separator: "\n")
        for label in ["pay", "receive", "WETH", "ZRX", "ETH"] {
            #expect(all.contains("  \(label) "), "\(label)")
        }
    }

    @Test("the list of orders is shortened, and whole with --verbose")
    func shortened() {
        let plan = Fixtures.longPlan(40)
        func text(isVerbose: Bool) -> String {
            let screen = Screen(
                width: 80,
                style: .plain,
                now: Fixtures.now,
                isVerbose: isVerbose
            )
            return TradePlanView(plan: plan).lines(screen).joined(separator: "\n")
        }
        let last = plan.legs[39].orderHash.hex.prefix(10)
        #expect(text(isVerbose: false).contains("… 34 more, the last at 0.001250000 (--verbose)"))
        #expect(!text(isVerbose: false).contains(last))
        #expect(text(isVerbose: true).contains(last))
        #expect(!text(isVerbose: true).contains(" more, "))
    }

    @Test("a plan without a mid says so")
    func noMid() {
        var plan = Fixtures.buyPlan
        plan.mid = nil
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        let text = numbers(plan, screen).joined(separator: "\n")
        #expect(text.contains("unknown: no book with a bid and an ask"))
    }

    @Test("the question repeats the trade")
    func trade() {
        #expect(
            PlanQuestion(Fixtures.buyPlan)
                == PlanQuestion("Buy ~2500 ZRX (min 2475) for ~3.0305 WETH (max 3.060805)?")
        )
        #expect(
            PlanQuestion(Fixtures.exactPlan) == PlanQuestion("Buy 2500 ZRX for 3.0305 WETH?")
        )
    }

    @Test("a price outside the safety limit wants a word")
    func guarded() {
        #expect(PlanQuestion(Fixtures.longPlan(3)).word == "buy")
        #expect(PlanQuestion(Fixtures.buyPlan).word == nil)
    }

    @Test("each other plan has its own question")
    func others() {
        #expect(PlanQuestion(Fixtures.wrapPlan).text == "Wrap 2 ETH?")
        #expect(
            PlanQuestion(Fixtures.sendPlan).text
                == "Send 1.5 ZRX to \(Fixtures.sendPlan.recipient.checksummed)?"
        )
        var named = Fixtures.sendPlan
        named.recipientName = "ledger"
        #expect(PlanQuestion(named).text == "Send 1.5 ZRX to ledger?")
        #expect(PlanQuestion(Fixtures.allowancePlan(.max)).text == "Allow all USDC to be moved?")
        #expect(PlanQuestion(Fixtures.allowancePlan(0)).text == "Take the allowance of USDC back?")
    }
}
