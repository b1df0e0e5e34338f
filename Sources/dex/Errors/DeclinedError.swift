import DexCore

enum DeclinedError: String, ErrorArea {
    case nothingEntered = "entered"
    case nothingDone = "done"
    case nothingSigned = "signed"

    var report: ErrorReport {
        ErrorReport(.declined, "declined", "Declined: nothing was \(rawValue).")
    }
}
