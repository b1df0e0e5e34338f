package import DexCore

/// Shows a message before it is signed.
package typealias MessageView = StateView<MessageState>

extension StateView<MessageState> {
    package func lines(_ screen: Screen) -> [String] {
        var facts = KeyValueList()
        facts.add("asked by", state.origin.map { PlainText.site($0) })
        facts.add("account", TerminalText.clean(state.account))
        facts.add("bytes", String(state.size))
        let text = state.lines.flatMap { ForeignText.lines($0, screen) }
        let warnings = MoneyText.warnings(state.warnings, screen)
        return facts.lines(screen) + [""] + text + (warnings.isEmpty ? [] : [""] + warnings)
    }

    /// The question repeats who asks.
    package var question: PlanQuestion {
        PlanQuestion(
            state.origin.map { "Sign this message for \(PlainText.site($0))?" }
                ?? "Sign this message?"
        )
    }
}
