import DexStore
import Ethereum
import Uniswap
import ZeroEx

/// The trades of a range of blocks with their times, in chunks that the node allows.
struct MarketPager {
    /// All trades of some blocks.
    struct Page {
        let range: MarketRange
        /// The exchange's, by log.
        let fills: [MarketFill]
        /// By the pool's contract and log; none for a pool that was not traded with.
        let pools: [Address: [KeptPoolTrade]]

        var count: Int { pools.values.reduce(fills.count) { $0 + $1.count } }
    }

    private let session: Session
    private let sources: MarketSources
    private var logs: LogPager

    /// - Parameter sources: nil is the exchange alone.
    init(session: Session, blocks: ClosedRange<UInt64>, sources: MarketSources? = nil) {
        self.session = session
        let sources = sources ?? MarketSources(hasExchange: true, pools: [:])
        self.sources = sources
        logs = LogPager(session: session, blocks: blocks) { from, to in
            sources.filters(session, from, to)
        }
    }

    /// The next chunk; nil after the last.
    ///
    /// - Throws: `DexError`: exit 4, `logs-refused`; `reorganized` if the blocks changed since their
    ///   logs were read; more trades than can be kept.
    mutating func next() async throws(DexError) -> Page? {
        guard let piece = try await logs.next() else { return nil }
        let fills = sources.hasExchange ? try exchangeFills(piece.logs) : []
        let placed = try sources.poolLogs(in: piece.logs, piece.blocks)
        guard fills.count + placed.count <= MarketSync.mostFills else {
            throw ReadError.tooManyFills(most: MarketSync.mostFills)
        }
        var told: [BlockTimes.Told] = []
        for log in placed where told.last?.number != log.block {
            told.append(
                BlockTimes.Told(number: log.block, hash: log.hash, time: log.log.blockTimestamp)
            )
        }
        let (times, headers) = try await BlockTimes.read(
            session,
            told,
            in: piece.blocks,
            and: Set(fills.map(\.logged.block))
        )
        guard let last = headers[piece.blocks.upperBound] else {
            throw ReadError.blockNotFound(piece.blocks.upperBound)
        }
        var pools = sources.pools.mapValues { _ in [KeptPoolTrade]() }
        for trade in PoolTrade.trades(in: placed.map(\.log), of: sources.pools) {
            guard let kept = KeptPoolTrade(trade, time: { times[$0] }) else { continue }
            pools[trade.log.address, default: []].append(kept)
        }
        return Page(
            range: MarketRange(blocks: piece.blocks, lastHash: last.hash),
            fills: try Self.rows(fills, headers),
            pools: pools
        )
    }

    private func exchangeFills(
        _ logs: [Log]
    ) throws(DexError) -> [(logged: LoggedEvent, fill: FillEvent)] {
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

    private static func rows(
        _ fills: [(logged: LoggedEvent, fill: FillEvent)],
        _ headers: [UInt64: Block]
    ) throws(DexError) -> [MarketFill] {
        var rows: [MarketFill] = []
        for (logged, fill) in fills {
            guard let block = headers[logged.block], block.hash == logged.blockHash else {
                throw ReadError.reorganized
            }
            rows.append(
                MarketFill(
                    fill,
                    in: logged.transaction,
                    block: logged.block,
                    logIndex: logged.logIndex,
                    time: block.timestamp
                )
            )
        }
        return rows
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
