import ZeroEx

/// Orders that a watcher audits beside what logs touch: a few with each block.
struct WatchLeftovers: Sendable {
    /// Everything, after a start without a position or a reorganization beyond the trail.
    private(set) var backlog: [OrderHash] = []
    /// Orders that one node called unfunded, with that block's number.
    ///
    /// They are asked again at the next block: that node may be behind the maker's.
    private(set) var doubts: [OrderHash: UInt64] = [:]
    /// Orders whose own calls failed, with that block's number.
    private(set) var unread: [OrderHash: UInt64] = [:]
    /// What is left of the net's slice.
    private var slice: [OrderHash] = []
    private var nextSlice = 0
    /// The block with which the net was last cast.
    private var castAt: UInt64?

    /// What one round audits of these.
    struct Choice: Sendable {
        /// At most as many as there is room.
        var orders: Set<OrderHash> = []
        /// One node's word alone does not make these dormant.
        var doubtful: Set<OrderHash> = []
        fileprivate var slice: [OrderHash] = []
        fileprivate var nextSlice = 0
        fileprivate var castAt: UInt64?
        fileprivate var backlog = 0
    }

    /// Audits everything, in the background.
    mutating func restart(with orders: [OrderHash]) {
        self = WatchLeftovers()
        backlog = orders
    }

    /// Chooses what to audit at a block.
    ///
    /// - Parameters:
    ///   - excluded: orders that are audited anyway.
    ///   - room: how many orders may be chosen.
    func choice(
        at block: UInt64,
        excluding excluded: Set<OrderHash>,
        room: Int,
        in orders: WatchedOrders
    ) -> Choice {
        var choice = Choice(slice: slice, nextSlice: nextSlice, castAt: block)
        func add(_ hash: OrderHash, isDoubtful: Bool) {
            guard !excluded.contains(hash), choice.orders.insert(hash).inserted else { return }
            if isDoubtful { choice.doubtful.insert(hash) }
        }
        var isFull: Bool { choice.orders.count >= room }
        for (hash, number) in doubts where number < block {
            if isFull { return choice }
            add(hash, isDoubtful: false)
        }
        for (hash, number) in unread where number < block {
            if isFull { return choice }
            add(hash, isDoubtful: true)
        }
        if castAt != block {
            if choice.slice.isEmpty {
                choice.slice = orders.slice(nextSlice)
                choice.nextSlice = (nextSlice + 1) % WatchedOrders.slices
            }
            while !isFull, let hash = choice.slice.popLast() { add(hash, isDoubtful: true) }
        }
        for hash in orders.fresh.keys {
            if isFull { return choice }
            add(hash, isDoubtful: true)
        }
        for hash in backlog.reversed() {
            if isFull { return choice }
            choice.backlog += 1
            add(hash, isDoubtful: false)
        }
        return choice
    }

    /// Takes a choice off after its audit.
    mutating func finish(_ choice: Choice) {
        slice = choice.slice
        nextSlice = choice.nextSlice
        castAt = choice.castAt
        backlog.removeLast(min(choice.backlog, backlog.count))
    }

    /// Notes the audits of one round.
    mutating func note(
        audited: some Sequence<OrderHash>,
        doubted: Set<OrderHash>,
        unread failed: Set<OrderHash>,
        at block: UInt64
    ) {
        for hash in audited {
            unread[hash] = nil
            if !doubted.contains(hash) { doubts[hash] = nil }
        }
        for hash in doubted where doubts[hash] == nil { doubts[hash] = block }
        for hash in failed { unread[hash] = block }
    }

    /// Orders that are no longer live are not asked about again.
    mutating func keep(_ isLive: (OrderHash) -> Bool) {
        doubts = doubts.filter { isLive($0.key) }
        unread = unread.filter { isLive($0.key) }
    }

    /// Something is left to be audited at the same block.
    func hasMore(in orders: WatchedOrders) -> Bool {
        !backlog.isEmpty || !orders.fresh.isEmpty
    }
}
