import DexCore
import Ethereum

/// Shows which allowances will be taken back.
struct RevocationPlanView: Sendable {
    let plan: RevocationPlan

    func lines(_ screen: Screen) -> [String] {
        let count = NumberText.count(plan.grants.count, "allowance")
        var shown = PlanScreen("Take \(count) back")
        shown.add(.account, plan.account.checksummed)
        shown.add(.block, "\(plan.block)")
        shown.addGas(plan.gas)
        shown.addSteps(plan.steps)
        shown.warnings = plan.warnings
        for grant in plan.grants {
            shown.add(
                .allowance,
                "\(GrantText.amount(grant)) to \(GrantText.spender(grant))",
                label: PlainText.name(grant.token.symbol)
            )
        }
        shown.addFeeOrNone(plan.gas)
        return shown.lines(screen)
    }
}

/// Shows which allowances were taken back.
struct RevocationOutcomeView: Sendable {
    let outcome: RevocationOutcome

    func lines(_ screen: Screen) -> [String] {
        let ink: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, ink)
        if !outcome.plan.grants.isEmpty {
            var facts = KeyValueList()
            for (grant, now) in zip(outcome.plan.grants, outcome.allowances) {
                facts.add(
                    PlainText.name(grant.token.symbol),
                    (now.map { NumberText.allowance($0, grant.token) } ?? UnknownText.word)
                        + " to \(GrantText.spender(grant))",
                    now == .zero ? nil : .yellow
                )
            }
            lines += [""] + facts.lines(screen)
        }
        if !outcome.transactions.isEmpty { lines.append("") }
        lines += TransactionLines.lines(outcome.transactions, screen)
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private var headline: String {
        let count = NumberText.count(outcome.plan.grants.count, "allowance")
        let left = outcome.allowances.count { $0 != .zero }
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: outcome.transactions.isEmpty
                ? "There is no allowance to take back" : "\(count) taken back",
            less: "Mined, but \(left) of \(count) not taken back",
            nothing: "the allowance is as it was"
        )
    }
}

/// The words of an allowance to any spender.
enum GrantText {
    static func amount(_ grant: TokenGrant) -> String {
        grant.allowance.map { NumberText.allowance($0, grant.token) } ?? UnknownText.word
    }

    /// `Permit2 0x0000…` or the address alone.
    static func spender(_ grant: TokenGrant) -> String {
        [grant.name.map { TerminalText.clean($0) }, grant.spender.checksummed].compactMap(\.self)
            .joined(separator: " ")
    }

    /// The table of the allowances to others than the transfer contract.
    static func table(_ grants: [TokenGrant], _ screen: Screen) -> [String] {
        var table = Table([.init("TOKEN"), .init("ALLOWANCE", .right), .init("SPENDER")])
        for grant in grants {
            let token = grant.token
            let symbol = PlainText.name(token.symbol)
            table.add([
                .init(token.decimals == nil ? "\(symbol) (base units)" : symbol, .bold),
                grant.allowance.map {
                    .init(
                        NumberText.bareAllowance($0, token),
                        NumberText.isUnlimited($0) ? .yellow : nil
                    )
                } ?? .init(UnknownText.word, .yellow),
                .init(
                    grant.name.map { TerminalText.clean($0) } ?? grant.spender.checksummed,
                    grant.name == nil ? .yellow : nil
                ),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }
}
