import Ethereum
import Uniswap
import ZeroEx

/// The trades of a range of blocks with their times, in chunks that the node allows.
struct MarketPager {
    /// All trades of some blocks.
    struct Page {
        /// The exchange's, by log.
        let fills: [MarketFill]
        /// By the pool's contract and log; none for a pool that was not traded with.
        let pools: [Address: [TimedPoolTrade]]

        var count: Int { pools.values.reduce(fills.count) { $0 + $1.count } }
    }

    private typealias Fill = (logged: LoggedEvent, fill: FillEvent)

    private let session: Session
    private let sources: MarketSources
    private var logs: LogPager

    /// - Parameters:
    ///   - sources: nil is the exchange alone.
    ///   - store: where logs are kept; nil asks the node for all.
    ///   - coverage: what is kept of the sources; nil finds it out.
    init(
        session: Session,
        blocks: ClosedRange<UInt64>,
        sources: MarketSources? = nil,
        store: EventStore? = nil,
        coverage: EventCoverage? = nil
    ) {
        self.session = session
        let sources = sources ?? MarketSources(hasExchange: true, pools: [:])
        self.sources = sources
        logs = LogPager(
            session: session,
            blocks: blocks,
            store: store,
            coverage: coverage,
            filters: { from, to in sources.filters(session, from, to) }
        )
    }

    /// The next chunk; nil after the last.
    ///
    /// - Throws: `DexError`: exit 4, `logs-refused`; `reorganized` if the blocks changed since their
    ///   logs were read; more trades than can be kept; or the journal cannot be read or written.
    mutating func next() async throws(DexError) -> Page? {
        guard let piece = try await logs.next() else { return nil }
        let fills = sources.hasExchange ? try exchangeFills(piece.logs) : []
        let placed = try sources.poolLogs(in: piece.logs, piece.blocks)
        guard fills.count + placed.count <= MarketSync.maximumFills else {
            throw ReadError.tooManyFills(maximum: MarketSync.maximumFills)
        }
        let times = try await times(of: fills, placed, piece)
        var pools = sources.pools.mapValues { _ in [TimedPoolTrade]() }
        for trade in PoolTrade.trades(in: placed.map(\.log), of: sources.pools) {
            guard let kept = TimedPoolTrade(trade, time: { times[$0] }) else { continue }
            pools[trade.log.address, default: []].append(kept)
        }
        return Page(
            fills: fills.compactMap { logged, fill in
                times[logged.block].map { time in
                    MarketFill(
                        fill,
                        in: logged.transaction,
                        block: logged.block,
                        logIndex: logged.logIndex,
                        time: time
                    )
                }
            },
            pools: pools
        )
    }

    /// The times of the blocks of some trades: as they were noted, else as the node has them.
    ///
    /// Those of fills are exact.
    private mutating func times(
        of fills: [Fill],
        _ placed: [PlacedLog],
        _ page: LogPager.Page
    ) async throws(DexError) -> [UInt64: UInt64] {
        if page.isKept, let noted = noted(fills, placed, page.logs) { return noted }
        var known: [BlockTimes.Known] = []
        for log in placed where known.last?.number != log.block {
            known.append(
                BlockTimes.Known(number: log.block, hash: log.hash, time: log.log.blockTimestamp)
            )
        }
        let times = try await logs.checked(page.blocks) { () async throws(DexError) in
            var (times, headers) = try await BlockTimes.read(
                session,
                known,
                in: page.blocks,
                and: Set(fills.map(\.logged.block))
            )
            for (logged, _) in fills {
                guard let block = headers[logged.block], block.hash == logged.blockHash else {
                    throw ReadError.reorganized
                }
                times[logged.block] = block.timestamp
            }
            return times
        }
        try logs.note(times)
        return times
    }

    /// The times that the journal has; nil if it lacks one.
    private func noted(
        _ fills: [Fill],
        _ placed: [PlacedLog],
        _ logs: [Log]
    ) -> [UInt64: UInt64]? {
        var times: [UInt64: UInt64] = [:]
        for log in placed {
            guard let time = log.log.blockTimestamp else { return nil }
            times[log.block] = time
        }
        guard !fills.isEmpty else { return times }
        var exact: [UInt64: UInt64] = [:]
        for log in logs where log.address == session.network.exchange {
            if let block = log.blockNumber, let time = log.blockTimestamp { exact[block] = time }
        }
        for (logged, _) in fills {
            guard let time = exact[logged.block] else { return nil }
            times[logged.block] = time
        }
        return times
    }

    private func exchangeFills(_ logs: [Log]) throws(DexError) -> [Fill] {
        let events: [LoggedEvent]
        do throws(ExchangeError) {
            events = try session.loggedEvents(in: logs)
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        } catch {
            throw DexError(error)
        }
        return events.compactMap { logged in
            // Zero amounts succeed with an event, and nothing changes hands.
            guard case .filled(let fill) = logged.event,
                fill.makerAmount != .zero || fill.takerAmount != .zero
            else { return nil }
            return (logged, fill)
        }
    }
}

extension MarketFill {
    /// - Parameters:
    ///   - logIndex: of its log in the block.
    ///   - time: the block's, in seconds since 1970.
    init(
        _ fill: FillEvent,
        in transaction: TransactionHash,
        block: UInt64,
        logIndex: UInt64,
        time: UInt64
    ) {
        self.init(
            block: block,
            logIndex: logIndex,
            time: time,
            transaction: transaction,
            orderHash: fill.orderHash,
            maker: fill.maker,
            taker: fill.taker,
            makerToken: fill.makerToken,
            takerToken: fill.takerToken,
            makerAmount: fill.makerAmount,
            takerAmount: fill.takerAmount
        )
    }
}
