package import DexCore
import DexRelay

/// The reason why a relay cannot start.
package enum RelayHostError: ErrorArea {
    package static func listen(address: String, reason: String) -> DexError {
        row(
            .configuration("relay-listen"),
            "The relay cannot listen at \(address): \(reason).",
            hint: "Stop what listens there, or choose another address: listen in relay.toml"
        )
    }

    package static func store(place: String, reason: String) -> DexError {
        row(
            .configuration("relay-store"),
            "The relay's orders in \(place) cannot be opened: "
                + PlainText.sentence(reason),
            hint: "See what is wrong: dex relay check"
        )
    }

    package static func storeSilent(place: String, reason: String) -> DexError {
        row(
            .unreachable("relay-store-silent"),
            "The relay's store at \(place) does not answer: \(PlainText.sentence(reason))",
            hint: "See what is wrong: dex relay check",
            retryable: true
        )
    }
}

extension DexError {
    /// The failure of a relay's store, with its place.
    init(_ error: OrderStoreError, at place: StorePlace) {
        self =
            switch error {
            case .unusable(_, let reason):
                RelayHostError.store(place: place.words, reason: reason)
            case .unavailable(let reason), .unknown(let reason):
                RelayHostError.storeSilent(place: place.words, reason: reason)
            case .superseded:
                RelayHostError.storeSilent(place: place.words, reason: error.description)
            }
    }
}
