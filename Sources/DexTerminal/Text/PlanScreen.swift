import DexCore
import Ethereum
import ZeroEx

/// A plan on a screen: what matters for the decision stands last, right above the question.
///
/// A view adds its rows in any order; each plan shows them in that of `PlanRow`.
struct PlanScreen {
    /// Lines right above the question, at the most.
    static let maximumNumbers = 12

    private struct Row {
        let kind: PlanRow
        let label: String
        let value: String
        let color: Style.Color?
    }

    let title: String
    private var rows: [Row] = []
    /// Lists, as lines.
    var lists: [[String]] = []
    var warnings: [String] = []

    init(_ title: String) { self.title = title }

    /// Adds a row unless the value is nil or empty; rows of a kind stay in the order in which they
    /// are added.
    ///
    /// - Parameter label: nil is that of the kind.
    mutating func add(
        _ kind: PlanRow,
        _ value: String?,
        label: String? = nil,
        _ color: Style.Color? = nil
    ) {
        guard let value, !value.isEmpty else { return }
        rows.append(Row(kind: kind, label: label ?? kind.label, value: value, color: color))
    }

    func lines(_ screen: Screen) -> [String] {
        let sorted = PlanRow.allCases.flatMap { kind in rows.filter { $0.kind == kind } }
        var last = sorted.indices.filter { sorted[$0].kind.isDecisive }
        func list(_ indices: [Int]) -> KeyValueList {
            var list = KeyValueList()
            for row in indices.map({ sorted[$0] }) { list.add(row.label, row.value, row.color) }
            return list
        }
        // On a narrow screen some rows wrap; what does not fit is still said.
        while list(last).lines(screen).count > Self.maximumNumbers,
            let leaving = PlanRow.leaving.lazy.compactMap({ kind in
                last.lastIndex { sorted[$0].kind == kind }
            }).first
        {
            last.remove(at: leaving)
        }
        let details = sorted.indices.filter { !last.contains($0) }
        let warned = MoneyText.warnings(warnings, screen)
        let parts =
            [list(details).lines(screen)] + lists + [warned, list(last).lines(screen)]
        return screen.title(title) + parts.filter { !$0.isEmpty }.flatMap { [""] + $0 }
    }
}

extension PlanScreen {
    mutating func addSteps(_ steps: [PlannedTransaction]) {
        for (index, step) in steps.enumerated() {
            add(
                .steps,
                "\(index + 1). \(TerminalText.clean(step.summary))",
                label: index == 0 ? nil : ""
            )
        }
    }

    /// A price's distance from the book's mid: `0.0012, this is 1.23% above it`.
    ///
    /// - Parameter mid: nil without a book of two sides.
    mutating func addMid(_ mid: Price?, of price: Price, _ pair: Pair, subject: String = "this") {
        guard let mid else { return add(.mid, "unknown: no book with a bid and an ask", .dim) }
        let text = NumberText.price(mid, pair)
        let distance = price.basisPoints(from: mid)
        guard distance > 0 else { return add(.mid, "\(text), \(subject) is the same") }
        let percent = NumberText.percent(basisPoints: distance)
        add(.mid, "\(text), \(subject) is \(percent) \(price > mid ? "above" : "below") it")
    }

    /// Each balance before and after a plan, by its symbol.
    mutating func addBalances(
        _ balances: [PlannedBalance],
        _ text: (PlannedBalance) -> String
    ) {
        for balance in balances {
            add(
                .balance,
                text(balance),
                label: TerminalText.truncate(PlainText.name(balance.currency.symbol), to: 11)
            )
        }
    }

    /// What was typed for an amount, and the number that it came to.
    mutating func add(_ kind: PlanRow, _ origin: AmountOrigin, _ coin: CoinSymbol) {
        add(kind, Self.words(origin, coin), label: origin.isSpend ? "spend" : nil)
    }

    /// `500 ZRX: 50% of 1000 ZRX`, or `at maximum 1 WETH`.
    private static func words(_ origin: AmountOrigin, _ coin: CoinSymbol) -> String {
        var text = (origin.isSpend ? "at most " : "") + NumberText.amount(origin.amount)
        guard let available = origin.available else { return text }
        text += ": \(TerminalText.clean(origin.typed)) of \(NumberText.amount(available))"
        if let reserved = origin.reserved {
            text += ", which leaves \(NumberText.ether(reserved, coin)) for the network fee"
        }
        return text
    }

    /// The network fee of a plan that may have nothing to do.
    mutating func addFeeOrNone(_ gas: GasPlan?) {
        guard let gas else { return add(.networkFee, "none, there is nothing to do") }
        addFee(gas)
    }

    /// The expected and the maximum network fee.
    mutating func addFee(_ gas: GasPlan) {
        var fee = NumberText.ether(gas.maxCost, gas.coin)
        if gas.presentCost < gas.maxCost {
            fee =
                "~\(NumberText.ether(gas.presentCost, gas.coin)) "
                + "(max \(NumberText.etherValue(gas.maxCost)))"
        }
        if gas.isCapped { fee += ", cut to your cap" }
        add(.networkFee, fee)
        add(.sentTo, gas.privateNode.map { "private mempool at \(TerminalText.clean($0))" })
        guard gas.rollup != .none else { return }
        // It is in the network fee, and no gas price bounds it.
        add(
            .dataFee,
            "~\(NumberText.ether(gas.rollup.present, gas.coin)) "
                + "(max \(NumberText.etherValue(gas.rollup.maximum))) of it"
        )
    }

    /// How much gas, and at which price; nothing where nothing is sent.
    mutating func addGas(_ gas: GasPlan?) {
        guard let gas else { return }
        var amount = NumberText.gas(gas.limit, at: gas.maxFeePerGas, tip: gas.maxPriorityFeePerGas)
        if let priority = gas.priority, priority != .market { amount += " (\(priority.rawValue))" }
        add(.gas, amount)
    }
}
