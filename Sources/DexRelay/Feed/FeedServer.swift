package import HTTPServing
import HTTPTypes
import ZeroEx

/// The WebSockets of a relay: who may connect, and at which paths.
package struct FeedServer: Sendable {
    package let hub: FeedHub
    private let books: [(interface: RelayInterface, book: OrderBook)]
    private let isLocal: Bool
    private let hosts: AcceptedHosts
    private let refusal: @Sendable () -> RequestRefusal?
    private let limits: @Sendable () -> RelayLimits
    private let clientAddress: @Sendable (_ peer: String, _ forwardedFor: [String]) -> String
    private let times: WebSocketTimes
    private let warnings: RepeatedWarning?
    private let admission = FeedAdmission()
    private let buckets: ClientBuckets
    private let keys: RelayKeys

    /// - Parameters:
    ///   - books: the hub's, one of each protocol version that the relay carries.
    ///   - isLocal: it serves only programs, and its own pages.
    ///   - hosts: the server's own, if it is local.
    ///   - refusal: why nobody is answered now; nil if all are.
    ///   - warnings: told of clients beyond the limits.
    ///   - keys: of clients with limits of their own.
    ///   - limits: read for each connection and subscription.
    ///   - clientAddress: the client behind a connection's peer and its X-Forwarded-For headers.
    package init(
        hub: FeedHub,
        books: [OrderBook],
        isLocal: Bool,
        hosts: AcceptedHosts = .loopback,
        refusal: @escaping @Sendable () -> RequestRefusal? = { nil },
        times: WebSocketTimes = WebSocketTimes(),
        warnings: RepeatedWarning? = nil,
        keys: RelayKeys,
        limits: @escaping @Sendable () -> RelayLimits,
        clientAddress: @escaping @Sendable (_ peer: String, _ forwardedFor: [String]) -> String
    ) {
        self.hub = hub
        buckets = ClientBuckets(now: hub.now)
        self.books = books.map { (RelayInterface($0.version), $0) }
        self.isLocal = isLocal
        self.hosts = hosts
        self.refusal = refusal
        self.times = times
        self.warnings = warnings
        self.keys = keys
        self.limits = limits
        self.clientAddress = clientAddress
    }

    /// What the HTTP server upgrades.
    package var webSockets: WebSocketServer {
        WebSocketServer(paths: Set(books.flatMap(\.interface.webSocketPaths)), times: times) {
            answer($0)
        }
    }

    private func answer(_ request: WebSocketRequest) -> WebSocketAnswer {
        guard
            let (interface, book) = books.first(where: {
                $0.interface.webSocketPaths.contains(request.path)
            })
        else { return .refuse(Self.refusal(RelayInterface.v0.fault, .notFound, "Not found")) }
        let fault = interface.fault
        if let refusal = refusal() {
            return .refuse(Self.refusal(fault, refusal.status, refusal.reason))
        }
        if isLocal {
            let refusal = LocalRequest.refusal(
                host: request.value(of: "Host"),
                origin: request.values(of: "Origin").first,
                contentType: nil,
                isPost: false,
                hosts: hosts
            )
            if let refusal { return .refuse(Self.refusal(fault, refusal.status, refusal.reason)) }
        }
        let holder: RelayKey?
        switch keys.caller(
            authorization: request.values(of: "Authorization"),
            keys: request.values(of: RelayKeys.header)
        ) {
        case .anonymous: holder = nil
        case .holder(let key): holder = key
        case .refused(let reason): return .refuse(Response(unknownKey: reason, fault))
        }
        let limits = limits()
        // No address has this form.
        let client =
            holder.map { "key \($0.name)" }
            ?? clientAddress(request.peer, request.values(of: "X-Forwarded-For"))
        do throws(FeedAdmission.Refusal) {
            try admission.enter(client, limits)
        } catch {
            warnings?.warn(Self.warning(error), client: client)
            return .refuse(Self.refusal(error, fault, limits))
        }
        return .accept(
            WebSocketLimits(
                maximumMessageBytes: limits.maximumMessageBytes,
                maximumUnsentBytes: limits.maximumUnsentBytes
            )
        ) { [self] connection in
            FeedSession(
                connection,
                interface,
                hub: hub,
                book: book,
                client: client,
                buckets: buckets,
                holder: holder,
                keys: keys,
                limits: self.limits
            ) { end in
                admission.leave(client)
                if end == .server(.tryAgainLater) {
                    warnings?.warn(
                        "A reader of the feed did not keep up and was closed with 1013.",
                        client: client
                    )
                }
            }
        }
    }

    private static func warning(_ refusal: FeedAdmission.Refusal) -> String {
        switch refusal {
        case .tooManyOfAddress:
            "An address has as many WebSockets as it may have; further ones are refused."
        case .full: "All WebSocket connections of the relay are taken; further ones are refused."
        }
    }

    private static func refusal(
        _ refusal: FeedAdmission.Refusal,
        _ fault: any RelayFault.Type,
        _ limits: RelayLimits
    ) -> Response {
        switch refusal {
        case .tooManyOfAddress:
            self.refusal(
                fault,
                .tooManyRequests,
                "One address has at most \(limits.maximumConnectionsOfAddress) connections",
                retryAfter: 60
            )
        case .full:
            self.refusal(
                fault,
                .serviceUnavailable,
                "All connections of the feed are taken; try again later",
                retryAfter: 10
            )
        }
    }

    private static func refusal(
        _ fault: any RelayFault.Type,
        _ status: HTTPResponse.Status,
        _ reason: String,
        retryAfter: Int? = nil
    ) -> Response {
        var fault = fault.init(status: status, reason: reason)
        fault.retryAfter = retryAfter
        return Response(fault)
    }
}
