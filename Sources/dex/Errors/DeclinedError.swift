import DexCore

enum DeclinedError: String, ReportedError {
    case nothingEntered = "entered"
    case nothingDone = "done"
    case nothingSigned = "signed"
    case nothingChanged = "changed"

    var report: DexError {
        Self.row(.declined("declined"), "Declined: nothing was \(rawValue).")
    }
}
