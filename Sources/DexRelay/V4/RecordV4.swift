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

    /// An order of the book.
    ///
    /// nil if its state on chain is not known yet, as after a start while the node does not answer.
    init?(_ entry: OrderEntry, _ standing: OrderStanding?) {
        guard let standing else { return nil }
        self.entry = entry
        remaining = standing.fillable
        state = standing.isPartlyFilled ? "FILLED" : "ADDED"
    }

    /// An order that left the book.
    init(_ entry: OrderEntry, _ state: UnfillableState) {
        self.entry = entry
        remaining = .zero
        self.state =
            switch state {
            case .expired: "EXPIRED"
            case .filled: "FULLY_FILLED"
            case .cancelled: "CANCELLED"
            case .unfunded: "UNFUNDED"
            }
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
