package import Ethereum
package import ZeroEx

/// The dependencies of a verb: one network's node, relays and venues, its tokens, the clock,
/// randomness.
///
/// A command makes one for its network, such as `base`; a test makes one of scripted clients.
package struct Session: Sendable {
    private struct Parts: Sendable {
        var network: Network
        var exchangeProtocol: any ExchangeProtocol
        var chain: any ChainClient
        var relay: (any RelayClient)?
        var feed: (any RelayFeed)?
        var venues: [any QuotedVenue]
        var tokens: TokenMap
        var recoverer: any SignatureRecovering
        var signatures: SignatureCache?
        var environment: Environment
        var probes: [any NodeProbe]
        var quorumMemory: QuorumMemory
        var freshness: FreshnessMemory
        var privateNode: (any ChainClient)?
        var logPages: LogPageMemory = LogPageMemory()
        var proofNodes: [QuorumChainClient.Member]
        let accesses: AccessMemory = AccessMemory()
        let recentLogs: RecentLogs = RecentLogs()
    }

    /// One reference: more than a hundred types keep a session, and are copied with it.
    @Boxed private var parts: Parts

    package var network: Network {
        get { parts.network }
        set { parts.network = newValue }
    }
    package var exchangeProtocol: any ExchangeProtocol {
        get { parts.exchangeProtocol }
        set { parts.exchangeProtocol = newValue }
    }
    package var chain: any ChainClient {
        get { parts.chain }
        set { parts.chain = newValue }
    }
    /// nil if no relay is configured; commands that need one report it.
    ///
    /// Several are one `RelayGroup`.
    package var relay: (any RelayClient)? {
        get { parts.relay }
        set { parts.relay = newValue }
    }
    /// The feed of a single relay; nil without one.
    ///
    /// Those of several are in the group.
    package var feed: (any RelayFeed)? {
        get { parts.feed }
        set { parts.feed = newValue }
    }
    /// The venues beside the book that can be asked, in the order in which equals are taken.
    ///
    /// A venue is left out that the network or its chain does not have, or whose key is missing.
    package var venues: [any QuotedVenue] {
        get { parts.venues }
        set { parts.venues = newValue }
    }
    package var tokens: TokenMap {
        get { parts.tokens }
        set { parts.tokens = newValue }
    }
    package var recoverer: any SignatureRecovering {
        get { parts.recoverer }
        set { parts.recoverer = newValue }
    }
    /// What was verified before; nil recovers the signature of every order.
    package var signatures: SignatureCache? {
        get { parts.signatures }
        set { parts.signatures = newValue }
    }
    package var environment: Environment {
        get { parts.environment }
        set { parts.environment = newValue }
    }
    /// The network's nodes, for data of a single node, such as its time; empty if unknown.
    package var probes: [any NodeProbe] {
        get { parts.probes }
        set { parts.probes = newValue }
    }
    /// What only some of the nodes know, where several must agree.
    package var quorumMemory: QuorumMemory {
        get { parts.quorumMemory }
        set { parts.quorumMemory = newValue }
    }
    /// Where signed transactions go alone, which `chain` sends to; nil without such an endpoint.
    package var privateNode: (any ChainClient)? {
        get { parts.privateNode }
        set { parts.privateNode = newValue }
    }
    /// Whether the state that was read last is old.
    package var freshness: FreshnessMemory {
        get { parts.freshness }
        set { parts.freshness = newValue }
    }
    /// How many blocks of logs the node gives at once.
    package var logPages: LogPageMemory {
        get { parts.logPages }
        set { parts.logPages = newValue }
    }

    /// The network's nodes one by one, for proofs of the state; empty if they are not known.
    package var proofNodes: [QuorumChainClient.Member] {
        get { parts.proofNodes }
        set { parts.proofNodes = newValue }
    }

    /// What calls read of the chain's state.
    var accesses: AccessMemory { parts.accesses }

    /// The newest logs that were read, for whoever else needs them.
    var recentLogs: RecentLogs { parts.recentLogs }

    package init(
        network: Network,
        exchangeProtocol: any ExchangeProtocol,
        chain: any ChainClient,
        relay: (any RelayClient)?,
        feed: (any RelayFeed)? = nil,
        venues: [any QuotedVenue] = [],
        tokens: TokenMap,
        recoverer: any SignatureRecovering,
        signatures: SignatureCache? = nil,
        environment: Environment,
        probes: [any NodeProbe] = [],
        quorumMemory: QuorumMemory = QuorumMemory(),
        freshness: FreshnessMemory = FreshnessMemory(),
        privateNode: (any ChainClient)? = nil,
        proofNodes: [QuorumChainClient.Member] = []
    ) {
        parts = Parts(
            network: network,
            exchangeProtocol: exchangeProtocol,
            chain: chain,
            relay: relay,
            feed: feed,
            venues: venues,
            tokens: tokens,
            recoverer: recoverer,
            signatures: signatures,
            environment: environment,
            probes: probes,
            quorumMemory: quorumMemory,
            freshness: freshness,
            privateNode: privateNode,
            proofNodes: proofNodes
        )
    }

    /// Refuses to sign on a state that is old.
    ///
    /// - Throws: `DexError`, exit 6, `stale-chain`.
    func checkFreshness(_ settings: TradeSettings) throws(DexError) {
        guard !settings.allowsStaleChain, let stale = freshness.stale else { return }
        throw ClockError.stale(stale)
    }

    /// The relay, where nothing can be done without one.
    ///
    /// - Throws: `DexError`, exit 3, `no-relay`.
    func requiredRelay() throws(DexError) -> any RelayClient {
        guard let relay else { throw NetworkError.noRelay(network: network.name) }
        return relay
    }

    /// A venue beside the book; nil if it cannot be asked.
    package func venue(_ id: VenueID) -> (any QuotedVenue)? { venues.first { $0.id == id } }

    /// A venue beside the book, where nothing can be done without it.
    ///
    /// - Throws: `DexError`, exit 3: `no-swap`, `no-swap-key` where only the key is missing,
    ///   `no-pools`.
    func required(_ id: VenueID) throws(DexError) -> any QuotedVenue {
        if let venue = venue(id) { return venue }
        guard id != .pools else {
            throw NetworkError.noPools(network: network.name)
        }
        throw network.swap == nil
            ? NetworkError.noSwap(network: network.name)
            : NetworkError.noSwapKey(network: network.name)
    }

    /// Why an order is not its maker's, or not for this network's exchange; nil if it verifies.
    func rejection(of order: any SignedOrder) -> OrderRejection? {
        do throws(OrderRejection) {
            try TokenMap.checkTokens(of: order)
            try exchangeProtocol.verify(order, exchange: network.exchange, recoverer: recoverer)
            return nil
        } catch {
            return error
        }
    }
}

extension Session {
    /// The filter for events of the network's exchange in a range of blocks.
    ///
    /// - Parameter maker: the maker of the orders; nil is any.
    func eventFilter(maker: Address?, from: BlockTag, to: BlockTag) -> LogFilter {
        exchangeProtocol.eventFilter(maker: maker, from: from, to: to, exchange: network.exchange)
    }

    /// The events of the network's exchange in logs, in their order.
    ///
    /// - Throws: `ExchangeError` if a log is malformed.
    func loggedEvents(in logs: [Log]) throws(ExchangeError) -> [LoggedEvent] {
        try exchangeProtocol.loggedEvents(in: logs, exchange: network.exchange)
    }
}

/// Time, randomness and the output of progress, so that tests control them all.
package struct Environment: Sendable {
    /// Seconds since 1970.
    package var now: @Sendable () -> UInt64
    /// Milliseconds since a fixed moment, never decreasing.
    package var elapsed: @Sendable () -> UInt64
    /// Suspends for milliseconds; throws `CancellationError` when cancelled.
    package var sleep: @Sendable (_ milliseconds: UInt64) async throws -> Void
    /// 32 unpredictable bytes.
    package var random: @Sendable () -> Bytes32
    /// Shows progress; one short line, no secret.
    package var progress: @Sendable (String) -> Void
    /// Warns of what arose after the plan was confirmed: it reaches the user in every mode.
    package var warn: @Sendable (String) -> Void
    /// Shows the transaction that is waited for; nil once that is over.
    package var waiting: @Sendable (TransactionWait?) -> Void
    /// Gets the hash of a transaction as soon as it may be in flight.
    package var onSent: @Sendable (TransactionHash) -> Void
    /// Keeps journal writes until the user has seen the command's outcome.
    package var onReported: @Sendable (ReportedWrite) -> Void

    /// - Parameters:
    ///   - elapsed: nil counts by `now`, for clocks that never step back.
    ///   - warn: nil shows warnings as progress, where there is no plan to confirm.
    package init(
        now: @escaping @Sendable () -> UInt64,
        elapsed: (@Sendable () -> UInt64)? = nil,
        sleep: @escaping @Sendable (UInt64) async throws -> Void,
        random: @escaping @Sendable () -> Bytes32,
        progress: @escaping @Sendable (String) -> Void,
        warn: (@Sendable (String) -> Void)? = nil,
        waiting: @escaping @Sendable (TransactionWait?) -> Void = { _ in },
        onSent: @escaping @Sendable (TransactionHash) -> Void = { _ in },
        onReported: @escaping @Sendable (ReportedWrite) -> Void
    ) {
        self.now = now
        self.elapsed = elapsed ?? { now().multipliedReportingOverflow(by: 1_000).partialValue }
        self.sleep = sleep
        self.random = random
        self.progress = progress
        self.warn = warn ?? progress
        self.waiting = waiting
        self.onSent = onSent
        self.onReported = onReported
    }

    /// Suspends for milliseconds.
    ///
    /// - Returns: false when cancelled.
    package func hasSlept(_ milliseconds: UInt64) async -> Bool {
        do {
            try await sleep(milliseconds)
            return !Task.isCancelled
        } catch {
            return false
        }
    }
}
