package import Ethereum
import EthereumWallet
import Logging
package import ZeroEx

/// Decides which orders the relay accepts, and hands them to the ledger.
///
/// The checks run from cheap to expensive and stop at the first stage that finds something: the
/// client's rate, terms, fees, the book, the signature, the chain, the policy, then the book again.
package struct OrderIntake: Sendable {
    let parts: PostQueue.Parts
    let signatures: OrderSignatures
    let queue: PostQueue
    private let buckets: ClientBuckets
    private let keys: RelayKeys
    private let counters = IntakeCounters()

    init(_ parts: PostQueue.Parts, verifier: SignatureVerifier, keys: RelayKeys) {
        self.parts = parts
        self.keys = keys
        let signatures = OrderSignatures(
            exchangeProtocol: parts.exchangeProtocol,
            verifier: verifier
        )
        self.signatures = signatures
        queue = PostQueue(parts) { orders in
            signatures.refusals(
                of: orders,
                exchange: parts.live.read { $0.contracts.exchange }
            )
        }
        buckets = ClientBuckets(now: parts.now)
    }

    package var book: OrderBook { parts.book }
    var exchangeProtocol: any ExchangeProtocol { parts.exchangeProtocol }
    var rules: RelayRules { parts.rules }
    var auditor: OrderAuditor { parts.auditor }
    var ledger: OrderLedger { parts.ledger }
    var now: @Sendable () -> UInt64 { parts.now }
    var logger: Logger { parts.logger }
    var configuration: RelayConfiguration { parts.live.current }

    /// What came in since the start.
    package var statistics: IntakeStatistics {
        var statistics = counters.current
        statistics.waiting = queue.waiting
        return statistics
    }

    /// The outcome of many orders posted at once.
    package struct BulkOutcome: Sendable {
        package var added = 0
        /// Orders that were already there.
        package var known = 0
        package var refused: [(OrderHash, OrderRefusals)] = []

        package init() {}
    }

    /// A refused order among several that were posted together, with the reason.
    package struct RefusedPost: Error {
        /// Its index among them.
        package let index: Int
        package let refusals: OrderRefusals
        /// What kept the relay from deciding: the chain's error or the store's; nil if the order is
        /// at fault.
        let cause: (any Error)?

        init(index: Int, refusals: OrderRefusals) {
            self.index = index
            self.refusals = refusals
            cause = nil
        }

        init(_ index: Int, _ refusal: OrderRefusal, cause: (any Error)? = nil) {
            self.index = index
            refusals = OrderRefusals([refusal])
            self.cause = cause
        }
    }

    /// Accepts one order; a known order is accepted again without a change.
    ///
    /// - Parameter client: the address that posts it.
    /// - Returns: true if it is new.
    package func post(
        _ order: any SignedOrder,
        from client: String = "local"
    ) async throws(OrderRefusals) -> Bool {
        do throws(RefusedPost) {
            return try await post([order], from: client) == 1
        } catch {
            throw error.refusals
        }
    }

    /// Accepts all of these orders, or none of them, once they are on disk.
    ///
    /// - Parameters:
    ///   - client: the address that posts them.
    ///   - holder: the name of the client with a key.
    /// - Returns: the number of new ones.
    /// - Throws: `RefusedPost`: for the first order that is refused.
    @concurrent
    package func post(
        _ orders: [any SignedOrder],
        from client: String = "local",
        holder: String? = nil
    ) async throws(RefusedPost) -> Int {
        let id = queue.nextID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let post = checked(
                    orders.map { PostedOrder($0) },
                    from: client,
                    holder: holder,
                    id: id
                ) {
                    continuation.resume(returning: $0)
                }
                if let post { queue.enter([post]) }
                // A cancellation before it entered has not found it.
                if Task.isCancelled { queue.leave(id) }
            }
        } onCancel: {
            queue.leave(id)
        }
        return try outcome.get()
    }

    /// The cheap checks, the cheapest first.
    ///
    /// - Parameters:
    ///   - client: the address that posts them.
    ///   - holder: the name of the client with a key, whose limits count in place of the address's.
    ///   - id: names the post in the queue.
    ///   - answer: called once, on any thread, as soon as the post is settled: the number of new
    ///     orders, all of them on disk.
    /// - Returns: what is to enter the queue; nil if it is answered already.
    func checked(
        _ orders: [PostedOrder],
        from client: String,
        holder: String?,
        id: UInt64,
        answer: @escaping @Sendable (PendingPost.Outcome) -> Void
    ) -> PendingPost? {
        // Only measured; nothing depends on it.
        let start = ContinuousClock.now
        let count = orders.count
        let settled: @Sendable (PendingPost.Outcome) -> Void = { [counters] outcome in
            counters.settle(count, outcome, in: ContinuousClock.now - start)
            answer(outcome)
        }
        do throws(RefusedPost) {
            let (fresh, unsigned) = try unsettled(of: orders, client, holder)
            guard !fresh.isEmpty || !unsigned.isEmpty else {
                settled(.success(0))
                return nil
            }
            return PendingPost(
                PendingPost.Posted(
                    id: id,
                    client: client,
                    fresh: fresh,
                    unsigned: unsigned,
                    answer: settled
                )
            )
        } catch {
            settled(.failure(error))
            return nil
        }
    }

    /// - Returns: the orders that the book does not have, and those whose signatures are to be
    ///   checked.
    private func unsettled(
        of orders: [PostedOrder],
        _ client: String,
        _ holder: String?
    ) throws(RefusedPost) -> (fresh: [PendingPost.Order], unsigned: [PendingPost.Order]) {
        let configuration = configuration
        let limits = configuration.limits
        guard configuration.acceptsOrders else { throw RefusedPost(0, .closed) }
        if let seconds = secondsUntilPost(orders.count, client, holder, limits) {
            throw RefusedPost(0, .tooManyPosts(retryAfter: seconds))
        }
        var fresh: [PendingPost.Order] = []
        var unsigned: [PendingPost.Order] = []
        for (index, posted) in orders.enumerated() {
            let order = posted.order
            do throws(OrderRefusals) {
                let place = place(of: order)
                let known = place.listing.flatMap(accepted)
                if known == nil {
                    try checkTerms(of: order, configuration)
                    try checkFees(of: order, configuration)
                    try check(order, place, configuration)
                }
                let part = PendingPost.Order(index: index, posted)
                if known == nil { fresh.append(part) }
                if known?.copyID != order.copyID { unsigned.append(part) }
            } catch {
                throw RefusedPost(index: index, refusals: error)
            }
        }
        return (fresh, unsigned)
    }

    /// Counts posts; nil if they may be made now.
    private func secondsUntilPost(
        _ count: Int,
        _ client: String,
        _ holder: String?,
        _ limits: RelayLimits
    ) -> Int? {
        if let holder { return keys.takePosts(count, of: holder, standard: limits) }
        return limits.postsPerSecond.flatMap { rate in
            buckets.take(count, client: client, perSecond: rate, burst: limits.postBurst)
        }
    }

    /// What the book has to do with an order, read at once: whoever reads it holds up its changes.
    private struct Place: Sendable {
        let listing: Listing?
        let countOfMaker: Int
        let best: OrderEntry?
    }

    private func place(of order: any SignedOrder) -> Place {
        let direction = PairDirection(makerToken: order.makerToken, takerToken: order.takerToken)
        return book.read { index in
            Place(
                listing: index.listing(order.hash),
                countOfMaker: index.count(of: order.maker),
                best: index.best(direction)
            )
        }
    }

    /// The order of a listing, if the book takes it again without a change, whatever the settings
    /// have become since; nil if not.
    private func accepted(_ known: Listing) -> (any SignedOrder)? {
        guard PostAdmission.isAccepted(known.state), known.entry.expiry > horizon else {
            return nil
        }
        return known.entry.order
    }

    /// Checks an order against the book as it is, before anything expensive.
    private func check(
        _ order: any SignedOrder,
        _ place: Place,
        _ configuration: RelayConfiguration
    ) throws(OrderRefusals) {
        let limit = configuration.maximumOrdersOfMaker
        guard place.countOfMaker < limit || place.listing?.state == .dormant else {
            throw OrderRefusals([.tooManyOfMaker(limit: limit)])
        }
        if let maximum = configuration.limits.maximumBasisPointsFromBest, let best = place.best,
            best.isBetter(than: order, byMoreThan: maximum, rules.ranking)
        {
            throw OrderRefusals([.farFromMarket(basisPoints: maximum)])
        }
    }

    /// A maker's orders that are not in the book, the latest first.
    package func unshown(of maker: Address) async throws(OrderStoreError) -> [Listing] {
        try await ledger.store.unshown(of: maker, exchangeProtocol.version).compactMap { order in
            ledger.entry(of: order).map {
                Listing(entry: $0, state: order.state, standing: order.standing)
            }
        }
    }

    /// The latest expiry that is no longer shown, in seconds since 1970.
    package var horizon: UInt64 {
        now().addingReportingOverflow(rules.shortestLife - 1).partialValue
    }
}

extension Array {
    /// The elements in runs of limited length.
    func chunks(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: Swift.max(1, size)).map {
            Array(self[$0..<Swift.min(count, $0 + Swift.max(1, size))])
        }
    }
}
