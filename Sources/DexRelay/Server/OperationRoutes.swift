import HTTPServing
import HTTPTypes
import NIOCore
import StrictJSON

/// What a relay serves beside its APIs: its page, its description, its health and its figures.
struct OperationRoutes: Sendable {
    let markets: [RelayMarket]
    let operations: RelayOperations
    let counter: RequestCounter
    let store: any OrderStore
    let feed: FeedHub
    let keys: RelayKeys
    let now: @Sendable () -> UInt64

    private var description: RelayDescription {
        RelayDescription(markets: markets, operations: operations)
    }

    // MARK: For people and programs

    /// The page, `/relay.json`, `/markets.json` and `/openapi.json`.
    func addDescriptions(to router: inout Router, isLocal: Bool) {
        let document = ByteBuffer(
            bytes: OpenAPIDocument(
                interfaces: markets.map { RelayInterface($0.version) },
                operations: operations,
                isLocal: isLocal
            ).json.utf8
        )
        router.get("/") { _ in RelayPage.embedded.response }
        router.get("openapi.json") { _ in Response(json: document) }
        router.get("relay.json") { _ in Response(json: ByteBuffer(bytes: description.relay.utf8)) }
        router.on(
            .get,
            "markets.json",
            answer: { _ in
                .task { Response(json: ByteBuffer(bytes: description.pairs.utf8)) }
            }
        )
    }

    // MARK: For the operator

    /// `/healthz`, `/readyz` and `/metrics`, which no rate limit counts.
    ///
    /// - Parameters:
    ///   - isLocal: no web page may read them.
    ///   - hosts: the server's own, if it is local.
    func addHealth(to router: inout Router, isLocal: Bool, hosts: AcceptedHosts) {
        guard isLocal else { return addHealth(to: &router) }
        router.with(LocalRequestGuard(hosts: hosts)) { addHealth(to: &$0) }
    }

    private func addHealth(to router: inout Router) {
        router.get("healthz") { _ in health }
        router.on(.get, "readyz", answer: { _ in .task { await readiness() } })
        router.on(.get, "metrics", answer: { request in .task { await metrics(request) } })
    }

    private var health: Response {
        var response = Response(json: ByteBuffer(string: "{\"status\":\"ok\"}"))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    private func readiness() async -> Response {
        let reasons = operations.readiness.reasons(
            watcher: await operations.watcher(),
            store: store.statistics,
            now: now()
        )
        let json: JSONValue =
            reasons.isEmpty
            ? ["status": "ready"]
            : ["status": "not ready", "reasons": .array(reasons.map { .string($0) })]
        var response = Response(
            reasons.isEmpty ? .ok : .serviceUnavailable,
            json: ByteBuffer(bytes: json.utf8)
        )
        response.headers[.cacheControl] = "no-store"
        if !reasons.isEmpty { response.headers[.retryAfter] = "5" }
        return response
    }

    /// The figures, for the operator's own addresses: they tell what a relay can bear.
    private func metrics(_ request: Request) async -> Response {
        let isReader =
            request.isClientCertain
            && operations.metricsReaders.contains { $0.contains(request.client) }
        guard isReader else {
            let reason =
                "The metrics are for the operator of this relay: name this address in "
                + "metrics_readers to read them.\n"
            return Response(
                .forbidden,
                type: "text/plain; charset=utf-8",
                ByteBuffer(string: reason)
            )
        }
        let text = await current().text
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/plain; version=0.0.4; charset=utf-8",
                .cacheControl: "no-store",
            ],
            body: ByteBuffer(string: text)
        )
    }

    /// All figures now.
    func current() async -> RelayMetrics {
        var metrics = RelayMetrics()
        metrics.version = operations.version
        metrics.requests = counter.statistics
        for market in markets {
            let book = market.intake.book.statistics
            metrics.book.orders.merge(book.orders) { one, other in
                one.merging(other, uniquingKeysWith: +)
            }
            metrics.book.number = max(metrics.book.number, book.number)
            metrics.intake[market.version] = market.intake.statistics
        }
        metrics.watcher = await operations.watcher()
        metrics.store = store.statistics
        metrics.feed = feed.statistics
        metrics.keys = keys.statistics
        metrics.process = .read()
        metrics.isReady =
            operations.readiness.reasons(
                watcher: metrics.watcher,
                store: metrics.store,
                now: now()
            ).isEmpty
        return metrics
    }
}
