import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import StrictJSON

/// What a relay serves beside its APIs: its page, its description, its health and its figures.
struct OperationRoutes: Sendable {
    let markets: [RelayMarket]
    let operations: RelayOperations
    let counter: RequestCounter
    let store: any OrderStore
    let feed: FeedHub
    let now: @Sendable () -> UInt64

    private var description: RelayDescription {
        RelayDescription(markets: markets, operations: operations)
    }

    // MARK: For people and programs

    /// The page, `/relay.json`, `/markets.json` and `/openapi.json`.
    func addDescriptions(to router: Router<RelayRequestContext>, isLocal: Bool) {
        let document = ByteBuffer(
            bytes: OpenAPIDocument(
                interfaces: markets.map { RelayInterface($0.version) },
                operations: operations,
                isLocal: isLocal
            ).json.utf8
        )
        router.get("/") { _, _ in RelayPage.embedded.response }
        router.head("/") { _, _ in RelayPage.embedded.response.createHeadResponse() }
        router.get("openapi.json") { _, _ in Response(json: document) }
        router.get("relay.json") { _, _ in
            Response(json: ByteBuffer(bytes: description.relay.utf8))
        }
        router.get("markets.json") { _, _ in
            Response(json: ByteBuffer(bytes: description.pairs.utf8))
        }
    }

    // MARK: For the operator

    /// `/healthz`, `/readyz` and `/metrics`, which no rate limit counts.
    ///
    /// - Parameters:
    ///   - isLocal: no web page may read them.
    ///   - hosts: the server's own, if it is local.
    func addHealth(
        to router: Router<RelayRequestContext>,
        isLocal: Bool,
        hosts: AcceptedHosts
    ) {
        let group = router.group("")
        if isLocal { group.add(middleware: LocalRequestGuard(hosts: hosts)) }
        group.get("healthz") { _, _ in health }
        group.head("healthz") { _, _ in health.createHeadResponse() }
        group.get("readyz") { _, _ in await readiness() }
        group.head("readyz") { _, _ in await readiness().createHeadResponse() }
        group.get("metrics") { _, context in await metrics(context) }
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
    private func metrics(_ context: RelayRequestContext) async -> Response {
        let isReader =
            context.isClientCertain
            && operations.metricsReaders.contains { $0.contains(context.client) }
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
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
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
