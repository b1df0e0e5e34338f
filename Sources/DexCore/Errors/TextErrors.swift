package import Ethereum

/// A user's text that is not an amount.
extension DecimalTextError: ReportedError {
    package var report: DexError {
        Self.row(
            .usage("bad-amount"),
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
extension AddressError: ReportedError {
    package var report: DexError {
        Self.row(.usage("bad-address"), PlainText.clean(description))
    }
}

/// A user's text that is not a hash.
extension Bytes32Error: ReportedError {
    package var report: DexError {
        Self.row(.usage("bad-hash"), PlainText.clean(description))
    }
}
