package import Ethereum

/// A user's text that is not an amount.
extension DecimalTextError: ErrorArea {
    package var report: ErrorReport {
        ErrorReport(
            .usage,
            "bad-amount",
            PlainText.clean(description),
            hint: malformed.flatMap(NumberSuggestion.question)
        )
    }

    /// The text that is no number; nil for other errors.
    var malformed: String? {
        if case .malformed(let text) = self { text } else { nil }
    }
}

/// A user's text that is not an address.
extension AddressError: ErrorArea {
    package var report: ErrorReport {
        ErrorReport(.usage, "bad-address", PlainText.clean(description))
    }
}

/// A user's text that is not a hash.
extension Bytes32Error: ErrorArea {
    package var report: ErrorReport {
        ErrorReport(.usage, "bad-hash", PlainText.clean(description))
    }
}
