package import DexStore

/// The screen of `dex alert list`.
package typealias AlertsView = StateView<[JournalAlert]>

extension StateView<[JournalAlert]> {
    package func lines(_ screen: Screen) -> [String] {
        guard !state.isEmpty else {
            return screen.sentences("There is no alert.")
                + screen.sentences("Add one: dex alert add ZRX/WETH --below 0.00074", .dim)
        }
        var table = Table([
            .init("ID", .right), .init("ALERT"), .init("FIRED", .right, dropOrder: 2),
            .init("STATE", dropOrder: 1),
        ])
        for alert in state {
            let ink: Style.Color? = alert.isArmed ? nil : .yellow
            table.add([
                .init(String(alert.id)), .init(TerminalText.clean(alert.text), ink),
                .init(alert.turn > 0 ? String(alert.turn) : ""),
                .init(Self.state(alert), ink),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
            + screen.sentences("Alerts are checked while `dex watch` or `dex live` runs.", .dim)
    }

    /// `waiting, once`; of one whose condition still holds: `holds still`.
    private static func state(_ alert: JournalAlert) -> String {
        if case .order = alert.condition { return "each time" }
        return (alert.isArmed ? "waiting" : "holds still") + (alert.isOnce ? ", once" : "")
    }
}
