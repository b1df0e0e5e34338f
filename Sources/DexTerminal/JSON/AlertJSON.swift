package import DexStore
package import StrictJSON

/// The JSON of `dex alert`.
package enum AlertJSON {
    package static func alert(_ alert: JournalAlert) -> JSONValue {
        [
            // Before it is in the journal it has no number.
            "id": alert.id == 0 ? .null : .number("\(alert.id)"),
            "condition": JSONFormat.text(alert.text),
            "account": alert.account.map { JSONFormat.address($0) } ?? .null,
            "once": .bool(alert.isOnce),
            "armed": .bool(alert.isArmed),
            "fired": JSONFormat.integer(alert.turn),
            "created": JSONFormat.integer(alert.created),
        ]
    }

    package static func list(_ alerts: [JournalAlert]) -> JSONValue {
        ["alerts": .array(alerts.map(alert))]
    }
}
