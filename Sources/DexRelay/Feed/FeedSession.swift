import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON

/// One client of the feed: reads its subscriptions, and keeps them until the connection ends.
final class FeedSession: WebSocketSession {
    private let connection: WebSocketConnection
    private let interface: RelayInterface
    private let hub: FeedHub
    private let book: OrderBook
    private let limits: @Sendable () -> RelayLimits
    private let client: String
    /// Of the client's address.
    private let buckets: ClientBuckets
    private var bucket: TokenBucket?
    /// The key that the connection was opened with.
    private let holder: RelayKey?
    private let keys: RelayKeys
    private var ticket: UInt64?
    private let onEnd: @Sendable (WebSocketEnd) -> Void
    /// By request id.
    ///
    /// The id belongs to the connection: the same one again replaces the earlier subscription.
    private var subscribers: [String: FeedSubscriber] = [:]

    init(
        _ connection: WebSocketConnection,
        _ interface: RelayInterface,
        hub: FeedHub,
        book: OrderBook,
        client: String,
        buckets: ClientBuckets,
        holder: RelayKey?,
        keys: RelayKeys,
        limits: @escaping @Sendable () -> RelayLimits,
        onEnd: @escaping @Sendable (WebSocketEnd) -> Void
    ) {
        self.connection = connection
        self.interface = interface
        self.hub = hub
        self.book = book
        self.client = client
        self.buckets = buckets
        self.holder = holder
        self.keys = keys
        self.limits = limits
        self.onEnd = onEnd
        hub.opened()
        if let holder, let eventLoop = connection.eventLoop {
            let bound = NIOLoopBound(connection, eventLoop: eventLoop)
            ticket = keys.opened(holder) {
                eventLoop.execute {
                    bound.value.close(.policyViolation, "the operator removed the key")
                }
            }
        }
    }

    func received(_ text: ByteBuffer) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(
                text.readableBytesView,
                maximumDepth: RelayConfiguration.maximumBodyDepth
            )
        } catch {
            let reason = "Malformed JSON: \(error.problem), at byte \(error.offset)"
            return fail(interface.fault.malformedJSON(reason), .invalidPayload)
        }
        do {
            subscribe(try FeedRequest.read(json, interface))
        } catch let fault as any RelayFault {
            fail(fault, .policyViolation)
        } catch {
            connection.close(.policyViolation, "not a subscription")
        }
    }

    func ended(_ end: WebSocketEnd) {
        if let eventLoop = connection.eventLoop {
            for subscriber in subscribers.values { hub.unsubscribe(subscriber, on: eventLoop) }
        }
        subscribers = [:]
        if let ticket { keys.ended(ticket) }
        hub.ended(end)
        onEnd(end)
    }

    private func subscribe(_ request: FeedRequest) {
        guard let eventLoop = connection.eventLoop else { return }
        if let seconds = secondsUntilNext() {
            let fault = interface.fault.init(
                status: .tooManyRequests,
                reason: "Too many subscriptions: open the next one in \(seconds) s"
            )
            return fail(fault, .policyViolation)
        }
        if let earlier = subscribers.removeValue(forKey: request.id) {
            hub.unsubscribe(earlier, on: eventLoop)
        }
        let maximum = limits().maximumSubscriptionsOfConnection
        guard subscribers.count < maximum else {
            let fault = interface.fault.init(
                status: .tooManyRequests,
                reason: "A connection has at most \(maximum) subscriptions"
            )
            return fail(fault, .policyViolation)
        }
        guard let subscriber = hub.subscribe(request, interface, connection, in: book) else {
            return
        }
        // Its first messages may have closed the connection.
        if connection.isOpen {
            subscribers[request.id] = subscriber
        } else {
            hub.unsubscribe(subscriber, on: eventLoop)
        }
    }

    /// Counts a subscription, whose snapshot may be large.
    ///
    /// - Returns: nil if it may be opened now, else when one may be.
    private func secondsUntilNext() -> Int? {
        let limits = limits()
        let burst = limits.subscribeBurst
        let now = hub.now()
        var own = bucket ?? TokenBucket(burst: burst, at: now)
        defer { bucket = own }
        if let seconds = own.take(1, rate: limits.subscribesPerSecond, burst: burst, at: now) {
            return seconds
        }
        if let holder { return keys.takeSubscription(of: holder.name, standard: limits) }
        return buckets.take(
            1,
            client: client,
            perSecond: limits.subscribesOfAddress,
            burst: limits.subscribeBurstOfAddress
        )
    }

    /// Sends one error body without a type, as the standard says, and closes.
    private func fail(_ fault: any RelayFault, _ code: WebSocketCloseCode) {
        connection.queue(ByteBuffer(bytes: fault.json.utf8))
        connection.flush()
        connection.close(code, "see the error before this")
    }
}

@available(*, unavailable)
extension FeedSession: Sendable {}
