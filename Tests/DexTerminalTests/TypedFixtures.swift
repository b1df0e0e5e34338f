import DexStore
import Ethereum
import ZeroEx

@testable import DexCore
@testable import DexTerminal

/// Plans of typed amounts and prices, ladders and replaced orders.
enum Typed {
    static var relativePlan: LimitPlan {
        var plan = ScreenTests.limitPlan
        plan.relative = RelativePrice(
            typed: "mid+0.1%",
            price: Fixtures.price(1_200),
            bid: Fixtures.price(1_190),
            ask: Fixtures.price(1_208),
            block: 21_345_678
        )
        return plan
    }

    static var spendPlan: TradePlan {
        var plan = Fixtures.buyPlan
        plan.origin = AmountOrigin(
            typed: "50%",
            isSpend: true,
            amount: TokenAmount(raw: Fixtures.milli(3_061), token: Fixtures.weth),
            available: TokenAmount(raw: Fixtures.milli(6_123), token: Fixtures.weth)
        )
        return plan
    }

    static var sharePlan: TradePlan {
        var plan = Fixtures.buyPlan
        plan.origin = AmountOrigin(
            typed: "max",
            isSpend: false,
            amount: TokenAmount(raw: Fixtures.milli(9_998), token: Fixtures.weth),
            available: TokenAmount(raw: Fixtures.milli(9_998), token: Fixtures.weth),
            reserved: Wei(2_000_000_000_000_000)
        )
        return plan
    }

    static let replacePlan = ReplaceOrderPlan(
        cancel: ScreenTests.cancelPlan,
        order: {
            var order = ScreenTests.limitPlan
            order.balances = Fixtures.limitBalances(gives: 10_000, gets: 12, gas: Fixtures.gas)
            return order
        }(),
        gas: Fixtures.gas,
        steps: ScreenTests.cancelPlan.steps,
        warnings: [ReplaceOrderModel.gap] + ScreenTests.limitPlan.warnings,
        stop: nil
    )

    private static let cancelled = CancelOutcome(
        transactions: [Fixtures.sent(.cancel, .confirmed)],
        rows: [
            CancelOutcome.Row(
                orderHash: Fixtures.hash(31),
                status: .cancelled,
                filledMeanwhile: 0,
                cancelled: Fixtures.milli(500),
                takerToken: Fixtures.weth
            )
        ],
        warnings: [],
        ending: .done
    )

    static let replaced = ReplaceOrderOutcome(
        plan: replacePlan,
        approvals: [],
        cancelled: cancelled,
        placed: ScreenTests.limitOutcome
    )

    static let halfReplaced = ReplaceOrderOutcome(
        plan: replacePlan,
        approvals: [],
        cancelled: cancelled,
        failure: ReplaceOrderError.notPlaced(LimitError.pairCancelled)
    )

    static var ladderPlan: LadderPlan {
        var plan = LadderPlan(
            rungs: (0..<5).map { relative(UInt64($0)) },
            steps: [
                PlannedTransaction(
                    purpose: .approve,
                    summary: "approve 50 ZRX to the transfer contract 0x8dA0",
                    gasLimit: 50_000
                )
            ],
            gas: Fixtures.gas,
            warnings: ["The book has no buy orders to compare the price with."],
            stop: nil
        )
        plan.balances = Fixtures.limitBalances(gives: 50_000, gets: 70, gas: Fixtures.gas)
        return plan
    }

    private static func relative(_ step: UInt64) -> LimitPlan {
        let plan = ScreenTests.limitPlan
        return LimitPlan(
            side: plan.side,
            pair: plan.pair,
            account: plan.account,
            draft: plan.draft,
            orderHash: Fixtures.hash(31 + step),
            give: plan.give,
            get: TokenAmount(raw: Fixtures.milli(12 + step), token: Fixtures.weth),
            price: Fixtures.price(1_200 + step * 100),
            makerFee: plan.makerFee,
            takerFee: nil,
            expires: plan.expires,
            targets: Array(plan.targets.prefix(1)),
            steps: [],
            gas: nil,
            warnings: []
        )
    }

    static var ladderStopped: LadderOutcome {
        LadderOutcome(
            plan: ladderPlan,
            transactions: [Fixtures.sent(.approve, .confirmed)],
            placed: [ScreenTests.limitOutcome, ScreenTests.limitOutcome],
            failure: LimitError.pairCancelled
        )
    }
}
