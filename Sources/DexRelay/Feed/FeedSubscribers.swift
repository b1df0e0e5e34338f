import HTTPServing
import NIOCore

/// A subscription on its connection; it belongs to the connection's event loop.
final class FeedSubscriber {
    let topic: FeedTopic
    let connection: WebSocketConnection
    /// The flushes up to this number are no news to it: they are in its snapshot.
    let joined: UInt64
    /// The starts of its messages by kind, up to the comma behind the request's id.
    private let starts: [FeedMessage.Kind: ByteBuffer]

    init(
        _ request: FeedRequest,
        _ interface: RelayInterface,
        _ connection: WebSocketConnection,
        joined: UInt64
    ) {
        topic = request.topic
        self.connection = connection
        self.joined = joined
        let channel =
            switch interface {
            case .v0: "orderbook"
            case .v4: "orders"
            }
        starts = Dictionary(
            uniqueKeysWithValues: FeedMessage.Kind.allCases.map { kind in
                let start =
                    "{\"type\":\"\(kind.name)\",\"channel\":\"\(channel)\",\"requestId\":\(request.id),"
                return (kind, ByteBuffer(string: start))
            }
        )
    }

    /// Writes messages, to be flushed by the caller.
    func queue(_ messages: [FeedMessage], _ sent: inout FeedVolume) {
        guard connection.isOpen else { return }
        for message in messages {
            guard let start = starts[message.kind] else { continue }
            connection.queue(start, message.body)
            sent.messages += 1
            sent.bytes += UInt64(start.readableBytes + message.body.readableBytes)
        }
    }
}

/// How much was written to connections.
struct FeedVolume: Hashable, Sendable {
    var messages: UInt64 = 0
    var bytes: UInt64 = 0
}

/// Ready messages for the subscribers of some topics.
struct FeedFlush: Sendable {
    /// Counts all flushes.
    let number: UInt64
    let parts: [(topics: [FeedTopic], messages: [FeedMessage])]
}

/// The subscribers whose connections share an event loop.
final class FeedSubscribers {
    private var topics: [FeedTopic: [ObjectIdentifier: FeedSubscriber]] = [:]

    func add(_ subscriber: FeedSubscriber) {
        topics[subscriber.topic, default: [:]][ObjectIdentifier(subscriber)] = subscriber
    }

    func remove(_ subscriber: FeedSubscriber) {
        topics[subscriber.topic]?[ObjectIdentifier(subscriber)] = nil
        if topics[subscriber.topic]?.isEmpty == true { topics[subscriber.topic] = nil }
    }

    /// Writes a flush to all whom it concerns, then sends each connection's part at once.
    func deliver(_ flush: FeedFlush) -> FeedVolume {
        var sent = FeedVolume()
        var touched: [ObjectIdentifier: WebSocketConnection] = [:]
        for part in flush.parts {
            for topic in part.topics {
                guard let subscribers = topics[topic] else { continue }
                for subscriber in subscribers.values where subscriber.joined < flush.number {
                    subscriber.queue(part.messages, &sent)
                    touched[ObjectIdentifier(subscriber.connection)] = subscriber.connection
                }
            }
        }
        // A connection that is closed here removes its subscribers, so nothing is iterated now.
        for connection in touched.values { connection.flush() }
        return sent
    }
}

@available(*, unavailable)
extension FeedSubscribers: Sendable {}
