/// A recipient that would lose the transfer.
package enum TransferError: ErrorArea {
    case badRecipient(message: String)

    package var report: ErrorReport {
        switch self {
        case .badRecipient(let message):
            ErrorReport(.refused, "bad-recipient", message, hint: "Give the address of an account.")
        }
    }
}
