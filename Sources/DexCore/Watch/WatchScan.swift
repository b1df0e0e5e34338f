import DexStore
import Ethereum
import ZeroEx

/// Reads an account's events from the chain's logs: fills and cancels of its orders, and
/// transfers.
struct WatchScan {
    let session: Session
    let subject: WatchTarget

    /// The logs of blocks, to be read in parts, and kept by the caller.
    ///
    /// - Parameter store: where logs are kept.
    func pages(blocks: ClosedRange<UInt64>, store: EventStore) -> LogPager {
        LogPager(session: session, blocks: blocks, store: store, isHeld: true) { from, to in
            filters(from: from, to: to)
        }
    }

    /// The filters for the account's events in a range of blocks.
    func filters(from: BlockTag, to: BlockTag) -> [LogFilter] {
        [session.eventFilter(maker: subject.account, from: from, to: to)]
            + TransferLog.filters(of: subject.account, from: from, to: to)
            + (session.network.weth.map { contract in
                [WrapLog.filter(of: subject.account, contract: contract, from: from, to: to)]
            } ?? [])
    }

    /// The account's wraps and unwraps, by block and log.
    ///
    /// - Throws: `DexError` if a log is malformed.
    func wraps(in logs: [Log]) throws(DexError) -> [WrapLog] {
        try reported(
            ExchangeError.self,
            try AccountLogs.wraps(in: logs, of: subject.account, weth: session.network.weth)
        )
    }

    /// Sorts by block and log; ether, which has no logs, comes first in its block.
    static func ordered(_ events: [WatchEvent]) -> [WatchEvent] {
        events.indices
            .sorted { events[$0].place.isBefore(events[$1].place) ?? ($0 < $1) }
            .map { events[$0] }
    }

    /// The events in no order; their block times are not read yet, and zero.
    ///
    /// Transfers within a fill of our order are part of that fill and not reported separately.
    /// Neither are transfers of zero, which are used to make users copy a wrong address.
    ///
    /// - Parameters:
    ///   - logs: complete blocks from `pages`.
    ///   - orders: our orders that a cancel without amounts may have ended; the same ones each
    ///     time the blocks are read.
    /// - Throws: `DexError` if a log is malformed, or the node does not report the amounts of a
    ///   cancel.
    func events(
        in logs: [Log],
        orders: [any SignedOrder]
    ) async throws(DexError) -> [WatchEvent] {
        let changes = try reported(
            ExchangeError.self,
            try session.loggedEvents(in: logs.filter { $0.address == subject.exchange })
        )
        let trades = try await CancelReading(session: session).complete(
            changes.filter { $0.event.maker == subject.account }
                .sorted { ($0.block, $0.logIndex) < ($1.block, $1.logIndex) },
            orders: orders
        )
        return try reported(ExchangeError.self, try read(logs, trades))
    }

    /// - Parameter trades: by block and log.
    private func read(
        _ logs: [Log],
        _ trades: [LoggedEvent]
    ) throws(ExchangeError) -> [WatchEvent] {
        let movements = try AccountLogs(
            logs,
            of: subject.account,
            fills: trades,
            exchange: subject.exchange,
            weth: session.network.weth
        )
        let found =
            trades.compactMap { maker(of: $0) }
            + movements.transfers.filter { $0.amount != .zero }.map { maker(of: $0) }
            + movements.wraps.compactMap { maker(of: $0) }
        // Otherwise equal events are distinguished by the order of their logs.
        var counts: [Bytes32: Int] = [:]
        return found.map { make in
            let event = make(0)
            let ordinal = counts[event.key, default: 0]
            counts[event.key] = ordinal + 1
            return ordinal == 0 ? event : make(ordinal)
        }
    }

    private typealias Maker = (_ ordinal: Int) -> WatchEvent

    private func maker(of logged: LoggedEvent) -> Maker? {
        let place = LogPlace(logged).event
        switch logged.event {
        case .filled(let fill) where fill.maker == subject.account:
            return { ordinal in
                subject.event(
                    .fill,
                    in: logged.transaction,
                    order: fill.orderHash,
                    token: fill.makerToken,
                    amount: fill.makerAmount,
                    other: (fill.takerToken, fill.takerAmount),
                    counterparty: fill.taker,
                    ordinal: ordinal,
                    place: place
                )
            }
        case .cancelled(let cancel) where cancel.maker == subject.account:
            return { ordinal in
                subject.event(
                    .cancel,
                    in: logged.transaction,
                    order: cancel.orderHash,
                    token: cancel.makerToken,
                    amount: cancel.makerAmount,
                    other: (cancel.takerToken, cancel.takerAmount),
                    counterparty: nil,
                    ordinal: ordinal,
                    place: place
                )
            }
        case .filled, .cancelled, .cancelSeen, .pairCancelled, .skipped: return nil
        }
    }

    private func maker(of transfer: TransferLog) -> Maker {
        let isSent = transfer.from == subject.account
        return { ordinal in
            subject.event(
                isSent ? .sent : .received,
                in: transfer.place.transaction,
                token: transfer.token,
                amount: transfer.amount,
                counterparty: isSent ? transfer.to : transfer.from,
                ordinal: ordinal,
                place: transfer.place.event
            )
        }
    }

    private func maker(of wrap: WrapLog) -> Maker? {
        guard let weth = session.network.weth else { return nil }
        return { ordinal in
            subject.event(
                wrap.isWrap ? .wrapped : .unwrapped,
                in: wrap.place.transaction,
                token: weth,
                amount: wrap.amount,
                counterparty: nil,
                ordinal: ordinal,
                place: wrap.place.event
            )
        }
    }
}
