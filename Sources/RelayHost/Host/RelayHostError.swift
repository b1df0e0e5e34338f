package import DexCore
import DexRelay

/// Why a relay cannot start.
package enum RelayHostError: ErrorArea {
    case listen(address: String, reason: String)
    case store(place: String, reason: String)
    case storeSilent(place: String, reason: String)

    package var report: ErrorReport {
        switch self {
        case .listen(let address, let reason):
            ErrorReport(
                .configuration,
                "relay-listen",
                "The relay cannot listen at \(address): \(reason).",
                hint: "Stop what listens there, or choose another address: listen in relay.toml"
            )
        case .store(let place, let reason):
            ErrorReport(
                .configuration,
                "relay-store",
                "The relay's orders in \(place) cannot be opened: "
                    + PlainText.sentence(reason),
                hint: "See what is wrong: dex relay check"
            )
        case .storeSilent(let place, let reason):
            ErrorReport(
                .unreachable,
                "relay-store-silent",
                "The relay's store at \(place) does not answer: \(PlainText.sentence(reason))",
                hint: "See what is wrong: dex relay check",
                retryable: true
            )
        }
    }

    init(_ error: OrderStoreError, at place: StorePlace) {
        self =
            switch error {
            case .unusable(_, let reason): .store(place: place.words, reason: reason)
            case .unavailable(let reason), .unknown(let reason):
                .storeSilent(place: place.words, reason: reason)
            case .superseded: .storeSilent(place: place.words, reason: error.description)
            }
    }
}
