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
        shown.details.add("account", plan.account.checksummed)
        if let gas = plan.gas { shown.details.addGas(gas) }
        MoneyText.addSteps(plan.steps, to: &shown.details)
        shown.lists = [LadderTable.lines(plan.rungs.map { ($0, nil) }, screen)]
        shown.warnings = plan.warnings
        var facts = KeyValueList()
        facts.add(
            "give",
            "\(NumberText.amount(Self.sum(plan.rungs.map(\.give.raw)), first.give.token))"
        )
        facts.add(
            "get",
            ">= \(NumberText.amount(Self.sum(plan.rungs.map(\.get.raw)), first.get.token))"
        )
        facts.add("price", "\(from) to \(NumberText.unitPrice(last.price, pair))")
        facts.addMid(first.mid, of: first.price, pair, subject: "the first")
        if let comparison = first.comparison {
            facts.add("market", NumberText.price(comparison.best, pair))
        }
        facts.add("expires", TimeText.expiry(UInt256(first.expires), screen))
        if let gas = plan.gas { facts.addFee(gas) }
        facts.addBalances(plan.balances, NumberText.onceFilled)
        facts.add("maker fees", Self.fees(plan.rungs.map(\.makerFee)))
        facts.add("taker fees", Self.fees(plan.rungs.map(\.takerFee)))
        let relays = first.targets.filter { $0.part == .posts }.map(\.relay)
        if relays.isEmpty { facts.add("relay", "none: the orders are not posted") }
        for relay in relays { facts.add("relay", TerminalText.clean(relay)) }
        shown.numbers = facts
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
