import Ethereum
import NIOCore
import ZeroEx

/// A message as all its subscribers get it: only the start with their request's id differs.
struct FeedMessage: Sendable {
    enum Kind: CaseIterable, Sendable {
        case snapshot, update, change

        var name: StaticString {
            switch self {
            case .snapshot: "snapshot"
            case .update: "update"
            case .change: "change"
            }
        }
    }

    let kind: Kind
    /// From `"sequence"` to the closing brace.
    let body: ByteBuffer

    /// A message is cut after about so many bytes: common clients read at most 1 MiB.
    static let size = 512 * 1024

    /// The messages that tell subscribers of some events, in order.
    ///
    /// - Parameter previous: the sequence of the message before them.
    static func messages(
        _ events: [FeedEvent],
        previous: UInt64,
        _ key: FeedStreamKey
    ) -> [FeedMessage] {
        if let direction = key.direction {
            recordMessages(events, previous, direction)
        } else {
            orderMessages(events, previous)
        }
    }

    // MARK: API v0

    /// One order for each update; what changed or left goes together.
    private static func orderMessages(
        _ events: [FeedEvent],
        _ previous: UInt64
    ) -> [FeedMessage] {
        var messages: [FeedMessage] = []
        var previous = previous
        var rest = events[...]
        while let event = rest.first {
            var body = ByteBuffer()
            if event.isNew {
                body.reserveCapacity(event.entry.bodySize + 96)
                body.writeStart(event.sequence, previous: previous)
                body.writeString(",\"payload\":")
                body.writeBytes(event.entry.body)
                body.writeString("}")
                messages.append(FeedMessage(kind: .update, body: body))
                previous = event.sequence
                rest.removeFirst()
                continue
            }
            let changes = rest.prefix { !$0.isNew }.prefix(size / 256)
            let sequence = changes.last?.sequence ?? event.sequence
            body.reserveCapacity(changes.count * 192 + 96)
            body.writeStart(sequence, previous: previous)
            body.writeString(",\"payload\":")
            body.writeArray(changes) { $0.writeChange($1) }
            body.writeString("}")
            messages.append(FeedMessage(kind: .change, body: body))
            previous = sequence
            rest = rest.dropFirst(changes.count)
        }
        return messages
    }

    // MARK: API v4

    private static func recordMessages(
        _ events: [FeedEvent],
        _ previous: UInt64,
        _ direction: PairDirection
    ) -> [FeedMessage] {
        var messages: [FeedMessage] = []
        var previous = previous
        var rest = events[...]
        while !rest.isEmpty {
            var bytes = 0
            let part = rest.prefix { event in
                defer { bytes += event.entry.bodySize + RecordV4.margin }
                return bytes < size
            }
            guard let sequence = part.last?.sequence else { break }
            var body = ByteBuffer()
            body.reserveCapacity(bytes + 320)
            body.writeStart(sequence, previous: previous)
            body.write(direction)
            body.writeString(",\"payload\":")
            body.writeArray(part) { buffer, event in
                RecordV4(event.entry, remaining: event.remaining, state: event.stateV4)
                    .write(to: &buffer)
            }
            body.writeString("}")
            messages.append(FeedMessage(kind: .update, body: body))
            previous = sequence
            rest = rest.dropFirst(part.count)
        }
        return messages
    }

    // MARK: Snapshots

    /// The orders of a view.
    ///
    /// - Parameter sides: the orders of each of its sides, separated by commas.
    static func snapshot(
        _ view: FeedRequest.View,
        _ sides: [ByteBufferView],
        isComplete: Bool,
        sequence: UInt64
    ) -> FeedMessage {
        var body = ByteBuffer()
        body.reserveCapacity(sides.reduce(320) { $0 + $1.count })
        body.writeStart(sequence, isComplete: isComplete)
        let names: [String]
        let end: String
        switch view {
        case .book: (names, end) = ([",\"payload\":{\"bids\":[", "],\"asks\":["], "]}}")
        case .side(let direction):
            body.write(direction)
            (names, end) = ([",\"payload\":["], "]}")
        }
        for (name, orders) in zip(names, sides) {
            body.writeString(name)
            body.writeBytes(orders)
        }
        body.writeString(end)
        return FeedMessage(kind: .snapshot, body: body)
    }
}

extension ByteBuffer {
    fileprivate mutating func writeStart(_ sequence: UInt64, previous: UInt64) {
        writeString("\"sequence\":\(sequence),\"previous\":\(previous)")
    }

    fileprivate mutating func writeStart(_ sequence: UInt64, isComplete: Bool) {
        writeString("\"sequence\":\(sequence),\"complete\":\(isComplete)")
    }

    fileprivate mutating func write(_ direction: PairDirection) {
        writeString(",\"pair\":{\"makerToken\":\"\(direction.makerToken.lowercaseHex)\"")
        writeString(",\"takerToken\":\"\(direction.takerToken.lowercaseHex)\"}")
    }

    fileprivate mutating func writeChange(_ event: FeedEvent) {
        writeString("{\"orderHash\":\"")
        writeString(event.entry.hash.hex)
        writeString("\",\"state\":\"")
        writeString(event.state.rawValue)
        writeString("\",\"remainingFillableTakerAmount\":\"")
        writeString(event.remaining.description)
        writeString("\"}")
    }
}
