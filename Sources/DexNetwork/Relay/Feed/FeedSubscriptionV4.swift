import Ethereum
import StrictJSON
import ZeroEx

/// Two subscriptions to the channel `orders` of the standard relayer API v4, one for each side.
///
/// The standard has no snapshots. Our own relays send one for each side that asks for it, so that
/// the book need not be read over HTTP; other relays ignore the wish, or refuse it.
struct FeedSubscriptionV4: FeedSubscription {
    private let base: Address
    private let quote: Address
    private let codec: any OrderCodec
    private let asksSnapshot: Bool
    /// Unique on the whole server, since a later subscriber takes over a known one.
    private let requestIDs: [String]
    private var sequences: [String: FeedSequence]
    private var isNumbered = false
    private var needsSnapshot = false
    /// The sides' snapshots that wait for each other, and what came after them.
    private var sides: [String: RelayOrders] = [:]
    private var isWhole = true
    private var later: [RelayFeedEvent] = []

    /// The orders of each side that the first message is asked for; the most that our relay gives.
    static let snapshotLimit = 1_000

    /// - Parameters:
    ///   - asksSnapshot: false for a relay that refuses the wish.
    ///   - random: two unpredictable words for each side.
    init(
        base: Address,
        quote: Address,
        codec: any OrderCodec,
        asksSnapshot: Bool = true,
        random: () -> UInt64
    ) {
        self.asksSnapshot = asksSnapshot
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
            var payload = JSONObject()
            payload["makerToken"] = .string(tokens.0.lowercaseHex)
            payload["takerToken"] = .string(tokens.1.lowercaseHex)
            if asksSnapshot {
                payload["snapshot"] = true
                payload["limit"] = .integer(Self.snapshotLimit)
            }
            let request: JSONValue = [
                "type": "subscribe",
                "channel": "orders",
                "requestId": .string(id),
                "payload": .object(payload),
            ]
            return request.text
        }
    }

    mutating func takeResync() -> Bool {
        defer { needsSnapshot = false }
        return needsSnapshot
    }

    mutating func events(in text: String) throws(FeedFault) -> [RelayFeedEvent] {
        let message = try FeedMessage(text)
        guard ["update", "snapshot"].contains(message.type), let id = message.requestID,
            let step = sequences[id]?.take(message)
        else { return [] }
        guard let records = FeedPayload.list(message.payload) else {
            throw FeedFault("its \(message.type) is no list")
        }
        var events: [RelayFeedEvent] = []
        switch step {
        case .unnumbered: break
        case .inOrder:
            if !isNumbered { events.append(.numbered) }
            isNumbered = true
        case .gap: events.append(.gap)
        }
        if message.type == "snapshot" {
            note(snapshot(records), of: id, isComplete: message.isComplete)
            if let book = takeBook() { events += [.snapshot(book, isWhole: isWhole)] + takeLater() }
            return events
        }
        events += updates(records)
        if events.hasGap {
            forgetSnapshots()
            // A relay without numbers has no snapshots either.
            needsSnapshot = isNumbered && asksSnapshot
        } else if sides[id] != nil {
            later += events
        }
        return events
    }

    /// In the order of the list: an order may leave and come back in one message.
    private func updates(_ records: [JSONValue]) -> [RelayFeedEvent] {
        var events: [RelayFeedEvent] = []
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

    // MARK: Snapshots

    private func snapshot(_ records: [JSONValue]) -> RelayOrders {
        RelayOrders(reading: records) { record throws(OrderError) in
            try RelayClientV4.order(record, codec)
        }
    }

    private mutating func note(_ orders: RelayOrders, of id: String, isComplete: Bool?) {
        if sides.isEmpty { isWhole = true }
        sides[id] = orders
        isWhole = isWhole && isComplete ?? (orders.orders.count < Self.snapshotLimit)
    }

    /// The book of both sides' snapshots; nil until both are there.
    private mutating func takeBook() -> RelayOrderbook? {
        // Who gives the base asks for the quote.
        guard let asks = sides[requestIDs[0]], let bids = sides[requestIDs[1]] else { return nil }
        sides = [:]
        return RelayOrderbook(bids: bids, asks: asks)
    }

    /// What came between the two snapshots.
    private mutating func takeLater() -> [RelayFeedEvent] {
        defer { later = [] }
        return later
    }

    private mutating func forgetSnapshots() {
        sides = [:]
        later = []
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
        let digits = words.map(Hex.digits).joined()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}
