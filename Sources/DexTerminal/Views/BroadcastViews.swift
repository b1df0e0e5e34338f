package import DexCore
import DexStore
import Ethereum

/// Shows what a handed-over transaction does, by its bytes.
package struct BroadcastPlanView: Sendable {
    private let plan: BroadcastPlan

    package init(_ plan: BroadcastPlan) { self.plan = plan }

    package func lines(_ screen: Screen) -> [String] {
        var shown = PlanScreen("Send a signed transaction: \(plan.purpose.rawValue)")
        shown.details.add("hash", plan.hash.hex)
        shown.details.add("block", "\(plan.block)")
        shown.details.add(
            "gas",
            NumberText.gas(plan.gasLimit, at: plan.maxFeePerGas, tip: plan.maxPriorityFeePerGas)
        )
        // The file's own words, which nothing proves.
        shown.details.add("signed", "\(TimeText.zoned(.init(plan.madeAt), screen)), by its file")
        shown.details.add(
            "expires",
            plan.validUntil.map { "\(TimeText.zoned(.init($0), screen)), by its file" }
        )
        shown.warnings = plan.warnings
        var facts = KeyValueList()
        facts.add("account", plan.account.checksummed)
        facts.add("nonce", "\(plan.nonce)")
        facts.add("to", plan.to.checksummed)
        facts.add("calls", plan.function.map { call($0) })
        for (index, pay) in plan.pays.enumerated() {
            facts.add(
                index == 0 ? "pays" : "",
                "at most \(NumberText.amount(pay.amount, pay.currency))"
            )
        }
        facts.add(
            "receives",
            plan.receives.isEmpty
                ? nil : plan.receives.map { TerminalText.clean($0.symbol) }.joined(separator: ", ")
        )
        for approval in plan.approvals {
            facts.add(
                "allows",
                "\(NumberText.allowance(approval.amount, approval.token)) of "
                    + "\(TerminalText.clean(approval.token.symbol)) to be moved by "
                    + approval.spender.checksummed
            )
        }
        for (index, recipient) in plan.recipients.enumerated() {
            facts.add(index == 0 ? "goes to" : "", recipient.checksummed)
        }
        facts.add("network fee", "at most \(NumberText.ether(plan.maxCost))")
        facts.add("total ether", "at most \(NumberText.ether(plan.total))")
        shown.numbers = facts
        return shown.lines(screen)
    }

    private func call(_ function: String) -> String {
        function == "(data)"
            ? "a function that is not known, with \(plan.dataCount) bytes"
            : TerminalText.clean(function)
    }
}

/// Shows what became of a handed-over transaction.
package struct BroadcastOutcomeView: Sendable {
    private let outcome: BroadcastOutcome

    package init(_ outcome: BroadcastOutcome) { self.outcome = outcome }

    package func lines(_ screen: Screen) -> [String] {
        let ink: Style.Color = outcome.ending == .done ? .green : .yellow
        var lines = screen.title(headline, ink) + [""]
        if !outcome.transactions.isEmpty {
            lines += TransactionLines.lines(outcome.transactions, screen)
        }
        if let mined = outcome.mined {
            if !outcome.transactions.isEmpty { lines.append("") }
            lines += StatusView(.transaction(mined)).lines(screen)
        }
        return lines + MoneyText.warnings(outcome.warnings, screen)
    }

    private var headline: String {
        let purpose = outcome.plan.purpose.rawValue
        if outcome.transactions.isEmpty { return "The \(purpose) is mined already" }
        return MoneyText.headline(
            outcome.ending,
            outcome.transactions.last,
            done: "The \(purpose) is mined",
            less: outcome.mined?.fills.isEmpty == false
                ? "The \(purpose) is mined: less than the confirmed minimum"
                : "Mined, but nothing was filled or cancelled",
            nothing: "only gas was spent"
        )
    }
}

/// Shows a transaction that was signed and not sent.
package struct HeldView: Sendable {
    private let file: SignedFile
    private let path: String
    private let title: String

    /// - Parameter title: what was done, which the path of the file follows.
    package init(_ file: SignedFile, path: String, title: String = "Signed, not sent:") {
        self.file = file
        self.path = path
        self.title = title
    }

    package func lines(_ screen: Screen) -> [String] {
        let path = TerminalText.clean(path)
        var lines = screen.title("\(title) \(path)", .green) + [""]
        var facts = KeyValueList()
        facts.add("hash", file.hash.hex)
        facts.add("account", file.from.checksummed)
        facts.add("nonce", "\(file.nonce), held until a transaction with it is mined")
        facts.add("pays", "at most \(NumberText.gwei(file.maxFeePerGas)) for a unit of gas")
        facts.add("expires", file.validUntil.map { TimeText.zoned(.init($0), screen) })
        facts.add("send it", "dex broadcast \(path)")
        facts.add("give it up", "dex tx cancel \(file.hash.hex)")
        lines += facts.lines(screen)
        return lines + [""]
            + screen.sentences(
                "Whoever has the file can send it. What this account sends later waits behind it."
            )
    }
}

extension PlanQuestion {
    package init(_ plan: BroadcastPlan) {
        self.init("Send this \(plan.purpose.rawValue) (max \(NumberText.ether(plan.total)))?")
    }

    /// The same question for what is signed and not sent.
    package var withoutSending: PlanQuestion {
        PlanQuestion("Sign and do not send: \(text)", word: word)
    }
}
