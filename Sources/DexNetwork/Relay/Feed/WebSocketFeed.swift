package import Ethereum
package import ZeroEx

/// A relay's feed over a WebSocket.
package struct WebSocketFeed: RelayFeed {
    private let url: String
    private let client: WebSocketClient
    private let codec: any ExchangeProtocol

    /// - Parameter url: `ws://` or `wss://`.
    package init(url: String, client: WebSocketClient, exchangeProtocol codec: any ExchangeProtocol)
    {
        self.url = url
        self.client = client
        self.codec = codec
    }

    package func follow(
        base: Address,
        quote: Address,
        receive: @escaping @Sendable (RelayFeedEvent) async -> Void
    ) async -> RelayFeedEnd {
        switch codec.version {
        case .v1:
            let subscription = FeedSubscriptionV0(base: base, quote: quote, codec: codec)
            return await follow(subscription, receive).end
        case .v4:
            func subscription(asksSnapshot: Bool) -> FeedSubscriptionV4 {
                FeedSubscriptionV4(
                    base: base,
                    quote: quote,
                    codec: codec,
                    asksSnapshot: asksSnapshot
                ) { .random(in: .min ... .max) }
            }
            let (end, isRefused) = await follow(subscription(asksSnapshot: true), receive)
            // The wish for a snapshot is our relays' own.
            guard isRefused else { return end }
            return await follow(subscription(asksSnapshot: false), receive).end
        }
    }

    /// - Returns: also whether the relay refused the subscription.
    private func follow(
        _ wanted: some FeedSubscription,
        _ receive: @escaping @Sendable (RelayFeedEvent) async -> Void
    ) async -> (end: RelayFeedEnd, isRefused: Bool) {
        var subscription = wanted
        do {
            let connection = try await client.connect(to: url)
            defer { connection.close() }
            for request in subscription.requests { connection.send(request) }
            await receive(.subscribed)
            while true {
                let text = try await connection.next()
                for event in try subscription.events(in: text) { await receive(event) }
                guard subscription.takeResync() else { continue }
                for request in subscription.requests { connection.send(request) }
            }
        } catch let error as WebSocketError {
            let end = RelayFeedEnd(reason: error.description, isPermanent: error.isPermanent)
            return (end, false)
        } catch let error as FeedFault {
            return (RelayFeedEnd(reason: error.reason), error.isRefusal)
        } catch {
            return (RelayFeedEnd(reason: "\(error)"), false)
        }
    }
}

extension RelayClients {
    /// The usual address of a relay's feed; nil if the base URL is not http or https.
    ///
    /// `wss://relay.example/v0/ws` of `https://relay.example/v0`; in the API v4 it is the base URL
    /// itself.
    package static func feedURL(baseURL: String, version: ProtocolVersion) -> String? {
        let address = RelayAddress(baseURL)
        let url =
            switch version {
            case .v1: address.url("/ws")
            case .v4: address.url("")
            }
        for (scheme, other) in [("http://", "ws://"), ("https://", "wss://")]
        where url.lowercased().hasPrefix(scheme) {
            return other + url.dropFirst(scheme.count)
        }
        return nil
    }
}
