package import DexStore
package import Ethereum
package import Uniswap
import ZeroEx

/// Reads all trades of an exchange and of pools, whoever traded.
///
/// Logs of old blocks are the journal's (`EventStore`); the newest are read each time, since a
/// reorganization may still change them.
package struct MarketSync: Sendable {
    let session: Session
    let journal: Journal

    /// The most trades in memory.
    package static let maximumFills = 200_000

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
        /// The blocks whose logs are kept of the sources.
        let coverage: EventCoverage
        /// Blocks whose logs will be read.
        package let unread: UInt64

        var blocks: ClosedRange<UInt64> { firstBlock...max(firstBlock, head.number) }
    }

    /// What was read, each by block and log.
    struct Reading: Sendable {
        /// The exchange's, and the journal's own swaps.
        var fills: [MarketFill] = []
        /// By the pool's contract.
        var pools: [Address: [TimedPoolTrade]] = [:]

        var count: Int { pools.values.reduce(fills.count) { $0 + $1.count } }
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
        var sources = MarketSources(hasExchange: hasExchange, pools: [:])
        var question: PoolConfirmation?
        if let deployment = session.network.pools {
            question = .ask(pools, deployment, at: .latest, in: &batch)
            for pool in pools { sources.pools[deployment.address(of: pool)] = pool }
        }
        let kept = try EventCoverage.ask(
            sources.parts(session),
            touching: 0...UInt64(Int64.max),
            journal,
            in: &batch
        )
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        let genuine = try question.map { question throws(DexError) in
            try answers.confirmed(question)
        }
        sources.pools = sources.pools.filter { genuine?.contains($0.value) == true }
        let coverage = try EventCoverage(kept, answers, session, journal)
        let time = start.time(at: head)
        let span = head.timestamp - min(time, head.timestamp)
        let first = try await TimeSearch(session: session)
            .block(notAfter: time, slack: max(60, span / 20), head: head)
        return Plan(
            head: head,
            time: time,
            firstBlock: first,
            sources: sources,
            coverage: coverage,
            unread: coverage.unread(sources.parts(session), in: first...max(first, head.number))
                .count
        )
    }

    /// The trades of a plan with the journal's own swaps.
    ///
    /// - Parameter tokens: only those between these two tokens; nil is all.
    /// - Throws: `DexError`: not reachable, `logs-refused`, `reorganized`, more trades than can be
    ///   kept, or the journal cannot be read or written.
    func read(
        _ plan: Plan,
        tokens: (Address, Address)? = nil
    ) async throws(DexError) -> Reading {
        var reading = Reading()
        for pool in plan.sources.pools.keys { reading.pools[pool] = [] }
        guard !plan.sources.isEmpty else { return reading }
        let wanted = tokens.map { Set([$0.0, $0.1]) }
        var pages = MarketPager(
            session: session,
            blocks: plan.blocks,
            sources: plan.sources,
            store: EventStore(journal, head: plan.head),
            coverage: plan.coverage
        )
        while let page = try await pages.next() {
            reading.fills += page.fills.filter { fill in
                wanted.map { $0 == [fill.makerToken, fill.takerToken] } ?? true
            }
            for (pool, trades) in page.pools { reading.pools[pool, default: []] += trades }
            guard reading.count <= Self.maximumFills else {
                throw ReadError.tooManyFills(maximum: Self.maximumFills)
            }
        }
        let swaps = try await swaps(of: plan, tokens: wanted, besides: reading)
        if !swaps.isEmpty {
            reading.fills = (reading.fills + swaps)
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        }
        reading.fills.removeAll { $0.time < plan.time }
        reading.pools = reading.pools.mapValues { $0.filter { $0.time >= plan.time } }
        return reading
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
        let settled = Reorganization.settled(below: plan.head.number) ?? 0
        let asked = mined.filter { $0.time == nil || $0.block > settled }
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
}
