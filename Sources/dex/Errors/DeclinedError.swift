import DexCore

enum DeclinedError: String, ErrorArea {
    case nothingEntered = "entered"
    case nothingDone = "done"
    case nothingSigned = "signed"
    case nothingChanged = "changed"

    var report: ErrorReport {
        ErrorReport(.declined, "declined", "Declined: nothing was \(rawValue).")
    }
}
