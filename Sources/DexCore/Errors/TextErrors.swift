package import Ethereum

/// A user's text that is not an amount.
extension DecimalTextError: ErrorArea {
    package var report: ErrorReport {
        ErrorReport(.usage, "bad-amount", PlainText.clean(description))
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
