package import Ethereum
import ZeroEx

/// Follows a pair's book for the full screen: a whole reading first, and then what changes.
///
/// Every new order is verified, and read on chain with its maker's funds. At each block the orders
/// on the screen are read again, and a part of the others, so that each has its turn.
package struct LiveBookFollower: Sendable {
    private let session: Session
    private let settings: ReadSettings
    private let account: Address?
    private let interest: VisibleOrders
    private let pulse: RefreshTrigger
    private let send: @Sendable (LiveNews) -> Void

    /// Milliseconds after which the whole book is read again: a net under what was missed.
    static let wholeInterval: UInt64 = 60_000
    /// Orders beyond those on the screen that are read again at each block.
    static let turn = 64

    /// - Parameters:
    ///   - pulse: gets each block, also while the relay is down.
    ///   - send: gets what was read, in order.
    package init(
        session: Session,
        settings: ReadSettings,
        account: Address?,
        interest: VisibleOrders,
        pulse: RefreshTrigger,
        send: @escaping @Sendable (LiveNews) -> Void
    ) {
        self.session = session
        self.settings = settings
        self.account = account
        self.interest = interest
        self.pulse = pulse
        self.send = send
    }

    /// What is known of the book between two readings.
    fileprivate struct Following {
        let contracts: ExchangeContracts
        /// Copies of orders that were judged, in the book or not.
        var judged: [OrderCopyID: OrderHash] = [:]
        /// The verified ones.
        var orders: [OrderHash: any SignedOrder] = [:]
        /// All hashes; where the next turn begins.
        var round: [OrderHash] = []
        var next = 0
        var block: Block
        var readAt: UInt64
        var tickedAt: UInt64
    }

    /// Follows until the task is cancelled; a failure is sent as news, and it goes on.
    package func run(_ pair: Pair) async {
        guard !session.isOfPools else { return await followPools(pair) }
        let feeds = PairFeeds(pair, session: session)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await feeds.run { _ in } }
            await follow(pair, feeds)
            group.cancelAll()
        }
    }

    /// The pools of the pair, read again at each block.
    private func followPools(_ pair: Pair) async {
        let interval = session.network.watchInterval
        let source = WatchSource(following: [], polling: ["node"], interval: interval)
        var last: Block?
        repeat {
            do throws(DexError) {
                let head = try await head()
                if head.hash != last?.hash {
                    let pools = try await PoolReading.read(pair, account: nil, session: session)
                    send(.pools(pools))
                    // The block may be one later already: it is read again.
                    last = pools.block.hash == head.hash ? head : nil
                }
                send(.source(source))
                send(.trouble(.book, nil))
                send(.confirmed(elapsed: session.environment.elapsed()))
            } catch {
                if Task.isCancelled { return }
                last = nil
                send(.source(source))
                send(.trouble(.book, error))
            }
        } while await session.environment.hasSlept(interval)
    }

    private func follow(_ pair: Pair, _ feeds: PairFeeds) async {
        var following: Following?
        repeat {
            do throws(DexError) {
                if let known = following {
                    following = try await advance(known, pair, feeds, head: try await head())
                }
                if following == nil { following = try await readWhole(pair, feeds) }
                send(.source(feeds.source))
                send(.trouble(.book, nil))
                send(.confirmed(elapsed: session.environment.elapsed()))
            } catch {
                if Task.isCancelled { return }
                send(.source(feeds.source))
                send(.trouble(.book, error))
                // The relay may be down while the chain goes on; if not, it is told why.
                if following == nil { _ = try? await head() }
                following = nil
            }
        } while await feeds.wait() && !Task.isCancelled
    }

    /// The latest block, which is told.
    private func head() async throws(DexError) -> Block {
        do throws(DexError) {
            let head = try await ChainHead.read(session)
            tell(head, fees: nil)
            return head
        } catch {
            if !Task.isCancelled { send(.trouble(.chain, error)) }
            throw error
        }
    }

    private func tell(_ head: Block, fees: FeeSnapshot?) {
        send(.trouble(.chain, nil))
        // Where blocks have no base fee, only a whole reading knows the price of gas.
        guard pulse.beat.head != head.hash || fees != nil else { return }
        pulse.set(head: head.hash)
        send(.head(head, gasPrice: gasPrice(head, fees)))
    }

    private func readWhole(
        _ pair: Pair,
        _ feeds: PairFeeds
    ) async throws(DexError) -> Following {
        let start = session.environment.elapsed()
        let snapshot = try await BookReader(session: feeds.session, settings: settings)
            .snapshot(of: pair, account: account)
        var following = Following(
            contracts: snapshot.contracts,
            block: snapshot.block,
            readAt: start,
            tickedAt: start
        )
        let materials = snapshot.materials
        following.judged.reserveCapacity(materials.orders.count)
        following.orders.reserveCapacity(materials.orders.count)
        for order in materials.orders {
            following.judged[order.copyID] = order.hash
            following.orders[order.hash] = order
        }
        following.round = materials.orders.map(\.hash)
        send(.book(LiveBook(snapshot)))
        tell(snapshot.block, fees: snapshot.fees)
        return following
    }

    private func gasPrice(_ block: Block, _ fees: FeeSnapshot?) -> Wei? {
        block.baseFeePerGas ?? fees?.gasPrice
    }

    /// Brings the book up to date; nil if it must be read as a whole.
    private func advance(
        _ known: Following,
        _ pair: Pair,
        _ feeds: PairFeeds,
        head: Block
    ) async throws(DexError) -> Following? {
        var following = known
        let now = session.environment.elapsed()
        guard now - min(now, known.readAt) < Self.wholeInterval,
            let news = try await changes(known, pair, feeds)
        else { return nil }
        // A block was taken back, or another chain answers.
        guard head.number > known.block.number || head.hash == known.block.hash else { return nil }
        let isNewBlock = head.hash != known.block.hash
        let checked = await OrderVerifier(session: session).verify(news.shown)
        for order in news.shown { following.judged[order.copyID] = order.hash }
        let fresh = checked.verified.filter { following.orders[$0.hash] == nil }
        let again = isNewBlock ? following.takeTurn(with: interest.hashes) : []
        var changes: [LiveBook.Change] = []
        if fresh.contains(where: { $0.maker == account })
            || news.removed.contains(where: { following.orders[$0]?.maker == account })
        {
            pulse.changeOwnOrders()
        }
        if !news.removed.isEmpty {
            for hash in news.removed {
                if let order = following.orders.removeValue(forKey: hash) {
                    following.judged[order.copyID] = nil
                }
            }
            changes.append(.removed(news.removed))
        }
        if !fresh.isEmpty || !again.isEmpty {
            let reads = try await FundingReads.read(
                FundingReads.Question(
                    orders: fresh + again,
                    contracts: following.contracts,
                    detail: .remaining,
                    checksReadiness: false
                ),
                at: head,
                session: session
            )
            let shown = zip(fresh, reads.states).map { LiveBook.Shown(order: $0, state: $1) }
            changes.append(.shown(shown, holdings: reads.holdings))
            var states: [OrderHash: OrderState] = [:]
            for (order, state) in zip(again, reads.states.dropFirst(fresh.count)) {
                states[order.hash] = state
            }
            changes.append(.read(states: states, holdings: [:]))
            for order in fresh {
                following.orders[order.hash] = order
                following.round.append(order.hash)
            }
        }
        if isNewBlock || now - min(now, known.tickedAt) > 1_000 {
            following.tickedAt = now
            changes.append(
                .time(
                    head,
                    now: max(head.timestamp, session.environment.now()),
                    gasPrice: gasPrice(head, nil)
                )
            )
        }
        following.block = head
        if !changes.isEmpty { send(.changes(changes)) }
        return following
    }

    // MARK: The relay's changes

    fileprivate struct RelayNews {
        var shown: [any SignedOrder] = []
        var removed: [OrderHash] = []
    }

    /// nil if the book must be read as a whole.
    private func changes(
        _ known: Following,
        _ pair: Pair,
        _ feeds: PairFeeds
    ) async throws(DexError) -> RelayNews? {
        if let relay = feeds.single {
            guard let steps = relay.takeChanges() else { return nil }
            return RelayNews(steps, beyond: known.judged)
        }
        // Several relays are merged and checked against each other: always as a whole.
        guard let relay = feeds.session.relay, !(relay is RelayGroup) else { return nil }
        let book = try await relayed(
            try await relay.orderbook(base: pair.base.address, quote: pair.quote.address)
        )
        let pricing = OrderPricing(base: pair.base.address, quote: pair.quote.address)
        var news = RelayNews()
        var served: Set<OrderHash> = []
        for order in book.bids.orders + book.asks.orders where pricing.side(of: order) != nil {
            served.insert(order.hash)
            if known.judged[order.copyID] == nil { news.shown.append(order) }
        }
        news.removed = known.orders.keys.filter { !served.contains($0) }
        return news
    }
}

extension LiveBookFollower.Following {
    /// The orders that are read again now: those on the screen, and the next ones of the others.
    fileprivate mutating func takeTurn(with shown: Set<OrderHash>) -> [any SignedOrder] {
        var hashes = shown
        round.removeAll { orders[$0] == nil }
        for _ in 0..<min(LiveBookFollower.turn, round.count) {
            next = (next + 1) % round.count
            hashes.insert(round[next])
        }
        return hashes.compactMap { orders[$0] }
    }
}

extension LiveBookFollower.RelayNews {
    fileprivate init(_ steps: [FollowedRelay.Step], beyond judged: [OrderCopyID: OrderHash]) {
        self.init()
        var latest: [OrderHash: (any SignedOrder)?] = [:]
        for step in steps {
            switch step {
            case .show(let order): latest[order.hash] = .some(order)
            case .remove(let hash): latest[hash] = .some(nil)
            }
        }
        for (hash, order) in latest {
            guard let order else {
                removed.append(hash)
                continue
            }
            if judged[order.copyID] == nil { shown.append(order) }
        }
        // A fixed order, so that the same news ask the same of the node.
        shown.sort { $0.hash < $1.hash }
        removed.sort()
    }
}
