import DexStore
import Ethereum
import ZeroEx

/// Keeps an account's activity in the journal, so that each block is read once.
///
/// What was read is kept step by step, so an interrupted reading goes on where it stopped. The
/// latest blocks are read again each time. Each kept range names the hash of its last block; if
/// the chain has another one there, what is above an earlier block is forgotten and read again.
struct ActivitySync {
    let session: Session
    let account: Address
    let journal: Journal

    /// What is known after a reading.
    struct Outcome {
        /// The latest block.
        let head: Block
        /// Seconds since 1970; earlier records are left out.
        let time: UInt64
        /// A block at or shortly before that time.
        let firstBlock: UInt64
        /// Where the node's blocks begin; nil if it knows all that were asked for.
        let start: KnownHistory.Start?
    }

    /// Reads the blocks from a time on that were not read yet.
    ///
    /// - Throws: `DexError`: not reachable, another chain, `logs-refused`, `reorganized`, or the
    ///   journal cannot be read or written. What was read before stays.
    func catchUp(from start: MarketStart) async throws(DexError) -> Outcome {
        let (head, ranges) = try await known()
        let time = start.time(at: head)
        let span = head.timestamp - min(time, head.timestamp)
        let first = try await TimeSearch(session: session)
            .block(notAfter: time, slack: max(60, span / 20), head: head, skipsUnknown: true)
        let wanted = BlockSpans([first...head.number])
        let missing = wanted.subtracting(try await complete(ranges, head: head))
        let beginning = try await readKnown(missing, ranges, head: head)
        return Outcome(head: head, time: time, firstBlock: first, start: beginning)
    }

    /// Reads kept blocks from one on again: the node may have left something out before.
    ///
    /// - Throws: `DexError` as `catchUp`.
    func readAgain(from first: UInt64) async throws(DexError) {
        let kept = try journaled(try journal.activityRanges(place))
        guard kept.contains(where: { $0.blocks.upperBound >= first }) else { return }
        let (head, ranges) = try await known()
        let again = BlockSpans(ranges.map(\.blocks)).clamped(to: first...max(first, head.number))
        _ = try await readKnown(again, ranges, head: head)
    }

    /// Reads blocks as far as the node has them.
    ///
    /// - Returns: where its blocks begin; nil if it has all.
    private func readKnown(
        _ missing: BlockSpans,
        _ ranges: [KeptRange],
        head: Block
    ) async throws(DexError) -> KnownHistory.Start? {
        var missing = missing
        var beginning: KnownHistory.Start?
        // Every node has the latest blocks, which are read each time.
        if let lowest = missing.ranges.first?.lowerBound,
            head.number - lowest > Reorganization.overlap
        {
            let history = KnownHistory(session: session)
            beginning = try await history.receipts(
                in: lowest...head.number,
                account: account,
                guess: ranges.first { $0.first > lowest }?.first
            )
            if let beginning, beginning.block > 0 { missing.remove(0...(beginning.block - 1)) }
        }
        try await read(missing, head: head)
        return beginning
    }

    private var place: ActivityPlace {
        ActivityPlace(chainID: session.network.chainID, account: account)
    }

    // MARK: What is kept

    /// The latest block, and the kept ranges that are still part of the chain.
    private func known() async throws(DexError) -> (Block, [KeptRange]) {
        let kept = try journaled(try journal.activityRanges(place))
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let slots = kept.map { range in
            (
                range: range,
                last: batch.add(.block(.number(range.last.number))),
                anchor: batch.add(.block(.number(range.anchor.number)))
            )
        }
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        for (range, last, anchor) in slots {
            let (last, anchor) = (try answers.value(last), try answers.value(anchor))
            guard Reorganization.removed(range.last.hash, last, session) else { continue }
            try journaled(
                try journal.forgetActivity(
                    range,
                    of: place,
                    isAnchored: anchor?.hash == range.anchor.hash && range.anchor != range.last
                )
            )
        }
        return (head, try journaled(try journal.activityRanges(place)))
    }

    /// The blocks that need no reading.
    ///
    /// Behind a load balancer, the node that returns logs may not have had the latest blocks yet.
    /// Blocks without their ether are read again where the node now has their states.
    private func complete(
        _ ranges: [KeptRange],
        head: Block
    ) async throws(DexError) -> BlockSpans {
        var known = BlockSpans(ranges.map(\.blocks))
        let overlap = min(head.number, Reorganization.overlap)
        known.remove((head.number - overlap)...UInt64.max)
        let gaps = try journaled(try journal.activityGaps(place)).blocks
        var batch = ReadBatch()
        let slots = gaps.ranges.map { gap in
            (gap, batch.add(.balance(account, .number(gap.upperBound))))
        }
        let answers = try await batch.send(to: session.chain)
        for (gap, slot) in slots where try answers.valueOrReason(slot).failure == nil {
            known.remove(gap)
        }
        return known
    }

    // MARK: Reading

    private func read(_ missing: BlockSpans, head: Block) async throws(DexError) {
        guard let lowest = missing.ranges.first?.lowerBound else { return }
        // Payments in ether are found by the balance before the first block, too.
        let states = try await KnownHistory(session: session).states(
            in: (lowest - min(lowest, 1))...head.number,
            account: account
        )
        let reader = ActivityReader(
            session: session,
            account: account,
            journaled: try journaled(
                try journal.transactions(
                    chainID: session.network.chainID,
                    sender: account,
                    limit: ActivityReader.maximumTransactions
                )
            )
        )
        for range in missing.ranges {
            var pages = reader.pages(range, store: EventStore(journal, head: head))
            while let page = try await pages.next() {
                let step = try await pages.checked(page.blocks) { () async throws(DexError) in
                    try await reader.step(
                        page,
                        head: head,
                        etherFrom: states.map { $0.block.addingSaturating(1) } ?? 0,
                        reason: states?.reason
                    )
                }
                try journaled(try journal.keepActivity(step, of: place))
            }
        }
    }
}
