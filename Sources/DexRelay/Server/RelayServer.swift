package import Ethereum
import EthereumWallet
package import HTTPServing
package import Logging
import NIOCore
import NIOPosix
package import ZeroEx

/// A relay: books of signed orders behind the standard relayer API, one for each protocol version.
///
/// It holds no money and no keys. All rules of a protocol version come from the
/// `ExchangeProtocol`; the chain is only read.
package struct RelayServer: Sendable {
    /// At least one, each of a different protocol version.
    package let markets: [RelayMarket]
    package let ledger: OrderLedger
    package let watcher: ChainWatcher
    /// The subscribers of the WebSockets.
    package let feed: FeedHub
    /// What the relay says of itself; the host sets it before serving.
    package var operations = RelayOperations()
    /// The clients with limits of their own; the host replaces them.
    package let keys: RelayKeys
    private let requestsPerHour: @Sendable () -> Int?
    private let requests = RequestCounter()
    private let recorder: RequestRecorder
    private let limiter: RateLimiter
    private let answers = CompressedAnswers()
    private let now: @Sendable () -> UInt64
    private let sleep: @Sendable (Duration) async throws -> Void
    private let logger: Logger

    package var intake: OrderIntake { markets[0].intake }

    /// A relay for one or several protocol versions over one chain and one open store; call
    /// `restore()` before serving.
    ///
    /// - Parameters:
    ///   - first: its rate limit applies to all markets.
    ///   - others: of other versions than the first and each other; a second one of a version is
    ///     ignored.
    ///   - now: seconds since 1970.
    package init(
        _ first: RelayMarket.Terms,
        _ others: [RelayMarket.Terms] = [],
        chain: any ChainClient,
        recoverer: any SignatureRecovering,
        store: any OrderStore,
        policy: (any OrderPolicy)? = nil,
        now: @escaping @Sendable () -> UInt64,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        logger: Logger
    ) {
        self.now = now
        self.sleep = sleep
        self.logger = logger
        let keys = RelayKeys(now: now)
        self.keys = keys
        let feed = FeedHub(timer: MultiThreadedEventLoopGroup.singleton.any(), now: now)
        self.feed = feed
        var parts: [(terms: RelayMarket.Terms, book: OrderBook)] = []
        for terms in [first] + others {
            let version = terms.exchangeProtocol.version
            guard !parts.contains(where: { $0.terms.exchangeProtocol.version == version }) else {
                continue
            }
            parts.append((terms, OrderBook(version, feed: feed)))
        }
        let holdings = MakerHoldings()
        let exchanges: @Sendable () -> [LogReading.Market] = { [parts] in
            parts.map { terms, _ in
                LogReading.Market(
                    exchangeProtocol: terms.exchangeProtocol,
                    contracts: terms.configuration.current.contracts
                )
            }
        }
        let index = TouchIndex(markets: exchanges)
        let ledger = OrderLedger(
            store: store,
            protocols: parts.map(\.terms.exchangeProtocol),
            followers: parts.map(\.book) + [holdings, index],
            now: now,
            sleep: sleep,
            logger: logger
        )
        self.ledger = ledger
        watcher = ChainWatcher(
            chain: chain,
            ledger: ledger,
            index: index,
            markets: exchanges,
            now: now,
            logger: logger
        )
        // The makers of all versions are the same people.
        let verifier = SignatureVerifier(recoverer: recoverer)
        markets = parts.map { terms, book in
            let parts = PostQueue.Parts(
                exchangeProtocol: terms.exchangeProtocol,
                live: terms.configuration,
                auditor: OrderAuditor(
                    exchangeProtocol: terms.exchangeProtocol,
                    chain: chain,
                    contracts: terms.configuration.current.contracts
                ),
                book: book,
                holdings: holdings,
                ledger: ledger,
                policy: policy,
                now: now,
                sleep: sleep,
                logger: logger
            )
            return RelayMarket(
                intake: OrderIntake(parts, verifier: verifier, keys: keys)
            )
        }
        operations.watcher = { [watcher] in watcher.statistics }
        let live = first.configuration
        requestsPerHour = { live.read { $0.requestsPerHour } }
        limiter = RateLimiter(limit: requestsPerHour, now: now)
        let start = ContinuousClock.now
        let numbers = RequestNumbers()
        recorder = RequestRecorder(
            counter: requests,
            addresses: { ClientAddress(trustedProxies: live.read { $0.limits.trustedProxies }) },
            uptime: { (ContinuousClock.now - start) / .seconds(1) },
            random: { numbers.next() },
            logger: logger
        )
    }

    /// Fills every market's book from the store.
    ///
    /// It writes nothing: of several instances only the one that watches ends orders. What has
    /// expired meanwhile is in no answer, since each instance leaves it out by its own clock.
    ///
    /// - Returns: the number of orders in the books that have not expired.
    /// - Throws: `OrderStoreError`.
    @discardableResult
    package func restore() async throws(OrderStoreError) -> Int {
        try await ledger.load()
        operations.readiness.loaded()
        let now = now()
        return markets.reduce(0) { count, market in
            count + market.intake.book.read { $0.shown.all.count { $0.entry.expiry > now } }
        }
    }

    /// Removes the orders of pairs that the settings no longer carry, as after SIGHUP, and applies
    /// what the operator decided about orders.
    package func delist() async {
        for market in markets {
            do throws(OrderStoreError) {
                for (state, count) in try await market.intake.delist() {
                    let what =
                        switch state {
                        case .removed: "that the relay does not carry were removed"
                        case .hidden: "were hidden by the operator"
                        default: "were taken back by the operator, now \(state)"
                        }
                    logger.notice("Orders \(what): \(count).")
                }
            } catch {
                logger.warning("What the settings say of orders waits for a minute: \(error)")
            }
        }
    }

    /// Also finds what another instance with older settings has accepted.
    private func keepDelisting() async {
        while !Task.isCancelled {
            await delist()
            try? await sleep(.seconds(60))  // cancelled: the loop ends
        }
    }

    /// The market of a protocol version; nil if the relay does not carry it.
    package func market(_ version: ProtocolVersion) -> RelayMarket? {
        markets.first { $0.version == version }
    }

    /// The routes, for a server or for requests within the process.
    ///
    /// - Parameters:
    ///   - isLocal: it serves only programs, and no web pages.
    ///   - hosts: the server's own, if it is local.
    ///   - filter: stands before every request.
    package func router(
        isLocal: Bool = false,
        hosts: AcceptedHosts = .loopback,
        filter: (any RequestFilter)? = nil
    ) -> Router {
        var router = Router()
        router.add(recorder)
        if let filter { router.add(filter) }
        router.add(AnswerEncoding(answers))
        let routes = OperationRoutes(
            markets: markets,
            operations: operations,
            counter: requests,
            store: ledger.store,
            feed: feed,
            keys: keys,
            now: now
        )
        routes.addHealth(to: &router, isLocal: isLocal, hosts: hosts)
        if !isLocal { router.add(CrossOriginAccess(exposed: RelayHeaders.exposed)) }
        router.add(
            RelayFaultFilter(
                limiter: limiter,
                keys: keys,
                requestsPerHour: requestsPerHour,
                interfaces: markets.map(\.interface),
                logger: logger
            )
        )
        // Behind the filter that formats refusals for the API.
        if isLocal { router.add(LocalRequestGuard(hosts: hosts)) }
        routes.addDescriptions(to: &router, isLocal: isLocal)
        for market in markets { market.interface.addRoutes(of: market, to: &router) }
        return router
    }

    /// The server of HTTP and WebSockets with the order watcher beside it.
    ///
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - isLocal: it serves only programs, and no web pages.
    ///   - hosts: the server's own, if it is local.
    ///   - refusal: why no subscriber is answered now; nil if all are.
    ///   - webSocketTimes: when a silent reader of the feed is closed.
    ///   - filter: stands before every HTTP request.
    ///   - onRunning: called once with the listening port.
    package func application(
        host: String = "127.0.0.1",
        port: Int,
        isLocal: Bool = false,
        hosts: AcceptedHosts = .loopback,
        refusal: @escaping @Sendable () -> RequestRefusal? = { nil },
        webSocketTimes: WebSocketTimes = WebSocketTimes(),
        filter: (any RequestFilter)? = nil,
        onRunning: @escaping @Sendable (Int) async -> Void
    ) -> RelayApplication {
        let start = ContinuousClock.now
        let warnings = RepeatedWarning(logger: logger) {
            (ContinuousClock.now - start) / .seconds(1)
        }
        let sockets = FeedServer(
            hub: feed,
            books: markets.map(\.intake.book),
            isLocal: isLocal,
            hosts: hosts,
            refusal: refusal,
            times: webSocketTimes,
            warnings: warnings,
            keys: keys,
            limits: { [intake] in intake.configuration.limits },
            clientAddress: { [recorder] in recorder.addresses().client(peer: $0, forwarded: $1) }
        )
        return RelayApplication(
            server: HTTPServer(
                router(isLocal: isLocal, hosts: hosts, filter: filter),
                host: host,
                port: port,
                webSockets: sockets.webSockets,
                maximumWebSockets: intake.configuration.limits.maximumConnections,
                shares: shares(warnings),
                logger: logger
            ),
            work: [
                { [watcher] in await watcher.run() }, { [ledger] in await ledger.run() },
                StorePruning(store: ledger.store, now: now, sleep: sleep, logger: logger).run,
                { [self] in await keepDelisting() },
            ],
            onRunning: onRunning
        )
    }

    /// A proxy's connections are those of many clients, so the trusted ones have no share.
    private func shares(_ warnings: RepeatedWarning) -> ConnectionShares {
        let limits: @Sendable () -> RelayLimits = { [intake] in intake.configuration.limits }
        return ConnectionShares(
            maximum: { HTTPServer.maximumOfAddress + limits().maximumConnectionsOfAddress },
            client: { address in
                let isProxy = limits().trustedProxies.contains { $0.contains(address) }
                return isProxy ? nil : ClientNetwork(address).bytes
            },
            refused: {
                warnings.warn(
                    "A client has more connections than its share; further ones are ended.",
                    client: $0
                )
            }
        )
    }
}
