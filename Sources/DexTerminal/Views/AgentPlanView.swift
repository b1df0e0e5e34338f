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
        list.add("Pays at most", Self.text(answer["pays"]))
        list.add("Brings at least", Self.text(answer["receives"]))
        list.add("Fees at most", Self.text(answer["maxFees"]))
        list.add("Gas at most", Self.text(answer["maxGas"]))
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

    /// An amount of JSON as text; `-` without one.
    static func text(_ amount: JSONValue?) -> String {
        guard let amount, !amount.isNull else { return "-" }
        let value = amount["value"]?.stringValue ?? amount["raw"]?.stringValue ?? "?"
        return "\(value) \(PlainText.name(amount["symbol"]?.stringValue ?? ""))"
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
        var table = Table([
            .init("ID"), .init("AGE", .right), .init("STATE"), .init("PAYS AT MOST", .right),
            .init("BRINGS AT LEAST", .right), .init("WHO", dropOrder: 1),
        ])
        for plan in plans {
            let state = plan.state(now: now)
            let answer = AgentPlanJSON.plan(plan, now: now)
            table.add([
                .init(String(plan.id.description.prefix(8))),
                .init(TimeSpan.text(now - min(now, plan.created))),
                .init(state.rawValue, state == .waiting ? .yellow : nil),
                .init(AgentPlanView.text(answer["pays"])),
                .init(AgentPlanView.text(answer["receives"])),
                .init(PlainText.clean(plan.client ?? "-", limit: 40)),
            ])
        }
        var lines = table.lines(width: screen.width, style: screen.style)
        for (index, plan) in plans.enumerated().reversed() {
            let what = AgentPlanJSON.plan(plan, now: now)["summary"]?.stringValue ?? ""
            let notes: [(String, Style.Color?)] = [(what, nil), (plan.why ?? "", .yellow)]
            lines.insert(
                contentsOf: notes.filter { !$0.0.isEmpty }.flatMap { text, ink in
                    TerminalText.wrap(text, width: screen.width - 4)
                        .map { "    " + screen.style.paint($0, ink) }
                },
                at: index + 2
            )
        }
        return lines + screen.sentences("Say yes: dex approve ID. No: dex approve no ID.", .dim)
    }
}
