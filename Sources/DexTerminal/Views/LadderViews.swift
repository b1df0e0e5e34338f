import DexCore
import Ethereum
import ZeroEx

/// Shows the orders of a ladder before they are signed.
struct LadderPlanView: Sendable {
    let plan: LadderPlan

    func lines(_ screen: Screen) -> [String] {
        guard let first = plan.rungs.first, let last = plan.rungs.last else { return [] }
        let pair = first.pair
        let verb = first.side == .buy ? "Buy" : "Sell"
        let base = NumberText.amount(Self.sum(plan.rungs.map(\.base.raw)), pair.base)
        let from = NumberText.price(first.price, pair)
        var shown = PlanScreen(
            "\(verb) \(base) by \(plan.rungs.count) orders from \(from) to "
                + NumberText.unitPrice(last.price, pair)
        )
        shown.add(.account, plan.account.checksummed)
        LimitPlanView.addRelays(of: first, to: &shown, none: "none: the orders are not posted")
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.lists = [LadderTable.lines(plan.rungs.map { ($0, nil) }, screen)]
        shown.warnings = plan.warnings
        shown.add(.expires, TimeText.expiry(UInt256(first.expires), screen))
        shown.add(
            .pay,
            NumberText.amount(Self.sum(plan.rungs.map(\.give.raw)), first.give.token),
            label: "give"
        )
        shown.add(
            .receive,
            ">= \(NumberText.amount(Self.sum(plan.rungs.map(\.get.raw)), first.get.token))",
            label: "get"
        )
        shown.add(.price, "\(from) to \(NumberText.unitPrice(last.price, pair))")
        shown.addMid(first.mid, of: first.price, pair, subject: "the first")
        if let comparison = first.comparison {
            shown.add(.market, NumberText.price(comparison.best, pair))
        }
        shown.add(.fees, Self.fees(plan.rungs.map(\.makerFee)), label: "maker fees")
        shown.add(.fees, Self.fees(plan.rungs.map(\.takerFee)), label: "taker fees")
        if let gas = plan.gas { shown.addFee(gas) }
        shown.addBalances(plan.balances, NumberText.onceFilled)
        return shown.lines(screen)
    }

    static func sum(_ amounts: [UInt256]) -> UInt256 {
        amounts.reduce(.zero) { $0.addingSaturating($1) }
    }

    private static func fees(_ fees: [TokenAmount?]) -> String {
        let paid = fees.compactMap { $0 }
        guard let token = paid.first?.token else { return "none" }
        return NumberText.amount(sum(paid.map(\.raw)), token)
    }
}

/// Shows which orders of a ladder stand.
struct LadderOutcomeView: Sendable {
    let outcome: LadderOutcome

    func lines(_ screen: Screen) -> [String] {
        let count = outcome.plan.rungs.count
        let standing = outcome.placed.count { $0.posted }
        var title = "Signed, not posted: \(count) orders"
        if standing > 0 || outcome.error != nil {
            title =
                standing == count
                ? "Posted \(count) orders" : "Posted \(standing) of \(count) orders"
        }
        let rows = outcome.plan.rungs.enumerated().map { index, rung in
            (rung, Optional(status(index)))
        }
        return screen.title(title, outcome.error == nil ? .green : .yellow) + [""]
            + LadderTable.lines(rows, screen)
            + TransactionLines.lines(outcome.transactions, screen)
            + ProofText.lines(outcome.proof, screen)
            + MoneyText.warnings(outcome.warnings, screen)
    }

    private func status(_ index: Int) -> String {
        guard index < outcome.placed.count else {
            let isNext = index == outcome.placed.count && outcome.failure != nil
            return isNext ? "failed" : "not signed"
        }
        let placed = outcome.placed[index]
        if placed.posted { return "posted" }
        return placed.isUnconfirmed ? "unconfirmed" : "signed"
    }
}

/// A ladder's orders, one a line.
private enum LadderTable {
    static func lines(_ rows: [(plan: LimitPlan, status: String?)], _ screen: Screen) -> [String] {
        guard let first = rows.first?.plan else { return [] }
        let pair = first.pair
        let hasStatus = rows.contains { $0.status != nil }
        var table = Table(
            [
                .init("ORDER", minimumWidth: 6), .init("PRICE", .right),
                .init(PlainText.name(pair.base.symbol), .right),
                .init(PlainText.name(pair.quote.symbol), .right, dropOrder: 1),
            ] + (hasStatus ? [.init("STATUS")] : [])
        )
        let basePlaces = NumberText.places(
            forLargest: rows.map(\.plan.base.raw).max() ?? .zero,
            of: pair.base
        )
        let quotePlaces = NumberText.places(
            forLargest: rows.map(\.plan.quote.raw).max() ?? .zero,
            of: pair.quote
        )
        for (plan, status) in rows {
            table.add(
                [
                    .init("\(plan.orderHash.hex.prefix(10))…", .dim),
                    .init(NumberText.price(plan.price, pair)),
                    .init(NumberText.column(plan.base.raw, of: pair.base, places: basePlaces)),
                    .init(NumberText.column(plan.quote.raw, of: pair.quote, places: quotePlaces)),
                ] + (status.map { [.init($0)] } ?? [])
            )
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}
