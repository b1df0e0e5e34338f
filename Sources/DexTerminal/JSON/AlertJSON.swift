package import DexStore
import Ethereum
import StrictJSON

/// The JSON of `dex alert`.
package enum AlertJSON {
    package static let alert = Fields<JournalAlert>(named: "alert", "A price alert") {
        // Before it is in the journal it has no number.
        Field(json: "id", "Its number; null in a dry run", Shape.count.orNull) {
            $0.id == 0 ? .null : .number("\($0.id)")
        }
        .csv(0, "id")
        .sorted("id") { $0.id < $1.id }
        .shown(0, "ID", .right) { alert, _ in .init(String(alert.id)) }
        Field("condition", "When it fires", \.text).csv(1, "condition")
            .sorted("condition") { ($0.text, $0.id) < ($1.text, $1.id) }
            .shown(1, "ALERT") { alert, _ in .init(TerminalText.clean(alert.text), color(alert)) }
        Field("account", "Whose, or null for a condition of a book", \.account)
            .csv(2, "account")
        Field("once", "It fires once", \.isOnce).csv(3, "once")
        Field("armed", "It fires when its condition holds", \.isArmed).csv(4, "armed")
            .shown(3, "STATE", dropOrder: 1) { alert, _ in .init(state(alert), color(alert)) }
        Field("fired", "How often it fired", \.turn).csv(5, "fired")
            .shown(2, "FIRED", .right, dropOrder: 2) { alert, _ in
                .init(alert.turn > 0 ? String(alert.turn) : "")
            }
        Field("createdAt", "When it was added", as: .time, \.created)
            .csv(6, "created", isTime: true)
    }

    private static func color(_ alert: JournalAlert) -> Style.Color? {
        alert.isArmed ? nil : .yellow
    }

    /// `waiting, once`; of one whose condition still holds: `holds still`.
    private static func state(_ alert: JournalAlert) -> String {
        if case .order = alert.condition { return "each time" }
        return (alert.isArmed ? "waiting" : "holds still") + (alert.isOnce ? ", once" : "")
    }

    package static let list = Fields<[JournalAlert]> {
        Field("alerts", "All of them", list: alert) { $0 }
    }
}
