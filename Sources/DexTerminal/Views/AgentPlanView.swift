import DexCore
package import DexStore
import Ethereum
import StrictJSON

/// The screen of `dex approve show`, and the head above a plan that a person is asked about.
package struct AgentPlanView {
    private let plan: JournalPlan
    private let now: UInt64

    /// - Parameter now: seconds since 1970.
    package init(_ plan: JournalPlan, now: UInt64) {
        self.plan = plan
        self.now = now
    }

    /// Which plan it is, who asked for it, and why a person is asked.
    package func head(_ screen: Screen) -> [String] {
        let asked =
            plan.client.map { "An agent, which calls itself \(PlainText.quoted($0)), asked" }
            ?? "An agent asked"
        let age = TimeSpan.text(now - min(now, plan.created))
        return screen.title("Plan \(plan.id)", .cyan)
            + screen.sentences("\(asked) for it \(age) ago on \(plan.network).")
            + (plan.why.map { screen.sentences($0, .yellow) } ?? []) + [""]
    }

    package func lines(_ screen: Screen) -> [String] {
        let answer = AgentPlanJSON.plan(plan, now: now)
        let state = plan.state(now: now)
        var list = KeyValueList()
        list.add("State", state.rawValue)
        list.add("What", answer["summary"]?.stringValue ?? "")
        list.add("Account", plan.account.checksummed)
        list.add("Pays at most", AgentPlanJSON.amount(answer["pays"]))
        list.add("Brings at least", AgentPlanJSON.amount(answer["receives"]))
        list.add("Fees at most", AgentPlanJSON.amount(answer["maxFees"]))
        list.add("Gas at most", AgentPlanJSON.amount(answer["maxGas"]))
        if let spender = answer["spender"]?.stringValue { list.add("Allowance for", spender) }
        if let code = answer["exitCode"]?.numberText { list.add("Exit code", code) }
        for transaction in answer["transactions"]?.arrayValue ?? [] {
            list.add(
                transaction["purpose"]?.stringValue ?? "",
                [transaction["hash"], transaction["status"]].compactMap { $0?.stringValue }
                    .joined(separator: " ")
            )
        }
        if let error = answer["error"]?["message"]?.stringValue { list.add("Error", error) }
        var lines = head(screen) + list.lines(screen)
        switch state {
        case .open, .waiting:
            lines += screen.sentences("Say yes: dex approve \(plan.id)", .dim)
        case .running, .interrupted, .ended, .declined, .expired: break
        }
        return lines
    }
}

/// The screen of `dex approve list`.
package struct AgentPlansView {
    private let plans: [JournalPlan]
    private let now: UInt64

    package init(_ plans: [JournalPlan], now: UInt64) {
        self.plans = plans
        self.now = now
    }

    package func lines(_ screen: Screen) -> [String] {
        guard !plans.isEmpty else {
            return screen.sentences("No plan of an agent waits, and none can be carried out.")
        }
        let rows = plans.map { AgentPlanJSON.Row($0, now: now) }
        var lines = AgentPlanJSON.row.lines(rows, screen)
        for (index, row) in rows.enumerated().reversed() {
            let notes: [(String, Style.Color?)] = [
                (row.summary, nil), (row.plan.why ?? "", .yellow),
            ]
            lines.insert(
                contentsOf: notes.filter { !$0.0.isEmpty }.flatMap { text, color in
                    TerminalText.wrap(text, width: screen.width - 4)
                        .map { "    " + screen.style.paint($0, color) }
                },
                at: index + 2
            )
        }
        return lines + screen.sentences("Say yes: dex approve ID. No: dex approve no ID.", .dim)
    }
}
