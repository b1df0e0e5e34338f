package import DexCore
import Ethereum

/// Shows a function's result: one value per line, for use in scripts.
package typealias ContractReadView = StateView<ContractReadState>

extension StateView<ContractReadState> {
    package func lines(_ screen: Screen) -> [String] {
        guard let values = state.values else { return [Hex.encode(state.returned)] }
        return values.map { value in
            let text = ContractText.value(value)
            guard values.count > 1, let name = value.name else { return text }
            return "\(screen.style.paint(TerminalText.clean(name), .dim)) \(text)"
        }
    }
}

/// Shows which function will be called, with what.
struct TransactPlanView: Sendable {
    let plan: TransactPlan

    func lines(_ screen: Screen) -> [String] {
        let call = plan.call
        var shown = PlanScreen("Call \(TerminalText.clean(call.name)) in a transaction")
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.add(
            .data,
            "\(call.data.count) bytes, \(Hex.encode(call.data.prefix(4)))…"
        )
        shown.addGas(plan.gas)
        shown.lists = lists(screen)
        shown.warnings = plan.warnings
        let symbol = call.token.map { "\(PlainText.name($0.symbol)) " } ?? ""
        shown.add(.contract, symbol + call.address.checksummed)
        shown.add(.function, TerminalText.clean(call.function))
        shown.add(
            .pay,
            plan.value == .zero ? "none" : plan.gas.coin.amount(plan.value),
            label: plan.gas.coin.noun
        )
        if plan.values == nil || plan.values?.isEmpty == true { shown.add(.returns, returned) }
        shown.addFee(plan.gas)
        shown.add(
            .total,
            "at most \(NumberText.ether(plan.total, plan.gas.coin)), the gas included"
        )
        return shown.lines(screen)
    }

    /// What the caller wrote and the contract answers, the calls inside, and all bytes of data that
    /// are not fully read; each line behind a margin.
    private func lists(_ screen: Screen) -> [[String]] {
        var lists = [ChangesText.lines(plan.simulation, plan.gas.coin, screen)]
        if !plan.call.arguments.isEmpty {
            lists.append(
                screen.sentences("Arguments", .bold)
                    + plan.call.arguments.enumerated().flatMap { index, argument in
                        ForeignText.lines(
                            ContractText.argument(argument, index),
                            hanging: 2,
                            screen
                        )
                    }
            )
        }
        if let values = plan.values, !values.isEmpty {
            lists.append(
                screen.sentences("Returns in the simulation", .bold)
                    + values.flatMap { value in
                        ForeignText.lines(ContractText.quoted(value), hanging: 2, screen)
                    }
            )
        }
        let inner = plan.review.effects.list.filter { $0.place != .call }
        if !inner.isEmpty {
            lists.append(
                screen.sentences("Calls inside", .bold)
                    + inner.flatMap { ForeignText.lines(Self.line($0, plan), hanging: 2, screen) }
            )
        }
        if plan.review.showsData {
            let size = NumberText.count(plan.call.data.count, "byte")
            lists.append(
                screen.sentences("All call data, \(size)", .bold)
                    + ForeignText.data(plan.call.data, screen)
            )
        }
        return lists
    }

    /// `1.2 approve(address,uint256) of ZRX 0x…`, or `at byte 68 …`.
    private static func line(_ effect: CallEffect, _ plan: TransactPlan) -> String {
        let place =
            switch effect.place {
            case .call: ""
            case .inside(let path): path.map { String($0) }.joined(separator: ".") + " "
            case .found(let byte): "at byte \(byte) "
            }
        let contract = effect.contract.map { address in
            let symbol = plan.review.tokens[address].map { PlainText.name($0.symbol) + " " }
            return " of \(symbol ?? "")\(address.checksummed)"
        }
        return place + TerminalText.clean(effect.function) + (contract ?? "")
    }

    /// In the simulation.
    private var returned: String {
        guard !plan.returned.isEmpty else { return "nothing" }
        let shown = Hex.encode(plan.returned.prefix(64)) + (plan.returned.count > 64 ? "…" : "")
        return "\(shown) in the simulation"
    }
}

/// Shows what a transaction did.
struct TransactOutcomeView: Sendable {
    let outcome: TransactOutcome

    func lines(_ screen: Screen) -> [String] {
        let name = TerminalText.clean(outcome.plan.call.name)
        let headline = MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: "Called \(name)",
            less: "Called \(name)",
            nothing: "nothing was changed"
        )
        var lines = screen.title(headline, outcome.ending == .done ? .green : .yellow) + [""]
        var facts = KeyValueList()
        for event in outcome.events.prefix(Self.maximumEvents) {
            facts.add("event", ContractText.event(event))
        }
        if outcome.events.count > Self.maximumEvents {
            facts.add("event", "and \(outcome.events.count - Self.maximumEvents) more; see --json")
        }
        let events = facts.lines(screen)
        lines += events
        if !events.isEmpty { lines.append("") }
        lines += TransactionLines.lines(outcome.transactions, screen)
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private static let maximumEvents = 20
}

/// Arguments, results and events in readable text.
enum ContractText {
    static func value(_ value: ContractValue) -> String {
        TerminalText.clean(ABIText.format(value.value))
    }

    /// The same with texts in quotes, where it stands beside our own words.
    static func quoted(_ value: ContractValue) -> String {
        guard case .string(let text) = value.value else { return self.value(value) }
        return PlainText.quoted(text)
    }

    static func argument(_ argument: ContractValue, _ index: Int) -> String {
        let name = argument.name.map { " \(TerminalText.clean($0))" } ?? ""
        return "\(index + 1). \(TerminalText.clean(argument.type))\(name) = \(quoted(argument))"
    }

    static func event(_ event: ContractEvent) -> String {
        let symbol = event.token.map { "\(PlainText.name($0.symbol)) " } ?? ""
        let place = "\(symbol)\(event.contract.checksummed)"
        if let words = event.words { return "\(TerminalText.clean(words)) (\(place))" }
        let topic = event.topics.first.map { Hex.encode($0.bytes) } ?? "without a topic"
        return "\(place): \(topic)"
    }
}
