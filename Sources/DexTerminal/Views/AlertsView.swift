package import DexStore

/// The screen of `dex alert list`.
package typealias AlertsView = StateView<[JournalAlert]>

extension StateView<[JournalAlert]> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.isEmpty else {
            return screen.sentences("There is no alert.")
                + screen.sentences("Add one: dex alert add ZRX/WETH --below 0.00074", .dim)
        }
        return state.flatMap { alert in
            let text = "\(alert.id) \(TerminalText.clean(alert.text)): \(Self.state(alert))"
            return TerminalText.wrap(text, width: screen.width - 4).enumerated()
                .map { index, line in
                    (index == 0 ? "" : "    ")
                        + screen.style.paint(line, alert.isArmed ? nil : .yellow)
                }
        } + screen.sentences("Alerts are checked while `dex watch` or `dex live` runs.", .dim)
    }

    private static func state(_ alert: JournalAlert) -> String {
        var words: [String] = []
        if case .order = alert.condition {
            words.append("each time")
        } else {
            words.append(alert.isArmed ? "waiting" : "fired, holds still")
        }
        if alert.turn > 0 {
            words.append("fired \(NumberText.count(Int(clamping: alert.turn), "time"))")
        }
        if alert.isOnce { words.append("once") }
        return words.joined(separator: ", ")
    }
}
