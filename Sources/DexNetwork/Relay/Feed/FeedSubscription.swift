import Ethereum
import StrictJSON
import ZeroEx

/// The subscription to both sides of a pair: what is sent, and what the answers mean; no I/O.
protocol FeedSubscription: Sendable {
    /// The messages that subscribe; sent again, they replace what they subscribed to.
    var requests: [String] { get }

    /// Messages are missing, and `requests` bring a new snapshot; once for each gap.
    mutating func takeResync() -> Bool

    /// The events in a message.
    ///
    /// - Throws: `FeedFault` if the feed is of no use any longer.
    mutating func events(in text: String) throws(FeedFault) -> [RelayFeedEvent]
}

/// A subscription to the channel `orderbook` of version 0 of the standard relayer API.
struct FeedSubscriptionV0: FeedSubscription {
    /// The orders of each side that the first message is asked for; that of the API's own example.
    static let snapshotLimit = 100
    private static let requestID = "1"

    private let base: Address
    private let quote: Address
    private let codec: any OrderCodec
    private var sequence = FeedSequence()
    private var isNumbered = false
    private var needsSnapshot = false

    init(base: Address, quote: Address, codec: any OrderCodec) {
        self.base = base
        self.quote = quote
        self.codec = codec
    }

    var requests: [String] {
        let request: JSONValue = [
            "type": "subscribe",
            "channel": "orderbook",
            "requestId": .integer(1),
            "payload": [
                "baseTokenAddress": .string(base.lowercaseHex),
                "quoteTokenAddress": .string(quote.lowercaseHex),
                "snapshot": true,
                "limit": .integer(Self.snapshotLimit),
            ],
        ]
        return [request.text]
    }

    mutating func takeResync() -> Bool {
        defer { needsSnapshot = false }
        return needsSnapshot
    }

    mutating func events(in text: String) throws(FeedFault) -> [RelayFeedEvent] {
        let message = try FeedMessage(text)
        guard message.requestID == nil || message.requestID == Self.requestID else { return [] }
        guard ["snapshot", "update", "change"].contains(message.type) else { return [] }
        var events: [RelayFeedEvent] = []
        switch sequence.take(message) {
        case .unnumbered: break
        case .inOrder:
            if !isNumbered { events.append(.numbered) }
            isNumbered = true
        case .gap: events.append(.gap)
        }
        switch message.type {
        case "snapshot": events.append(try snapshot(message))
        case "update": events += update(message.payload)
        default: events.append(.changed(try changes(message.payload)))
        }
        // A relay without numbers may take it for a second subscription.
        if isNumbered, events.hasGap { needsSnapshot = true }
        return events
    }

    private func snapshot(_ message: FeedMessage) throws(FeedFault) -> RelayFeedEvent {
        let payload = message.payload
        func side(_ name: String) throws(FeedFault) -> RelayOrders {
            guard let list = FeedPayload.list(payload[name]) else {
                throw FeedFault("its snapshot has no \(name)")
            }
            return RelayOrders(reading: list, codec.decodeOrder)
        }
        let book = RelayOrderbook(bids: try side("bids"), asks: try side("asks"))
        // A full side may go on beyond the snapshot.
        let isShort = [book.bids, book.asks].allSatisfy { $0.orders.count < Self.snapshotLimit }
        return .snapshot(book, isWhole: message.isComplete ?? isShort)
    }

    /// One order; tolerant relays send a list.
    private func update(_ payload: JSONValue) -> [RelayFeedEvent] {
        let list = FeedPayload.list(payload) ?? [payload]
        let orders = RelayOrders(reading: list, codec.decodeOrder)
        // An unreadable order is known only by a new read, which counts it.
        return orders.unreadable.count > 0 ? [.gap] : [.shown(orders.orders)]
    }

    private func changes(_ payload: JSONValue) throws(FeedFault) -> [RelayOrderChange] {
        guard let list = payload.arrayValue else { throw FeedFault("its changes are no list") }
        var changes: [RelayOrderChange] = []
        for change in list {
            guard let hash = change["orderHash"]?.stringValue.flatMap(OrderHash.init(ifHex:)) else {
                throw FeedFault("a change names no order")
            }
            let state = change["state"]?.stringValue
            let remaining = FeedPayload.amount(change["remainingFillableTakerAmount"])
            changes.append(
                RelayOrderChange(hash: hash, isShown: state == "shown" && remaining != .zero)
            )
        }
        return changes
    }
}

/// Parts of a feed's payload, tolerant of the variants of real relays.
enum FeedPayload {
    /// A bare list, or the object around it in later versions.
    static func list(_ json: JSONValue?) -> [JSONValue]? {
        json?.arrayValue ?? json?["records"]?.arrayValue
    }

    /// A whole number as text or number; nil if it is missing or none.
    static func amount(_ json: JSONValue?) -> UInt256? {
        (json?.stringValue ?? json?.numberText).flatMap { UInt256(decimal: $0) }
    }
}

extension [RelayFeedEvent] {
    var hasGap: Bool {
        contains { if case .gap = $0 { true } else { false } }
    }
}
