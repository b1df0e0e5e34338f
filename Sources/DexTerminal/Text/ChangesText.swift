import DexCore
import Ethereum

/// What a transaction does to its account, as lines of a plan.
enum ChangesText {
    /// A block with a title; one sentence where there was no run.
    static func lines(
        _ report: SimulationReport,
        _ coin: CoinSymbol,
        _ screen: Screen
    ) -> [String] {
        changes(report, coin, screen) + ProofText.lines(report.proof, screen)
    }

    private static func changes(
        _ report: SimulationReport,
        _ coin: CoinSymbol,
        _ screen: Screen
    ) -> [String] {
        switch report.result {
        case .notRun(let reason):
            return screen.sentences(
                "Not run on this machine: \(TerminalText.clean(reason)). What it changes is what "
                    + "its data say, and may be more.",
                .yellow
            )
        case .ran(let changes):
            let title = "Changes, by a run on this machine at block \(changes.block)"
            let rows = rows(changes, coin)
            return screen.sentences(title, .bold)
                + (rows.isEmpty ? ["nothing of the account, but the gas"] : rows).flatMap { row in
                    TerminalText.wrap(row, width: max(16, screen.width - 4)).enumerated()
                        .map { index, line in (index == 0 ? "  " : "    ") + line }
                }
        }
    }

    private static func rows(_ changes: SimulatedChanges, _ coin: CoinSymbol) -> [String] {
        var rows: [String] = []
        if let failure = changes.failure {
            rows.append("it fails: \(TerminalText.clean(failure))")
        }
        rows += moved(changes.coin, .coin(coin))
        for token in changes.tokens {
            rows += moved(token.balance, .token(token.token))
            guard token.isMislogged, let logged = token.logged else { continue }
            rows.append(
                "! its own events say: \(NumberText.amount(logged.went, token.token)) out, "
                    + "\(NumberText.amount(logged.came, token.token)) in"
            )
        }
        for change in changes.allowances {
            let place = change.isInPermit2 ? " through Permit2" : ""
            rows.append(
                "\(change.spender.checksummed) may move "
                    + "\(allowed(change.amount.after, change.token))\(place), and "
                    + "\(allowed(change.amount.before, change.token)) before"
            )
        }
        for change in changes.operators {
            rows.append(
                "\(change.operator.checksummed) \(change.isAllowed ? "may" : "may no longer") "
                    + "move \(change.what) of \(change.collection.checksummed)"
            )
        }
        for item in changes.items {
            rows.append(
                "\(item.leaves ? "-" : "+") item \(item.id) of \(item.collection.checksummed)"
            )
        }
        if changes.isCut { rows.append("! it names more items than are compared") }
        rows += changes.created.map { "it creates the contract \($0.checksummed)" }
        rows += changes.owners.map {
            "the contract \($0.contract.checksummed) goes to \($0.owner.checksummed)"
        }
        if changes.changesCode { rows.append("the account gets code of a contract") }
        if !changes.reads.isEmpty {
            rows.append(
                "It reads \(changes.reads.map(\.rawValue).joined(separator: ", ")), so it can do something else "
                    + "in its block."
            )
        }
        return rows
    }

    private static func allowed(_ raw: UInt256, _ token: Token) -> String {
        raw == .max ? "all \(PlainText.name(token.symbol))" : NumberText.allowance(raw, token)
    }

    private static func moved(
        _ change: SimulatedChanges.Change,
        _ currency: Currency
    ) -> [String] {
        if change.falls > .zero { return ["- \(NumberText.amount(change.falls, currency)) leaves"] }
        guard change.rises > .zero else { return [] }
        return ["+ \(NumberText.amount(change.rises, currency)) arrives"]
    }
}
