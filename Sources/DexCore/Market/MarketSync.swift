package import DexStore
package import Ethereum
package import Uniswap
import ZeroEx

/// Keeps all trades of an exchange and of pools that were read in the journal, so that each block is
/// read once.
///
/// The newest blocks are read each time and not kept, since a reorganization may still change
/// them. Each kept range names the hash of its last block; if the chain has another one there, the
/// range is read again.
package struct MarketSync: Sendable {
    let session: Session
    let journal: Journal

    /// Blocks below the head that are not kept yet.
    package static let depth: UInt64 = 128
    /// The most trades in memory.
    package static let mostFills = 200_000

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// What a reading will take.
    package struct Plan: Sendable {
        /// The latest block.
        package let head: Block
        /// Seconds since 1970; earlier trades are left out.
        package let time: UInt64
        /// A block at or shortly before that time.
        package let firstBlock: UInt64
        /// What is read: the exchange, and the pools that exist.
        let sources: MarketSources
        /// Blocks that were never read, and are old enough to be kept.
        let missing: [Gap]
        /// The newest blocks, which are not kept.
        let tail: ClosedRange<UInt64>

        /// Blocks that were never read of some sources.
        struct Gap: Equatable, Sendable {
            let blocks: ClosedRange<UInt64>
            let sources: MarketSources
        }

        /// Blocks whose logs will be read.
        package var unread: UInt64 {
            missing.reduce(tail.upperBound - tail.lowerBound + 1) { sum, gap in
                sum.addingSaturating(gap.blocks.upperBound - gap.blocks.lowerBound + 1)
            }
        }
    }

    /// What was read, each by block and log.
    struct Reading: Sendable {
        /// The exchange's, and the journal's own swaps.
        var fills: [MarketFill] = []
        /// By the pool's contract.
        var pools: [Address: [KeptPoolTrade]] = [:]

        var count: Int { pools.values.reduce(fills.count) { $0 + $1.count } }
    }

    /// The blocks that are kept of a contract.
    private struct Kept {
        let place: MarketPlace
        let pool: PoolID?
        let ranges: [MarketRange]
        let ends: [ReadSlot<Block?>]
    }

    /// Finds out which blocks must be read, and forgets what a reorganization changed.
    ///
    /// - Parameters:
    ///   - pools: those that may exist; the ones that the factory does not have are left out.
    ///   - withExchange: also the fills of the network's exchange, if it has one.
    /// - Throws: `DexError`: not reachable, another chain, neither an exchange nor pools, or the
    ///   journal cannot be read or written.
    package func plan(
        from start: MarketStart,
        pools: [PoolID] = [],
        withExchange: Bool = true
    ) async throws(DexError) -> Plan {
        let hasExchange = withExchange && session.network.hasExchange
        guard hasExchange || session.network.pools != nil else {
            throw ChainSetup.noExchange(session)
        }
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        var known: [Kept] = []
        if hasExchange { known.append(try kept(of: nil, session.network.exchange, &batch)) }
        var question: PoolConfirmation?
        if let deployment = session.network.pools {
            question = .ask(pools, deployment, at: .latest, in: &batch)
            for pool in pools {
                known.append(try kept(of: pool, deployment.address(of: pool), &batch))
            }
        }
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        let genuine = try question.map { question throws(DexError) in
            try answers.confirmed(question)
        }
        var sources = MarketSources(hasExchange: false, pools: [:])
        var read: [(sources: MarketSources, kept: BlockSpans)] = []
        for known in known where known.pool.map({ genuine?.contains($0) == true }) ?? true {
            let one = MarketSources(
                hasExchange: known.pool == nil,
                pools: known.pool.map { [known.place.contract: $0] } ?? [:]
            )
            sources.add(one)
            read.append((one, BlockSpans(try standing(known, answers))))
        }
        let time = start.time(at: head)
        let span = head.timestamp - min(time, head.timestamp)
        let first = try await TimeSearch(session: session)
            .block(notAfter: time, slack: max(60, span / 20), head: head)
        let (settled, isYoung) = head.number.subtractingReportingOverflow(Self.depth)
        guard !isYoung, settled >= first else {
            return Plan(
                head: head,
                time: time,
                firstBlock: first,
                sources: sources,
                missing: [],
                tail: first...head.number
            )
        }
        return Plan(
            head: head,
            time: time,
            firstBlock: first,
            sources: sources,
            missing: Self.gaps(read, first...settled),
            tail: (settled + 1)...head.number
        )
    }

    private func kept(
        of pool: PoolID?,
        _ contract: Address,
        _ batch: inout ReadBatch
    ) throws(DexError) -> Kept {
        let place = place(contract)
        let ranges = try journaled(try journal.marketRanges(place))
        return Kept(
            place: place,
            pool: pool,
            ranges: ranges,
            ends: ranges.map { batch.add(.block(.number($0.blocks.upperBound))) }
        )
    }

    /// The kept blocks that the chain still has; the others are forgotten.
    private func standing(
        _ known: Kept,
        _ answers: ReadAnswers
    ) throws(DexError) -> [ClosedRange<UInt64>] {
        var kept: [ClosedRange<UInt64>] = []
        for (range, end) in zip(known.ranges, known.ends) {
            let block = try answers.value(end)
            // A node that is behind lacks that block; in a sandbox, the chain was restarted.
            let isGone = block.map { $0.hash != range.lastHash } ?? session.network.isSandbox
            if isGone {
                try journaled(try journal.forgetMarket(range, of: known.place))
            } else {
                kept.append(range.blocks)
            }
        }
        return kept
    }

    /// What is missing of some blocks; sources that miss the same are read together.
    private static func gaps(
        _ read: [(sources: MarketSources, kept: BlockSpans)],
        _ blocks: ClosedRange<UInt64>
    ) -> [Plan.Gap] {
        var gaps: [Plan.Gap] = []
        for (sources, kept) in read {
            for range in BlockSpans([blocks]).subtracting(kept).ranges {
                if let same = gaps.firstIndex(where: { $0.blocks == range }) {
                    var all = gaps[same].sources
                    all.add(sources)
                    gaps[same] = Plan.Gap(blocks: range, sources: all)
                } else {
                    gaps.append(Plan.Gap(blocks: range, sources: sources))
                }
            }
        }
        return gaps
    }

    /// The trades of a plan with the journal's own swaps; what is old enough is kept chunk by chunk.
    ///
    /// - Parameter tokens: only those between these two tokens; nil is all.
    /// - Throws: `DexError`: not reachable, `logs-refused`, `reorganized`, more trades than can be
    ///   kept, or the journal cannot be read or written.
    func read(
        _ plan: Plan,
        tokens: (Address, Address)? = nil
    ) async throws(DexError) -> Reading {
        for gap in plan.missing { try await keep(gap) }
        var reading = try kept(plan, tokens)
        guard !plan.sources.isEmpty else { return reading }
        let wanted = tokens.map { Set([$0.0, $0.1]) }
        var pages = MarketPager(session: session, blocks: plan.tail, sources: plan.sources)
        while let page = try await pages.next() {
            reading.fills += page.fills.filter { fill in
                wanted.map { $0 == [fill.makerToken, fill.takerToken] } ?? true
            }
            for (pool, trades) in page.pools { reading.pools[pool, default: []] += trades }
        }
        try Self.bound(reading.count)
        let swaps = try await swaps(of: plan, tokens: wanted, besides: reading)
        if !swaps.isEmpty {
            reading.fills = (reading.fills + swaps)
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        }
        reading.fills.removeAll { $0.time < plan.time }
        reading.pools = reading.pools.mapValues { $0.filter { $0.time >= plan.time } }
        return reading
    }

    private func keep(_ gap: Plan.Gap) async throws(DexError) {
        var pages = MarketPager(session: session, blocks: gap.blocks, sources: gap.sources)
        var count = 0
        while let page = try await pages.next() {
            // Before the oldest of them are forgotten again.
            count += page.count
            try Self.bound(count)
            if gap.sources.hasExchange {
                try journaled(
                    try journal.keepMarket(
                        page.range,
                        of: place(session.network.exchange),
                        fills: page.fills
                    )
                )
            }
            try journaled(
                try journal.keepPools(
                    page.range,
                    chainID: session.network.chainID,
                    trades: page.pools
                )
            )
        }
    }

    /// What the journal has of a plan.
    private func kept(
        _ plan: Plan,
        _ tokens: (Address, Address)?
    ) throws(DexError) -> Reading {
        var reading = Reading()
        guard plan.tail.lowerBound > plan.firstBlock else { return reading }
        let blocks = plan.firstBlock...(plan.tail.lowerBound - 1)
        if plan.sources.hasExchange {
            reading.fills = try journaled(
                try journal.marketFills(
                    place(session.network.exchange),
                    tokens: tokens,
                    blocks: blocks,
                    limit: Self.mostFills + 1
                )
            )
        }
        for pool in plan.sources.pools.keys {
            reading.pools[pool] = try journaled(
                try journal.poolTrades(place(pool), blocks: blocks, limit: Self.mostFills + 1)
            )
        }
        return reading
    }

    private static func bound(_ count: Int) throws(DexError) {
        guard count <= mostFills else {
            throw ReadError.tooManyFills(most: mostFills)
        }
    }

    /// What the accounts of this journal traded at the network's swap venue, whose trades no event of
    /// the exchange shows; without those of a block that the chain no longer has, and those that are
    /// among the pools' trades.
    private func swaps(
        of plan: Plan,
        tokens: Set<Address>?,
        besides reading: Reading
    ) async throws(DexError) -> [MarketFill] {
        guard !session.network.venueRules.isEmpty else { return [] }
        let all = try journaled(
            try journal.trades(
                chainID: session.network.chainID,
                exchange: session.network.swapContract,
                blocks: plan.firstBlock...max(plan.firstBlock, plan.head.number)
            )
        )
        let seen = Set(reading.pools.values.flatMap { $0.map(\.transaction) })
        let mined = all.filter { !seen.contains($0.transaction) }
        let asked = mined.filter { $0.time == nil || plan.tail.contains($0.block) }
        let headers =
            asked.isEmpty ? [:] : try await session.chain.blocks(Set(asked.map(\.block)))
        return mined.flatMap { swap -> [MarketFill] in
            let header = headers[swap.block]
            if let header, header.hash != swap.blockHash { return [] }
            guard let time = header?.timestamp ?? swap.time else { return [] }
            return swap.trades.compactMap { trade in
                guard case .fill(let fill) = trade.event,
                    tokens.map({ $0 == [fill.makerToken, fill.takerToken] }) ?? true
                else { return nil }
                return MarketFill(
                    fill,
                    in: swap.transaction,
                    block: swap.block,
                    logIndex: trade.logIndex,
                    time: time
                )
            }
        }
    }

    private func place(_ contract: Address) -> MarketPlace {
        MarketPlace(chainID: session.network.chainID, contract: contract)
    }
}
