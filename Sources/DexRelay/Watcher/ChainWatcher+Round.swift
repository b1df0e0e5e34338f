import CProcess
import Ethereum
import ZeroEx

/// One round of the watcher: the head, missing blocks, their logs, audits, a commit.
extension ChainWatcher {
    /// What a round has learned before its audits.
    private struct Progress {
        var trail: BlockTrail
        /// The node has the trail's head.
        var canAudit = true
        var hasRestarted = false
        /// How many followed blocks were undone; one more than can be followed if that is unknown.
        var undone = 0
        /// What must be audited now: touched by logs of new blocks or of undone ones.
        var touched: Set<OrderHash> = []
        /// Of these, what may have come back, since it rests on undone blocks.
        var revived: Set<OrderHash> = []
    }

    /// Follows the chain from the trail to the node's head.
    ///
    /// - Throws: `ChainError` or `OrderStoreError`; then nothing has changed.
    func follow() async throws -> Round {
        let requestsBefore = statistics.nodeRequests
        let head = try await ask(.latestBlock)
        report { $0.latest = head.number }
        let progress = try await progress(to: head)
        guard let target = progress.trail.head else { return .done }
        let isNewBlock = target.hash != trail.head?.hash
        let time = max(target.time, now())

        if progress.hasRestarted {
            leftovers.restart(with: index.withLock { $0.all })
        }
        let certain = progress.touched
        var choice = WatchLeftovers.Choice()
        if progress.canAudit {
            let leftovers = leftovers
            choice = index.withLock {
                leftovers.choice(
                    at: target.number,
                    excluding: certain,
                    room: Self.chunk,
                    in: $0
                )
            }
        }
        let wanted = certain.union(choice.orders).sorted().compactMap { hash in
            index[hash].flatMap { order in
                order.isLive || progress.revived.contains(hash)
                    || choice.orders.contains(hash) ? order : nil
            }
        }
        let (audits, unread) = try await audits(of: wanted, at: target.hash)

        var batch = OrderBatch()
        var doubted: Set<OrderHash> = []
        var noted: [OrderHash] = []
        for (hash, audit) in audits {
            guard let order = index[hash] else { continue }
            let state = ListingState(of: order, audit, at: time)
            if state == .dormant, order.state == .shown, choice.doubtful.contains(hash) {
                doubted.insert(hash)
                continue
            }
            guard batch.add(state, OrderStanding(audit), of: order) else { continue }
            // What the head's logs do not name is remembered with the head.
            if certain.contains(hash) || choice.doubtful.contains(hash)
                || leftovers.doubts[hash] != nil
            {
                noted.append(hash)
            }
        }
        for hash in index.withLock({ $0.expired(at: time) }) where audits[hash] == nil {
            guard let order = index[hash] else { continue }
            batch.add(.expired, order.standing, of: order)
        }
        var trail = progress.trail
        if !noted.isEmpty { trail.note(noted) }
        if trail != self.trail { batch.position = trail.position }
        // What comes in from here on may rest on this block.
        index.withLock { $0.height = target.number }
        try await commit(batch)
        self.trail = trail
        leftovers.finish(choice)
        leftovers.note(
            audited: audits.keys,
            doubted: doubted,
            unread: unread,
            at: target.number
        )
        leftovers.keep { [index] hash in index[hash]?.isLive == true }
        finish(target, audited: choice.orders.union(audits.keys), isNewBlock: isNewBlock)

        let touchedCount = certain.count
        report { statistics in
            statistics.followed = target.number
            statistics.followedTime = target.time
            statistics.audits += UInt64(audits.count)
            if progress.undone > 0 {
                statistics.reorganizations += 1
                statistics.deepestReorganization = max(
                    statistics.deepestReorganization,
                    progress.undone
                )
            }
            guard isNewBlock else { return }
            statistics.lastBlockRequests = Int(statistics.nodeRequests - requestsBefore)
            statistics.lastBlockTouched = touchedCount
        }
        // Most rounds need much less.
        if audits.count > 4 * Self.chunk { dex_memory_trim() }
        let leftovers = leftovers
        let hasMore = progress.canAudit && index.withLock { leftovers.hasMore(in: $0) }
        report(isCaughtUp: leftovers.backlog.isEmpty)
        return hasMore ? .more : .done
    }

    /// Ends orders that have expired by the clock, while the chain cannot be read.
    package func expire() async throws(OrderStoreError) {
        let time = now()
        var batch = OrderBatch()
        for hash in index.withLock({ $0.expired(at: time) }) {
            guard let order = index[hash] else { continue }
            batch.add(.expired, order.standing, of: order)
        }
        try await commit(batch)
    }

    private func commit(_ batch: OrderBatch) async throws(OrderStoreError) {
        guard !batch.updated.isEmpty || batch.position != nil else { return }
        var batch = batch
        batch.epoch = lease?.epoch
        let hashes = batch.updated.map(\.hash)
        index.withLock { $0.committing = Set(hashes) }
        defer { index.withLock { $0.committing = [] } }
        _ = try await ledger.commit(batch, entries: hashes.compactMap { index[$0]?.entry })
    }

    /// Upkeep after a committed round.
    private func finish(
        _ target: WatchPosition.Step,
        audited: Set<OrderHash>,
        isNewBlock: Bool
    ) {
        let oldest = trail.steps.first?.number ?? 0
        let (kept, isEarly) = now().subtractingReportingOverflow(OrderLedger.secondsKept)
        index.withLock { orders in
            orders.audited(audited)
            // It looks at every order, so it is done with few blocks.
            guard isNewBlock, target.number % 64 == 0 else { return }
            orders.forget(before: isEarly ? 0 : kept, height: oldest)
        }
    }

    // MARK: Blocks

    /// The trail up to a node's head, and what the blocks in between touched.
    private func progress(to head: Block) async throws(ChainError) -> Progress {
        var progress = Progress(trail: trail)
        var blocks = [head]
        while true {
            switch try trail.path(to: blocks) {
            case .unchanged: return progress
            case .behind:
                progress.canAudit = false
                return progress
            case .restart:
                progress.trail.restart(at: head)
                progress.hasRestarted = true
                // A node that is far ahead has undone nothing.
                if let old = trail.head,
                    head.number <= old.number.addingSaturating(UInt64(BlockTrail.depth))
                {
                    progress.undone = BlockTrail.depth + 1
                }
                return progress
            case .missing(let hash):
                guard let block = try await ask(.block(.hash(hash))) else {
                    throw .missingBlock(code: 0, message: "the node has no block \(hash)")
                }
                guard block.hash == hash else {
                    throw .nonsense("it is block \(block.hash), but block \(hash) was asked for")
                }
                blocks.append(block)
            case .follow(let undone, let new):
                try await follow(undone: undone, new: new, in: &progress)
                return progress
            }
        }
    }

    private func follow(
        undone: [WatchPosition.Step],
        new: [Block],
        in progress: inout Progress
    ) async throws(ChainError) {
        let touches = try await touches(of: new)
        let time = max(new.last?.timestamp ?? 0, now())
        let (touched, revived) = index.withLock { orders in
            let touched = touches.map { orders.touched(by: $0) }
            var revived = Set(undone.flatMap(\.touched))
            if let first = undone.first {
                revived.formUnion(orders.expiredTooEarly(at: time))
                // Their funds may rest on an undone block.
                revived.formUnion(orders.added(since: first.number > 0 ? first.number - 1 : 0))
            }
            return (touched, revived)
        }
        for hashes in touched { progress.touched.formUnion(hashes) }
        progress.touched.formUnion(revived)
        progress.revived = revived
        progress.undone = undone.count
        progress.trail.follow(
            undone: undone.count,
            new: new,
            touched: touched.map { $0.sorted() }
        )
        // Some may have ended again in the new blocks, whose logs name only what has not ended.
        if !undone.isEmpty { progress.trail.note(undone.flatMap(\.touched)) }
    }

    /// What the logs of each block can have changed.
    private func touches(of blocks: [Block]) async throws(ChainError) -> [LogTouches] {
        let reading = LogReading(markets: markets())
        let tokens = index.withLock { $0.neededTokens }
        var batch = ReadBatch()
        let slots = blocks.map {
            batch.add(.logs(reading.filter(block: $0.hash, tokens: tokens)))
        }
        let answers = try await ask(batch)
        return try zip(blocks, slots).map { block, slot throws(ChainError) in
            let logs = try answers[slot].get()
            guard logs.allSatisfy({ $0.blockHash == block.hash }) else {
                throw .nonsense("there are logs of another block than \(block.hash)")
            }
            return reading.touches(of: logs)
        }
    }
}

extension OrderBatch {
    /// Adds a change of an order; false if it is none.
    @discardableResult
    fileprivate mutating func add(
        _ state: ListingState,
        _ standing: OrderStanding,
        of order: WatchedOrder
    ) -> Bool {
        let standing = state.isGone ? standing.ended : standing
        guard state != order.state || standing != order.standing else { return false }
        updated.append(
            Update(
                hash: order.entry.hash,
                state: state,
                standing: standing,
                expected: order.state
            )
        )
        return true
    }
}
