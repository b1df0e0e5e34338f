import Ethereum
import NIOCore
import ZeroEx

/// An order with the relay's data about it.
struct RecordV4: Sendable {
    let entry: OrderEntry
    /// The fillable amount now, in taker token base units.
    let remaining: UInt256
    private let state: StaticString

    /// The approximate size in bytes of a record without its order.
    static let margin = 320

    /// An order of the book, or one that left it.
    ///
    /// nil if the order's state on chain is not known yet, and for one that the relay hides.
    init?(_ listing: Listing) {
        switch listing.state {
        case .shown:
            guard listing.isRead else { return nil }
            state = listing.standing.isPartlyFilled ? "FILLED" : "ADDED"
        case .hidden: return nil
        case .dormant: state = "UNFUNDED"
        case .filled: state = "FULLY_FILLED"
        case .cancelled: state = "CANCELLED"
        case .expired: state = "EXPIRED"
        case .removed: state = "STOPPED_WATCHING"
        }
        entry = listing.entry
        remaining = listing.state == .shown ? listing.standing.fillable : .zero
    }

    /// An order of the book that has too little time left to be shown.
    init(tooLate entry: OrderEntry) {
        self.entry = entry
        remaining = .zero
        state = "EXPIRED"
    }

    /// An order as a message of the feed shows it.
    init(_ entry: OrderEntry, remaining: UInt256, state: StaticString) {
        self.entry = entry
        self.remaining = remaining
        self.state = state
    }

    /// Writes the record in its served form.
    func write(to buffer: inout ByteBuffer) {
        buffer.writeString("{\"order\":")
        buffer.writeBytes(entry.body)
        buffer.writeString(",\"metaData\":{\"orderHash\":\"")
        buffer.writeString(entry.hash.hex)
        buffer.writeString("\",\"remainingFillableTakerAmount\":\"")
        buffer.writeString(remaining.description)
        buffer.writeString("\",\"state\":\"")
        buffer.writeStaticString(state)
        buffer.writeString("\"}}")
    }
}
