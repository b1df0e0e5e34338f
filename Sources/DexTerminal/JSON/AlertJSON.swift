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
        Field("condition", "When it fires", \.text).csv(1, "condition")
            .sorted("condition") { ($0.text, $0.id) < ($1.text, $1.id) }
        Field("account", "Whose, or null for a condition of a book", \.account)
            .csv(2, "account")
        Field("once", "It fires once", \.isOnce).csv(3, "once")
        Field("armed", "It fires when its condition holds", \.isArmed).csv(4, "armed")
        Field("fired", "How often it fired", \.turn).csv(5, "fired")
        Field("createdAt", "When it was added", as: .time, \.created)
            .csv(6, "created", isTime: true)
    }

    package static let list = Fields<[JournalAlert]> {
        Field("alerts", "All of them", list: alert) { $0 }
    }
}
