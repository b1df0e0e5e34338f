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
        let color: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, color) + [""]
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
        let hashes = LifeJSON.hashes(state.rows, screen)
        var lines = LifeJSON.transaction.lines(state.rows, screen, isNumbered: true)
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
}
