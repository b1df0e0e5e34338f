import Ethereum
import StrictJSON
import ZeroEx

/// The subscription to both sides of a pair: what is sent, and what the answers mean; no I/O.
protocol FeedSubscription: Sendable {
    /// The messages that subscribe.
    var requests: [String] { get }

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
        case "snapshot": events.append(try snapshot(message.payload))
        case "update": events += update(message.payload)
        default: events.append(.changed(try changes(message.payload)))
        }
        return events
    }

    private func snapshot(_ payload: JSONValue) throws(FeedFault) -> RelayFeedEvent {
        func side(_ name: String) throws(FeedFault) -> RelayOrders {
            guard let list = FeedPayload.list(payload[name]) else {
                throw FeedFault("its snapshot has no \(name)")
            }
            return FeedPayload.orders(list, codec)
        }
        return .snapshot(
            RelayOrderbook(bids: try side("bids"), asks: try side("asks")),
            limit: Self.snapshotLimit
        )
    }

    /// One order; tolerant relays send a list.
    private func update(_ payload: JSONValue) -> [RelayFeedEvent] {
        let list = FeedPayload.list(payload) ?? [payload]
        let orders = FeedPayload.orders(list, codec)
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

/// Two subscriptions to the channel `orders` of the standard relayer API v4, one for each side.
struct FeedSubscriptionV4: FeedSubscription {
    private let base: Address
    private let quote: Address
    private let codec: any OrderCodec
    /// Unique on the whole server, since a later subscriber takes over a known one.
    private let requestIDs: [String]
    private var sequences: [String: FeedSequence]
    private var isNumbered = false

    /// - Parameter random: two unpredictable words for each side.
    init(base: Address, quote: Address, codec: any OrderCodec, random: () -> UInt64) {
        self.base = base
        self.quote = quote
        self.codec = codec
        requestIDs = (0..<2).map { _ in Self.uuid(random(), random()) }
        sequences = Dictionary(
            requestIDs.map { ($0, FeedSequence()) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    var requests: [String] {
        zip(requestIDs, [(base, quote), (quote, base)]).map { id, tokens in
            let request: JSONValue = [
                "type": "subscribe",
                "channel": "orders",
                "requestId": .string(id),
                "payload": [
                    "makerToken": .string(tokens.0.lowercaseHex),
                    "takerToken": .string(tokens.1.lowercaseHex),
                ],
            ]
            return request.text
        }
    }

    mutating func events(in text: String) throws(FeedFault) -> [RelayFeedEvent] {
        let message = try FeedMessage(text)
        guard message.type == "update", let id = message.requestID,
            let step = sequences[id]?.take(message)
        else { return [] }
        guard let records = FeedPayload.list(message.payload) else {
            throw FeedFault("its update is no list")
        }
        var events: [RelayFeedEvent] = []
        switch step {
        case .unnumbered: break
        case .inOrder:
            if !isNumbered { events.append(.numbered) }
            isNumbered = true
        case .gap: events.append(.gap)
        }
        // In the order of the list: an order may leave and come back in one message.
        for record in records {
            let order: any SignedOrder
            do throws(OrderError) {
                order = try RelayClientV4.order(record, codec)
            } catch {
                events.append(.gap)
                continue
            }
            let remaining = FeedPayload.amount(record["metaData"]?["remainingFillableTakerAmount"])
            if remaining == .zero || Self.isGone(record["metaData"]?["state"]?.stringValue) {
                events.append(.changed([RelayOrderChange(hash: order.hash, isShown: false)]))
            } else {
                events.append(.shown([order]))
            }
        }
        return events
    }

    /// States of orders that leave the book, whatever their amount says.
    private static func isGone(_ state: String?) -> Bool {
        let gone = [
            "FULLY_FILLED", "CANCELLED", "EXPIRED", "INVALID", "UNFUNDED", "STOPPED_WATCHING",
        ]
        return state.map(gone.contains) ?? false
    }

    /// A random UUID.
    ///
    /// Source: RFC 9562, section 5.4
    private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
        let words = [high & ~0xF000 | 0x4000, low & ~(0b11 << 62) | 0b10 << 62]
        let digits = words.map { word in
            let hex = String(word, radix: 16)
            return String(repeating: "0", count: 16 - hex.count) + hex
        }.joined()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}

/// Parts of a feed's payload, tolerant of the variants of real relays.
enum FeedPayload {
    /// A bare list, or the object around it in later versions.
    static func list(_ json: JSONValue?) -> [JSONValue]? {
        json?.arrayValue ?? json?["records"]?.arrayValue
    }

    static func orders(_ list: [JSONValue], _ codec: any OrderCodec) -> RelayOrders {
        var orders = RelayOrders(orders: [])
        for json in list {
            do throws(OrderError) {
                orders.orders.append(try codec.decodeOrder(json))
            } catch {
                orders.unreadable.add(error)
            }
        }
        return orders
    }

    /// A whole number as text or number; nil if it is missing or none.
    static func amount(_ json: JSONValue?) -> UInt256? {
        (json?.stringValue ?? json?.numberText).flatMap { UInt256(decimal: $0) }
    }
}
