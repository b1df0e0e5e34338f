package import DexStore
package import Ethereum
import ZeroEx

/// Keeps all fills of an exchange that were read in the journal, so that each block is read once.
///
/// The newest blocks are read each time and not kept, since a reorganization may still change
/// them. Each kept range names the hash of its last block; if the chain has another one there, the
/// range is read again.
package struct MarketSync: Sendable {
    let session: Session
    let journal: Journal

    /// Blocks below the head that are not kept yet.
    package static let depth: UInt64 = 128
    /// The most fills in memory.
    package static let mostFills = 200_000

    /// What a reading will take.
    package struct Plan: Sendable {
        /// The latest block.
        package let head: Block
        /// Seconds since 1970; earlier fills are left out.
        package let time: UInt64
        /// A block at or shortly before that time.
        package let firstBlock: UInt64
        /// Blocks that were never read, and are old enough to be kept.
        let missing: [ClosedRange<UInt64>]
        /// The newest blocks, which are not kept.
        let tail: ClosedRange<UInt64>

        /// Blocks whose logs will be read.
        package var unread: UInt64 {
            missing.reduce(tail.upperBound - tail.lowerBound + 1) { sum, gap in
                sum.addingSaturating(gap.upperBound - gap.lowerBound + 1)
            }
        }
    }

    /// Finds out which blocks must be read, and forgets what a reorganization changed.
    ///
    /// - Throws: `DexError`: not reachable, another chain, no exchange, or the journal cannot be
    ///   read or written.
    package func plan(from start: MarketStart) async throws(DexError) -> Plan {
        guard session.network.hasExchange else { throw ChainSetup.noExchange(session) }
        let known = try journaled(try journal.marketRanges(place))
        var batch = ReadBatch()
        let asked = ChainHead.ask(session, in: &batch)
        let ends = known.map { batch.add(.block(.number($0.blocks.upperBound))) }
        let answers = try await batch.send(to: session.chain)
        let head = try answers.value(asked)
        var kept: [ClosedRange<UInt64>] = []
        for (range, end) in zip(known, ends) {
            let block = try answers.value(end)
            // A node that is behind lacks that block; in a sandbox, the chain was restarted.
            let isGone = block.map { $0.hash != range.lastHash } ?? session.network.isSandbox
            if isGone {
                try journaled(try journal.forgetMarket(range, of: place))
            } else {
                kept.append(range.blocks)
            }
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
                missing: [],
                tail: first...head.number
            )
        }
        return Plan(
            head: head,
            time: time,
            firstBlock: first,
            missing: BlockSpans([first...settled]).subtracting(BlockSpans(kept)).ranges,
            tail: (settled + 1)...head.number
        )
    }

    /// The fills of a plan with the journal's own swaps, by block and log; what is old enough is
    /// kept chunk by chunk.
    ///
    /// - Parameter tokens: only those between these two tokens; nil is all.
    /// - Throws: `DexError`: not reachable, `logs-refused`, `reorganized`, more fills than can be
    ///   kept, or the journal cannot be read or written.
    package func fills(
        of plan: Plan,
        tokens: (Address, Address)? = nil
    ) async throws(DexError) -> [MarketFill] {
        for gap in plan.missing {
            var pages = MarketPager(session: session, blocks: gap)
            while let page = try await pages.next() {
                try journaled(try journal.keepMarket(page.range, of: place, fills: page.fills))
            }
        }
        var fills: [MarketFill] = []
        if plan.tail.lowerBound > plan.firstBlock {
            fills = try journaled(
                try journal.marketFills(
                    place,
                    tokens: tokens,
                    blocks: plan.firstBlock...(plan.tail.lowerBound - 1),
                    limit: Self.mostFills + 1
                )
            )
        }
        let wanted = tokens.map { Set([$0.0, $0.1]) }
        var pages = MarketPager(session: session, blocks: plan.tail)
        while let page = try await pages.next() {
            fills += page.fills.filter { fill in
                wanted.map { $0 == [fill.makerToken, fill.takerToken] } ?? true
            }
        }
        guard fills.count <= Self.mostFills else {
            throw DexError(ReadError.tooManyFills(most: Self.mostFills))
        }
        let swaps = try await swaps(of: plan, tokens: wanted)
        if !swaps.isEmpty {
            fills = (fills + swaps).sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        }
        return fills.filter { $0.time >= plan.time }
    }

    /// What the accounts of this journal traded at the network's swap venue, whose trades no event of
    /// the exchange shows; without those of a block that the chain no longer has.
    private func swaps(
        of plan: Plan,
        tokens: Set<Address>?
    ) async throws(DexError) -> [MarketFill] {
        guard !session.network.venueRules.isEmpty else { return [] }
        let mined = try journaled(
            try journal.trades(
                chainID: session.network.chainID,
                exchange: session.network.swapContract,
                blocks: plan.firstBlock...max(plan.firstBlock, plan.head.number)
            )
        )
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

    private var place: MarketPlace {
        MarketPlace(chainID: session.network.chainID, exchange: session.network.exchange)
    }
}

/// Where a reading of the market begins.
package enum MarketStart: Hashable, Sendable {
    /// Seconds since 1970.
    case time(UInt64)
    /// Seconds before the latest block.
    case span(UInt64)
    /// The interval of candles, in seconds, and how many, the running one included.
    case candles(interval: UInt64, count: UInt64)

    /// Seconds since 1970.
    func time(at head: Block) -> UInt64 {
        switch self {
        case .time(let time): return time
        case .span(let seconds): return head.timestamp - min(seconds, head.timestamp)
        case .candles(let interval, let count):
            let running = head.timestamp - head.timestamp % max(1, interval)
            let (span, overflow) = interval.multipliedReportingOverflow(by: max(1, count) - 1)
            return overflow ? 0 : running - min(span, running)
        }
    }
}
