import DexStore
import Ethereum
import ZeroEx

/// The fills of a range of blocks with their times, in chunks that the node allows.
struct MarketPager {
    /// All fills of some blocks.
    struct Page {
        let range: MarketRange
        /// By log.
        let fills: [MarketFill]
    }

    private let session: Session
    private var logs: LogPager

    init(session: Session, blocks: ClosedRange<UInt64>) {
        self.session = session
        logs = LogPager(session: session, blocks: blocks) { from, to in
            [session.eventFilter(maker: nil, from: from, to: to)]
        }
    }

    /// The next chunk; nil after the last.
    ///
    /// - Throws: `DexError`: exit 4, `logs-refused`; `reorganized` if the blocks changed since their
    ///   logs were read; more fills than can be kept.
    mutating func next() async throws(DexError) -> Page? {
        guard let piece = try await logs.next() else { return nil }
        let events: [LoggedEvent]
        do throws(ExchangeError) {
            events = try session.loggedEvents(in: piece.logs)
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) }
        } catch {
            throw DexError(error)
        }
        let fills = events.compactMap { logged -> (LoggedEvent, FillEvent)? in
            // Zero amounts succeed with an event, and nothing changes hands.
            guard case .filled(let fill) = logged.event,
                fill.makerAmount != .zero || fill.takerAmount != .zero
            else { return nil }
            return (logged, fill)
        }
        guard fills.count <= MarketSync.mostFills else {
            throw DexError(ReadError.tooManyFills(most: MarketSync.mostFills))
        }
        let headers = try await session.chain.blocks(
            Set(fills.map(\.0.block)).union([piece.blocks.upperBound])
        )
        guard let last = headers[piece.blocks.upperBound] else {
            throw DexError(ReadError.blockNotFound(piece.blocks.upperBound))
        }
        var rows: [MarketFill] = []
        for (logged, fill) in fills {
            guard let block = headers[logged.block], block.hash == logged.blockHash else {
                throw DexError(ReadError.reorganized)
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
        return Page(
            range: MarketRange(blocks: piece.blocks, lastHash: last.hash),
            fills: rows
        )
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
