package import DexCore
import DexStore
import Ethereum

/// Shows what a handed-over transaction does, by its bytes.
package typealias BroadcastPlanView = StateView<BroadcastPlan>

extension StateView<BroadcastPlan> {
    package func lines(_ screen: Screen) -> [String] {
        let purpose = PurposeText.noun(state.purpose.rawValue)
        var shown = PlanScreen("Send a signed transaction: \(purpose)")
        shown.add(.hash, state.hash.hex)
        shown.add(.block, "\(state.block)")
        shown.add(
            .gas,
            NumberText.gas(state.gasLimit, at: state.maxFeePerGas, tip: state.maxPriorityFeePerGas)
        )
        // The file's own words, which nothing proves.
        shown.add(.file, "\(TimeText.zoned(.init(state.madeAt), screen)), by its file")
        shown.add(
            .expires,
            state.validUntil.map { "\(TimeText.zoned(.init($0), screen)), by its file" }
        )
        shown.warnings = state.warnings
        if let simulation = state.simulation {
            shown.lists = [ChangesText.lines(simulation, state.coin, screen)]
        }
        shown.add(.account, state.account.checksummed)
        shown.add(.nonce, "\(state.nonce)")
        shown.add(.contract, state.to.checksummed, label: "to")
        shown.add(.function, state.function.map { call($0) }, label: "calls")
        for (index, pay) in state.pays.enumerated() {
            shown.add(
                .pay,
                "at most \(NumberText.amount(pay.amount, pay.currency))",
                label: index == 0 ? "pays" : ""
            )
        }
        shown.add(
            .receive,
            state.receives.isEmpty
                ? nil : state.receives.map { PlainText.name($0.symbol) }.joined(separator: ", "),
            label: "receives"
        )
        for approval in state.approvals {
            shown.add(
                .allowance,
                "\(NumberText.allowance(approval.amount, approval.token)) of "
                    + "\(PlainText.name(approval.token.symbol)) to be moved by "
                    + approval.spender.checksummed,
                label: "allows"
            )
        }
        for (index, recipient) in state.recipients.enumerated() {
            // The account itself is named once.
            shown.add(
                .recipient,
                recipient == state.account ? "this account" : recipient.checksummed,
                label: index == 0 ? "goes to" : ""
            )
        }
        shown.add(.networkFee, "at most \(NumberText.ether(state.maxCost, state.coin))")
        shown.add(
            .total,
            "at most \(NumberText.ether(state.total, state.coin))",
            label: "total \(state.coin.noun)"
        )
        return shown.lines(screen)
    }

    private func call(_ function: String) -> String {
        function == "(data)"
            ? "a function that is not known, with \(state.dataCount) bytes"
            : TerminalText.clean(function)
    }
}

/// Shows what became of a handed-over transaction.
package typealias BroadcastOutcomeView = StateView<BroadcastOutcome>

extension StateView<BroadcastOutcome> {
    package func lines(_ screen: Screen) -> [String] {
        let color: Style.Color = state.ending == .done ? .green : .yellow
        var lines = screen.title(headline, color) + [""]
        if !state.transactions.isEmpty {
            lines += TransactionLines.lines(state.transactions, screen)
        }
        if let mined = state.mined {
            if !state.transactions.isEmpty { lines.append("") }
            lines += StatusView(.transaction(mined)).lines(screen)
        }
        return lines + MoneyText.warnings(state.warnings, screen)
    }

    private var headline: String {
        let purpose = PurposeText.noun(state.plan.purpose.rawValue)
        if state.transactions.isEmpty { return "The \(purpose) is mined already" }
        return MoneyText.headline(
            state.ending,
            state.transactions.last,
            done: "The \(purpose) is mined",
            less: state.mined?.fills.isEmpty == false
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
        self.init(
            "Send this \(PurposeText.noun(plan.purpose.rawValue)) (max \(NumberText.ether(plan.total, plan.coin)))?",
            word: plan.differences.isEmpty ? nil : "differs",
            reason: Self.differsReason
        )
    }

    /// The same question for what is signed and not sent.
    package var withoutSending: PlanQuestion {
        PlanQuestion("Sign and do not send: \(text)", word: word)
    }
}
