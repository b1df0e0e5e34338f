import Ethereum
import NIOCore
import ZeroEx

/// An order with what the relay says of it.
struct RecordV4: Sendable {
    let entry: OrderEntry
    /// What can be filled now, in taker token base units.
    let remaining: UInt256
    private let state: StaticString

    /// About the bytes that a record has beside its order.
    static let margin = 320

    /// An order of the book; nil where the chain has not been asked about it yet, as it is after a
    /// start for as long as the node does not answer.
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

    /// The record as it is served.
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
