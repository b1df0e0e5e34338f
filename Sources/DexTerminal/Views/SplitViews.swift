import DexCore
import Ethereum
import ZeroEx

/// Shows the parts of a divided market order before anything is signed.
struct SplitPlanView: Sendable {
    let plan: SplitPlan

    func lines(_ screen: Screen) -> [String] {
        guard plan.isSplit else {
            return TradePlanView(
                plan: plan.first,
                note: "not split: no two venues together are better than this one alone"
            ).lines(screen)
        }
        var shown = PlanScreen("\(plan.headline), in \(plan.parts.count) parts")
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.first.block)")
        shown.addSteps(plan.parts.flatMap(\.steps))
        shown.lists = [
            parts(screen),
            SwapText.alternatives(plan.alternatives, of: plan.pair, screen),
        ]
        shown.warnings = plan.warnings
        if let origin = plan.origin { shown.add(.amount, origin, plan.first.gas.coin) }
        shown.add(.pay, plan.payText)
        shown.add(.receive, plan.receiveText)
        shown.add(.price, plan.average.map { NumberText.unitPrice($0, plan.pair) })
        if let average = plan.average { shown.addMid(plan.first.mid, of: average, plan.pair) }
        let coin = plan.first.gas.coin
        shown.add(
            .networkFee,
            "~\(NumberText.ether(plan.presentGas, coin)) "
                + "(max \(NumberText.etherValue(plan.maximumGas)))"
        )
        shown.addBalances(plan.balances, NumberText.change)
        return shown.lines(screen)
    }

    /// What each part pays and brings, and by which price.
    private func parts(_ screen: Screen) -> [String] {
        let (pay, receive) = (plan.payToken, plan.receiveToken)
        var table = Table([
            .init("PART"), .init("VENUE"),
            .init("PAY \(PlainText.name(pay.symbol))", .right), .init("MAX", .right, dropOrder: 2),
            .init("RECEIVE \(PlainText.name(receive.symbol))", .right),
            .init("MIN", .right, dropOrder: 3),
            .init("PRICE", .right),
            .init("NETWORK FEE", .right, dropOrder: 1),
        ])
        for (index, part) in plan.parts.enumerated() {
            func paid(_ raw: UInt256) -> String { NumberText.briefValue(raw, pay.decimals, .up) }
            func got(_ raw: UInt256) -> String {
                NumberText.briefValue(raw, receive.decimals, .down)
            }
            table.add([
                .init("\(index + 1)"),
                .init(part.venue.rawValue),
                .init(paid(part.expectedCost)), .init(paid(part.maximumCost)),
                .init(got(part.expectedReceive)), .init(got(part.minimumReceive)),
                .init(SwapText.price(part.average, plan.pair)),
                .init("~\(NumberText.ether(part.gas.presentCost, part.gas.coin))"),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}

/// Shows what the parts of a divided market order really did.
struct SplitOutcomeView: Sendable {
    let outcome: SplitOutcome

    func lines(_ screen: Screen) -> [String] {
        let plan = outcome.plan
        guard plan.isSplit else {
            return outcome.parts.first.map { TradeOutcomeView(outcome: $0).lines(screen) } ?? []
        }
        let traded = outcome.parts.count { $0.error == nil }
        let all = plan.parts.count
        var lines = screen.title(
            headline(traded, of: all),
            traded == all ? .green : .yellow
        )
        for (index, part) in outcome.parts.enumerated() {
            lines += [""]
            lines += screen.sentences("Part \(index + 1) of \(all), \(part.plan.venue.rawValue):")
            lines += TradeOutcomeView(outcome: part).lines(screen)
        }
        // What the part that failed had sent stands in no outcome of a part.
        let known = Set(outcome.parts.flatMap(\.transactions).map(\.hash))
        let others = outcome.transactions.filter { !known.contains($0.hash) }
        if outcome.parts.count < all {
            let next = plan.parts[outcome.parts.count]
            lines += [""]
            lines += screen.sentences(
                "Part \(outcome.parts.count + 1) of \(all), \(next.venue.rawValue): not traded.",
                .yellow
            )
            lines += TransactionLines.lines(others, screen)
        }
        return lines
    }

    private func headline(_ traded: Int, of all: Int) -> String {
        let plan = outcome.plan
        guard traded > 0, let received = outcome.received, let cost = outcome.cost else {
            return "Traded \(traded) of \(all) parts"
        }
        let got = NumberText.brief(received, plan.receiveToken, .down)
        let paid = NumberText.brief(cost, plan.payToken, .up)
        let words = plan.side == .buy ? "Bought \(got) for \(paid)" : "Sold \(paid) for \(got)"
        return traded == all ? "\(words), in \(all) parts" : "\(words): \(traded) of \(all) parts"
    }
}
