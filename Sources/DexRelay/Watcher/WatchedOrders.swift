import Ethereum
package import ZeroEx

/// An order as the watcher knows it.
package struct WatchedOrder: Sendable {
    package let version: ProtocolVersion
    package let entry: OrderEntry
    package var state: ListingState
    package var standing: OrderStanding
    /// The time of its last change of state, in seconds since 1970.
    package var since: UInt64
    /// The followed block when it came in, or ended: either may rest on that block or a later one.
    var height: UInt64
    /// It was hidden before it ended; false while it has not ended.
    let wasHidden: Bool

    /// It is looked for in logs and in the net.
    var isLive: Bool { !state.isGone }
}

/// The watcher's tables of orders: by hash, by what a maker needs, by expiry.
///
/// Orders that ended lately are kept by their hashes only: a reorganization may undo their end.
struct WatchedOrders: Sendable {
    static let slices = 256
    /// Orders that wait for their first audit are forgotten after so many generations.
    static let generationsKept: UInt64 = 15

    private let tokens: @Sendable (ProtocolVersion, any SignedOrder) -> [Address]
    private(set) var orders: [OrderHash: WatchedOrder] = [:]
    private var holdings: [TokenHolding: Set<OrderHash>] = [:]
    /// How many holdings there are of each token.
    private var carried: [Address: Int] = [:]
    private var expiries = ExpiryQueue()
    private var live = 0
    /// Orders that no audit of the watcher has seen, by the generation in which they came.
    private(set) var fresh: [OrderHash: UInt64] = [:]
    private var generation: UInt64 = 0
    /// What the watcher is committing: it comes of an audit.
    var committing: Set<OrderHash> = []
    /// The number of the latest followed block.
    var height: UInt64 = 0

    /// - Parameter tokens: what the maker of an order needs.
    init(tokens: @escaping @Sendable (ProtocolVersion, any SignedOrder) -> [Address]) {
        self.tokens = tokens
    }

    // MARK: Changes

    mutating func reset(to changes: [BookChange]) {
        let height = height
        self = WatchedOrders(tokens: tokens)
        self.height = height
        orders.reserveCapacity(changes.count)
        for change in changes {
            insert(change)
            if change.state == .shown, change.standing == .unread {
                fresh[change.entry.hash] = generation
            }
        }
        let expiring = orders.values.filter(\.isLive)
        expiries = ExpiryQueue(
            expiring.map { ExpiryQueue.Item(expiry: $0.entry.expiry, hash: $0.entry.hash) }
        )
    }

    mutating func apply(_ change: BookChange) {
        let hash = change.entry.hash
        guard let known = orders[hash] else {
            insert(change)
            schedule(change)
            if change.state != .removed, !change.state.isGone { fresh[hash] = generation }
            return
        }
        let wasLive = known.isLive
        guard change.state != .removed else {
            if wasLive { unlist(known) }
            orders[hash] = nil
            fresh[hash] = nil
            return
        }
        var order = WatchedOrder(
            version: change.version,
            entry: change.entry,
            state: change.state,
            standing: change.standing,
            since: change.since,
            height: known.height,
            wasHidden: change.wasHidden
        )
        if order.state.isGone {
            if wasLive {
                order.height = height
                unlist(known)
            }
            fresh[hash] = nil
        } else if !wasLive {
            order.height = height
            if !committing.contains(hash) { fresh[hash] = generation }
            list(order)
            schedule(change)
        } else if known.state == .dormant, order.state == .shown, !committing.contains(hash) {
            // It was posted again.
            order.height = height
            fresh[hash] = generation
        }
        orders[hash] = order
    }

    /// Takes in an order that ended long ago, but may come back.
    mutating func remember(_ change: BookChange) {
        guard orders[change.entry.hash] == nil, change.state.isGone else { return }
        insert(change)
    }

    private mutating func insert(_ change: BookChange) {
        guard change.state != .removed else { return }
        let order = WatchedOrder(
            version: change.version,
            entry: change.entry,
            state: change.state,
            standing: change.standing,
            since: change.since,
            height: height,
            wasHidden: change.wasHidden
        )
        if let known = orders.updateValue(order, forKey: order.entry.hash), known.isLive {
            unlist(known)
        }
        if order.isLive { list(order) }
    }

    private mutating func list(_ order: WatchedOrder) {
        let hash = order.entry.hash
        live += 1
        for token in tokens(order.version, order.entry.order) {
            let holding = TokenHolding(token: token, owner: order.entry.maker)
            if holdings[holding] == nil { carried[token, default: 0] += 1 }
            holdings[holding, default: []].insert(hash)
        }
    }

    private mutating func unlist(_ order: WatchedOrder) {
        let hash = order.entry.hash
        live -= 1
        for token in tokens(order.version, order.entry.order) {
            let holding = TokenHolding(token: token, owner: order.entry.maker)
            holdings[holding]?.remove(hash)
            guard holdings[holding]?.isEmpty == true else { continue }
            holdings[holding] = nil
            let left = carried[token, default: 1] - 1
            carried[token] = left > 0 ? left : nil
        }
    }

    private mutating func schedule(_ change: BookChange) {
        guard !change.state.isGone else { return }
        expiries.insert(
            ExpiryQueue.Item(expiry: change.entry.expiry, hash: change.entry.hash)
        )
        // Orders that ended otherwise leave their items behind.
        guard expiries.count > 2 * live + 1_024 else { return }
        expiries = ExpiryQueue(
            orders.values.filter(\.isLive).map {
                ExpiryQueue.Item(expiry: $0.entry.expiry, hash: $0.entry.hash)
            }
        )
    }

    private static func slice(of hash: OrderHash) -> Int {
        Int(truncatingIfNeeded: hash.word.limbs.0 >> 56)
    }

    // MARK: Questions

    /// The tokens that makers need for the live orders.
    var neededTokens: [Address] { Array(carried.keys) }

    /// The known orders that logs can have changed.
    func touched(by touches: LogTouches) -> Set<OrderHash> {
        var found = touches.orders.filter { orders[$0] != nil }
        for holding in touches.holdings {
            if let hashes = holdings[holding] { found.formUnion(hashes) }
        }
        for touch in touches.makers {
            for token in carried.keys {
                let holding = TokenHolding(token: token, owner: touch.maker)
                for hash in holdings[holding] ?? [] where orders[hash]?.version == touch.version {
                    found.insert(hash)
                }
            }
        }
        for touch in touches.pairCancels {
            let cancel = touch.cancel
            let holding = TokenHolding(token: cancel.makerToken, owner: cancel.maker)
            for hash in holdings[holding] ?? [] {
                guard let order = orders[hash], order.version == touch.version,
                    cancel.covers(order.entry.order)
                else { continue }
                found.insert(hash)
            }
        }
        return found
    }

    /// The live orders that have expired at a time, in seconds since 1970.
    ///
    /// They are given again until their state says so.
    mutating func expired(at time: UInt64) -> [OrderHash] {
        var found: Set<ExpiryQueue.Item> = []
        while let item = expiries.next(expiredAt: time) {
            if orders[item.hash]?.isLive == true { found.insert(item) }
        }
        for item in found { expiries.insert(item) }
        return found.map(\.hash)
    }

    /// The orders that count as expired, but have not at this time.
    func expiredTooEarly(at time: UInt64) -> [OrderHash] {
        orders.values.filter { $0.state == .expired && $0.entry.expiry > time }
            .map(\.entry.hash)
    }

    /// The live orders that came in when this block, or a later one, was the latest.
    func added(since height: UInt64) -> [OrderHash] {
        orders.values.filter { $0.isLive && $0.height >= height }.map(\.entry.hash)
    }

    /// The live orders of one of 256 slices, by their hashes' first bytes.
    ///
    /// It looks at every hash, once a block: less than a table of slices would cost in memory.
    func slice(_ index: Int) -> [OrderHash] {
        orders.lazy.filter { Self.slice(of: $0.key) == index && $0.value.isLive }
            .map(\.key).sorted()
    }

    var all: [OrderHash] { Array(orders.keys) }

    // MARK: Upkeep

    mutating func audited(_ hashes: some Sequence<OrderHash>) {
        for hash in hashes { fresh[hash] = nil }
    }

    /// Another instance watches: forgets orders that it has long audited.
    mutating func age() {
        generation += 1
        fresh = fresh.filter { $0.value + Self.generationsKept >= generation }
    }

    /// Places the orders among followed blocks by their times.
    mutating func place(among steps: [WatchPosition.Step], now: UInt64) {
        guard let head = steps.last else { return }
        height = head.number
        // A chain whose clock is ahead cannot be compared.
        let isAhead = head.time > now
        for (hash, order) in orders {
            let before = isAhead ? head : steps.last { $0.time <= order.since }
            orders[hash]?.height = before?.number ?? 0
        }
        // Clocks may differ: what a block touched is kept as long as the block can be undone.
        for step in steps {
            for hash in step.touched {
                guard let height = orders[hash]?.height, height < step.number else { continue }
                orders[hash]?.height = step.number
            }
        }
    }

    /// Deletes orders that ended before a time and before all blocks that can be undone.
    mutating func forget(before time: UInt64, height: UInt64) {
        orders = orders.filter { _, order in
            order.isLive || order.since >= time || order.height >= height
        }
    }
}
