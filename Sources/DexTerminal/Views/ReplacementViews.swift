package import DexCore
import DexStore
import Ethereum

/// Shows what takes the place of a transaction, with all that it costs.
struct ReplacementPlanView: Sendable {
    let plan: ReplacementPlan

    func lines(_ screen: Screen) -> [String] {
        let purpose = PurposeText.noun(plan.purpose)
        let title =
            plan.kind == .speedup
            ? "Speed up the \(purpose) by a higher fee"
            : "Cancel the \(purpose) by using its nonce up"
        var shown = PlanScreen(title)
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.warnings = plan.warnings
        shown.add(.replaced, plan.hash.hex)
        shown.add(.nonce, "\(plan.nonce)\(plan.count > 1 ? ", replacement \(plan.count)" : "")")
        shown.add(
            .pay,
            plan.value == .zero ? nil : NumberText.ether(plan.value, plan.gas.coin),
            label: "sends along"
        )
        shown.add(
            .price,
            "\(NumberText.gwei(plan.replacedPrice)) -> \(NumberText.gwei(plan.gas.maxFeePerGas)) "
                + "at most"
        )
        shown.addFee(plan.gas)
        shown.add(.total, "at most \(NumberText.ether(plan.total, plan.gas.coin))")
        return shown.lines(screen)
    }
}

/// Shows which of the two transactions was mined, and what it did.
struct ReplacementOutcomeView: Sendable {
    let outcome: ReplacementOutcome

    func lines(_ screen: Screen) -> [String] {
        let ink: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, ink) + [""]
        lines += TransactionLines.lines(outcome.transactions, screen)
        if let mined = outcome.mined,
            mined.hash != outcome.transactions.last?.hash
                || outcome.plan.kind == .speedup
        {
            lines += [""] + StatusView(.transaction(mined)).lines(screen)
        }
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private var headline: String {
        let plan = outcome.plan
        let purpose = PurposeText.noun(plan.purpose)
        if let mined = outcome.mined, mined.hash == plan.hash {
            return plan.kind == .cancel
                ? "Too late: the \(purpose) was mined" : "The \(purpose) was mined as it was"
        }
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: plan.kind == .cancel
                ? "The \(purpose) will never be mined" : "The \(purpose) is mined",
            less: outcome.mined?.fills.isEmpty == false
                ? "The \(purpose) is mined: less than the confirmed minimum"
                : "Mined, but nothing was filled or cancelled",
            nothing: "only gas was spent"
        )
    }
}

/// Shows the journal's transactions; what one waits for stands below its row.
package typealias TransactionsView = StateView<TransactionsState>

extension StateView<TransactionsState> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.rows.isEmpty else {
            return screen.sentences("The journal has no such transactions.")
                + MoneyText.warnings(state.warnings, screen)
        }
        let numbers = RowNumbers(screen)
        // One account is the same in all rows.
        let isOfSeveral = Set(state.rows.map(\.account)).count > 1
        let hashes = ShortHashes(
            state.rows.flatMap { [$0.hash.hex] + ($0.successor.map { [$0.hex] } ?? []) },
            screen
        )
        var table = Table(
            numbers.columns + [
                .init("NONCE", .right), .init("PURPOSE", minimumWidth: 7), .init("STATUS"),
                .init("AMOUNT", .point, minimumWidth: 16), .init("TO", dropOrder: 1),
                .init("SIGNED", dropOrder: 3), .init("BLOCK", .right, dropOrder: 4),
                .init("AT MOST", .point, dropOrder: 5),
            ] + hashes.columns("TRANSACTION", dropOrder: 2)
                + (isOfSeveral ? [.init("ACCOUNT", dropOrder: 1)] : [])
        )
        for (index, row) in state.rows.enumerated() {
            table.add(
                numbers.cells(index) + [
                    .init("\(row.nonce)"),
                    .init(PurposeText.word(row.purpose)),
                    .init(row.stage.shownWord, ink(row)),
                    .init(row.subject.map { CallText.column($0) } ?? ""),
                    .init(CallText.party(row.recipientName, row.subject?.recipient)),
                    .init(age(row, screen), .dim),
                    .init(row.block.map { "\($0)" } ?? ""),
                    .init(row.price.map { NumberText.gwei($0) } ?? "", .dim),
                ] + hashes.cells(row.hash.hex)
                    + (isOfSeveral ? [.init(screen.party(row.account), .dim)] : [])
            )
        }
        var lines = table.lines(width: screen.width, style: screen.style)
        for index in state.rows.indices.reversed() {
            lines.insert(contentsOf: below(state.rows[index], hashes, screen), at: index + 2)
        }
        return lines + MoneyText.warnings(state.warnings, screen)
    }

    private func below(
        _ row: TransactionsState.Row,
        _ hashes: ShortHashes,
        _ screen: Screen
    ) -> [String] {
        var lines = hashes.areWhole ? ["  \(row.hash.hex)"] : []
        if let successor = row.successor {
            let shown = hashes.cells(successor.hex).first?.text ?? successor.hex
            lines.append("  -> \(shown)")
        }
        if let block = row.reorgedFromBlock, row.block == nil {
            lines.append("  was in block \(block), which a reorganization took out")
        }
        lines = lines.map { screen.style.paint($0, .dim) }
        if let gap = row.waitsFor {
            let words =
                gap.holder == nil
                ? "  waits for the nonce \(gap.nonce), which is free: the next one takes it"
                : "  waits for the nonce \(gap.nonce), which is signed and not sent"
            lines.append(screen.style.paint(words, .yellow))
        }
        return lines
    }

    private func ink(_ row: TransactionsState.Row) -> Style.Color? {
        switch row.stage {
        case .mined, .confirmed: row.isUnsettled ? .yellow : .green
        case .reverted, .replaced, .dropped, .reorganized: .red
        case .signed, .held, .broadcast, .pooled: .yellow
        case .planned, .refused, .forgotten: .dim
        }
    }

    private func age(_ row: TransactionsState.Row, _ screen: Screen) -> String {
        let (age, isAhead) = screen.now.subtractingReportingOverflow(row.created)
        return isAhead ? "" : "\(TimeSpan.text(age)) ago"
    }
}
